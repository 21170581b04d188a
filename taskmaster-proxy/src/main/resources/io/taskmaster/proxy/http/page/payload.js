// The data of a task, as text, JSON or hexadecimal.

import * as bytes from './bytes.js';
import { h } from './dom.js';

/** More of it is not shown. */
const MOST = 65536;

const FORMS = {
  text: (octets) => new TextDecoder('utf-8', { fatal: false }).decode(octets),
  JSON: (octets) => indented(new TextDecoder('utf-8', { fatal: true }).decode(octets)),
  hex,
};

export function payload(data) {
  const octets = bytes.octets(data);
  const shown = octets.subarray(0, MOST);
  const text = h('pre', { tabindex: 0, 'aria-label': 'Data' });
  const form = h('select', { onchange: () => show() }, Object.keys(FORMS).map((name) => h('option', {}, name)));
  function show() {
    try {
      text.textContent = FORMS[form.value](shown);
    } catch (error) {
      text.textContent = `Not valid as ${form.value}: ${error.message}`;
    }
  }
  form.value = 'base64' in data ? 'hex' : isJson(octets) ? 'JSON' : 'text';
  show();
  return h('div', {}, h('label', {}, 'Data as', form), text,
    octets.length > MOST && h('p', { class: 'quiet' }, `The first ${MOST} of ${octets.length} bytes.`));
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON on many lines, each value as it is written: numbers of any size, keys in their order and as often as they are there. */
function indented(text) {
  JSON.parse(text);
  let depth = 0;
  let out = '';
  let before = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKENS)) {
    const isFirst = before === '{' || before === '[';
    if (token === '}' || token === ']') {
      depth--;
      out += isFirst ? token : line() + token;
    } else if (token === ',') {
      out += token + line();
    } else if (token === ':') {
      out += ': ';
    } else {
      out += isFirst ? line() + token : token;
      depth += token === '{' || token === '[' ? 1 : 0;
    }
    before = token;
  }
  return out;
}

function isJson(octets) {
  try {
    FORMS.JSON(octets);
    return true;
  } catch {
    return false;
  }
}

function hex(octets) {
  const lines = [];
  for (let at = 0; at < octets.length; at += 16) {
    const part = [...octets.subarray(at, at + 16)];
    const digits = part.map((octet) => octet.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((octet) => (octet >= 32 && octet < 127 ? String.fromCharCode(octet) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${digits.padEnd(47)}  ${text}`);
  }
  return lines.join('\n');
}
