// All queues, a page at a time: found by a pattern and a group, in any order. The server sorts and pages.

import { call } from './api.js';
import * as bytes from './bytes.js';
import { fill, h, swap, table } from './dom.js';
import { count } from './format.js';
import { QUEUE_COLUMNS, missing, queueRow } from './views.js';

const PAGE = 50;

export function queues(main, parameters) {
  const pattern = parameters.get('pattern') ?? '';
  const group = parameters.get('group') ?? '';
  const order = parameters.get('order') ?? 'QUEUE_AVAILABLE';
  const descending = parameters.get('descending') !== 'false';
  const token = parameters.get('page') ?? '';
  const search = h('input', { name: 'pattern', value: pattern, size: 30, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'pattern-help' });
  const called = group && (bytes.show(bytes.parse(group)) || 'base64:');
  const within = h('input', { name: 'group', value: called, size: 16, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'group-help' });
  const gaps = h('div');
  const list = h('div');
  const pages = h('div', { class: 'line' });
  const go = (changes) => {
    location.hash = `#/queues?${new URLSearchParams({ pattern, group, order, descending, ...changes })}`;
  };
  fill(main, h('h1', {}, 'Queues'),
    h('form', { class: 'line', role: 'search', onsubmit: (event) => { event.preventDefault(); go({ pattern: search.value, group: within.value === called ? group : within.value && bytes.key(bytes.typed(within.value)) }); } },
      h('label', {}, 'Name pattern', search), h('label', {}, 'Group', within), h('button', {}, 'Search')),
    h('p', { id: 'pattern-help', class: 'quiet' }, 'A regular expression (RE2) that matches the whole name, such as fetch/.* or .*\\.dead. Empty: all names.'),
    h('p', { id: 'group-help', class: 'quiet' }, 'The name of a group, or base64:… if it is not text. Empty: all groups.'),
    gaps, list, pages);

  const heads = QUEUE_COLUMNS.map(([key, title], i) => {
    const isSorted = key === order;
    const next = isSorted ? !descending : key !== 'QUEUE_NAME';
    return () => h('th', { scope: 'col', class: i > 0 && 'number', 'aria-sort': isSorted && (descending ? 'descending' : 'ascending') },
      h('button', { type: 'button', 'data-key': `sort ${key}`, onclick: () => go({ order: key, descending: next }) },
        title, isSorted && h('span', { 'aria-hidden': 'true' }, descending ? ' ▾' : ' ▴')));
  });

  return async function refresh(signal) {
    const selector = { ...(group === '' ? { all_groups: true } : bytes.spell('group', bytes.parse(group))), ...(pattern !== '' && { name_re: pattern }) };
    const reply = await call('rank', { queues: selector, order, descending, max_queues: PAGE, page_token: token }, signal);
    const from = Number(reply.before) + 1;
    swap(gaps, missing(reply));
    swap(list, reply.queues.length === 0
      ? h('p', { class: 'quiet' }, 'No matching queues.')
      : table('Queues', heads.map((head) => head()), reply.queues.map(queueRow)));
    swap(pages,
      h('span', { class: 'quiet' }, reply.queues.length === 0 ? '' : `${count(from)} to ${count(from + reply.queues.length - 1)} of ${count(reply.matched)}`),
      token !== '' && h('button', { type: 'button', 'data-key': 'first', onclick: () => go({ page: '' }) }, 'First page'),
      reply.next_page_token && h('button', { type: 'button', 'data-key': `next ${reply.next_page_token}`, onclick: () => go({ page: reply.next_page_token }) }, 'Next page'));
  };
}
