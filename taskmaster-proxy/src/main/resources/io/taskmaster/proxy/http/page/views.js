// What the pages have in common.

import { h } from './dom.js';
import * as bytes from './bytes.js';
import { count, perSecond, spanOf } from './format.js';

export const queueLink = (group, name) => h('a', {
  href: `#/queue?${new URLSearchParams({ group: bytes.key(group), name: bytes.key(name) })}`,
  'data-key': `queue ${bytes.key(group)} ${bytes.key(name)}`,
}, bytes.show(name) || '(empty name)');

/** One queue. */
export const selectorOf = (group, name) => ({
  ...bytes.spell('group', group),
  ...('text' in name ? { names: [name.text] } : { names_base64: [name.base64] }),
});

/** That not all queues are there, if so. */
export const missing = ({ closed_partitions: closed }) => closed > 0 && h('p', { class: 'verdict alarm' },
  `${closed === 1 ? '1 partition is' : `${count(closed)} partitions are`} not serving: ${closed === 1 ? 'its' : 'their'} queues and tasks are not shown.`);

export const QUEUE_COLUMNS = [
  ['QUEUE_NAME', 'Queue'],
  ['QUEUE_AVAILABLE', 'Available'],
  ['QUEUE_LEASED', 'Leased'],
  ['QUEUE_DELAYED', 'Delayed'],
  ['QUEUE_OLDEST', 'Oldest'],
  ['QUEUE_ENQUEUE_RATE', 'In'],
  ['QUEUE_DEQUEUE_RATE', 'Out'],
  ['QUEUE_EXPIRED_LEASES', 'Expired leases'],
];

/** The row of a queue, in the order of the columns. */
export function queueRow(queue) {
  const group = bytes.field(queue.summary, 'group');
  const number = (text) => h('td', { class: 'number' }, text);
  return h('tr', {},
    h('td', { class: 'name' }, queueLink(group, bytes.field(queue.summary, 'name')),
      bytes.show(group) && h('span', { class: 'quiet' }, ` in ${bytes.show(group)}`),
      queue.options?.paused && h('strong', {}, ' paused')),
    number(count(queue.summary.available)),
    number(count(queue.summary.leased)),
    number(count(queue.summary.delayed)),
    number(spanOf(queue.oldest_available_age)),
    number(perSecond(queue.enqueue_rate)),
    number(perSecond(queue.dequeue_rate)),
    number(count(queue.expired_leases)));
}

/** Asks before something is done that cannot be undone. */
export function confirmed(title, text, verb) {
  const dialog = document.getElementById('question');
  document.getElementById('question-title').textContent = title;
  document.getElementById('question-text').textContent = text;
  document.getElementById('question-yes').textContent = verb;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
