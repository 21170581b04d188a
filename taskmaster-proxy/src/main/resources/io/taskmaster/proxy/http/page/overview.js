// The overview: how much there is, what happens, and where work piles up.

import { call } from './api.js';
import * as bytes from './bytes.js';
import * as chart from './chart.js';
import { cards, fill, h, swap, table } from './dom.js';
import { nameOf } from './flow.js';
import { count, perSecond, spanOf } from './format.js';
import { QUEUE_COLUMNS, missing, queueRow } from './views.js';

const FEW = 5;

export function overview(main, parameters, again) {
  const verdict = h('p', { class: 'verdict' }, 'Loading …');
  const gaps = h('div');
  const numbers = h('dl', { class: 'cards' });
  const charts = h('div');
  const waiting = h('div');
  const busy = h('div');
  const reach = h('select', { onchange: again },
    h('option', { value: 'LAST_HOUR' }, 'last hour'), h('option', { value: 'LAST_DAY' }, 'last day'));
  fill(main,
    h('h1', {}, 'Overview'), verdict, gaps, numbers,
    h('div', { class: 'line' }, h('label', {}, 'History', reach)), charts,
    h('h2', {}, 'Oldest tasks'), waiting,
    h('h2', {}, 'Busiest queues'), busy);

  return async function refresh(signal) {
    const [flow, history, oldest, busiest] = await Promise.all([
      call('flow', {}, signal),
      call('history', { reach: reach.value }, signal),
      call('rank', { queues: { all_groups: true }, order: 'QUEUE_OLDEST', descending: true, max_queues: FEW }, signal),
      call('rank', { queues: { all_groups: true }, order: 'QUEUE_DEQUEUE_RATE', descending: true, max_queues: FEW }, signal),
    ]);
    judge(verdict, flow.findings);
    swap(gaps, missing(oldest));
    const { total } = oldest;
    swap(numbers, cards([
      ['Queues', count(oldest.matched)],
      ['Available', count(total.summary.available)],
      ['Leased', count(total.summary.leased)],
      ['Delayed', count(total.summary.delayed)],
      ['Oldest available', spanOf(total.oldest_available_age)],
      ['Enqueue rate', perSecond(total.enqueue_rate)],
      ['Lease rate', perSecond(total.lease_rate)],
      ['Dequeue rate', perSecond(total.dequeue_rate)],
      ['Expired leases', count(total.expired_leases)],
    ]));
    swap(charts, chart.all(history.points));
    swap(waiting, some(oldest.queues.filter((queue) => queue.oldest_available_age !== undefined), 'Queues with the oldest tasks', 'No tasks are waiting.'));
    swap(busy, some(busiest.queues.filter((queue) => queue.dequeue_rate > 0), 'Busiest queues', 'No queue is being processed.'));
  };
}

const some = (queues, caption, none) => (queues.length === 0
  ? h('p', { class: 'quiet' }, none)
  : table(caption, QUEUE_COLUMNS.map(([, title], i) => [title, i > 0]), queues.map(queueRow)));

/** More are in the tables. */
const SENTENCES = 3;

/** What the server found, the most urgent first, in a sentence each. What is kept is nothing to worry about. */
export function judge(element, findings) {
  const said = findings.filter(({ verdict }) => verdict !== 'VERDICT_KEPT').slice(0, SENTENCES);
  element.className = said.length > 0 ? 'verdict alarm' : 'verdict';
  element.textContent = said.length > 0 ? said.map(sentence).join(' ') : 'No bottlenecks.';
}

function sentence(finding) {
  const family = nameOf({ name: finding.family });
  const tasks = Number(finding.tasks) === 1 ? '1 task waits' : `${count(finding.tasks)} tasks wait`;
  switch (finding.verdict) {
    case 'VERDICT_STUCK':
      return `No worker leases from ${family} any more: ${tasks} in ${count(finding.queues)} of its queues (${bytes.show(bytes.field(finding, 'queue'))}).`;
    case 'VERDICT_PAUSED':
      return `${family} is paused: ${tasks}.`;
    default:
      return `Backlog in ${family}: ${tasks}, ${perSecond(finding.enqueue_rate)} enqueued, ${perSecond(finding.dequeue_rate)} dequeued, `
        + `${finding.time_left === undefined ? 'and none is finished' : `${spanOf(finding.time_left)} of work`}.`;
  }
}
