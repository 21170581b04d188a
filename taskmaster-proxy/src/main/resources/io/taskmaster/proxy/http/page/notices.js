// What came of actions, and how far long ones are: always in view, whatever page is shown.

import { h } from './dom.js';
import { count, perSecond, span } from './format.js';

/** What was done is said for so long. What was not stays until somebody has seen it. */
const MILLIS = 6000;

const said = document.getElementById('said');
const jobs = document.getElementById('jobs');

/** Whoever was on a notice with the keyboard goes on with the page. */
function remove(notice) {
  const hadFocus = notice.contains(document.activeElement);
  notice.remove();
  if (hadFocus) {
    document.getElementById('main').focus();
  }
}

function notice(kind, sign, text) {
  const element = h('div', { class: `notice ${kind}` }, h('span', { 'aria-hidden': 'true' }, sign), h('p', {}, text),
    h('button', { type: 'button', title: 'Dismiss (Esc)', 'aria-label': `Dismiss: ${text}`, onclick: () => remove(element) }, '×'));
  said.append(element);
  return element;
}

/** Not while somebody is on it. */
function fade(element) {
  setTimeout(() => (element.matches(':hover, :focus-within') ? fade(element) : remove(element)), MILLIS);
}

export const say = (text) => fade(notice('done', '✓', text));

export const warn = (text) => void notice('trouble', '!', text);

/** Does something, says what came of it, and why nothing if not. */
export async function act(doing, done) {
  try {
    const answer = await doing();
    say(typeof done === 'function' ? done(answer) : done);
  } catch (error) {
    warn(`Failed: ${error.message}`);
  }
}

/** Shows how far something is that takes long, how fast it goes and how long it will take still, until it is over. Somebody may want to stop it. */
export function begin(title, total) {
  const stop = new AbortController();
  const began = performance.now();
  const bar = h('progress', { max: Math.max(1, total), value: 0, 'aria-label': title });
  const text = h('p', {}, `0 of ${count(total)}`);
  const button = h('button', { type: 'button', 'aria-label': `Stop: ${title}`, onclick: () => { button.disabled = true; stop.abort(); } }, 'Stop');
  const element = h('div', { class: 'notice job', role: 'group', 'aria-label': title }, h('div', {}, h('strong', {}, title), bar, text), button);
  jobs.append(element);
  return {
    isStopped: () => stop.signal.aborted,
    to(done) {
      const rate = done / ((performance.now() - began) / 1000);
      bar.value = done;
      text.textContent = `${count(done)} of ${count(total)}, ${perSecond(rate)}${done < total ? `, ${span((total - done) / rate)} left` : ''}`;
    },
    end: () => remove(element),
  };
}

addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && said.lastElementChild && !document.querySelector('dialog[open]')) {
    remove(said.lastElementChild);
  }
});
