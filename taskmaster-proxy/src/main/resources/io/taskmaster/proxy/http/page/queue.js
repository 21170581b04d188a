// One queue: how much, how fast, who has what, and the tasks themselves.

import { call, mayChange, update } from './api.js';
import * as bytes from './bytes.js';
import * as chart from './chart.js';
import { cards, fill, h, row, swap, table } from './dom.js';
import { groupOf, nameOf } from './flow.js';
import { ago, bytes as size, count, perSecond, spanOf, time } from './format.js';
import { act } from './notices.js';
import { payload } from './payload.js';
import { isRunning, originOf, redrive } from './redrive.js';
import { confirmed, selectorOf } from './views.js';

const LEASES = 100;
const TASKS = 50;

/** Of the families that a queue may belong to by its name, the one whose name says most. */
function familyOf(families, group, name) {
  const text = bytes.show(name);
  const part = (family, end) => bytes.show(bytes.field(family.name, end));
  const mayHave = (family) => (family.name.any_group || groupOf(family) === bytes.show(group))
    && (family.name.open
      ? text.startsWith(part(family, 'head')) && text.endsWith(part(family, 'tail')) && text.length >= nameOf(family).length - 1
      : text === part(family, 'head'));
  const says = (family) => (family.name.open ? nameOf(family).length : Infinity);
  return families.filter(mayHave).sort((a, b) => says(b) - says(a))[0];
}

export function queue(main, parameters, again) {
  const group = bytes.parse(parameters.get('group') ?? 't');
  const name = bytes.parse(parameters.get('name') ?? 't');
  const title = bytes.show(name) || '(empty name)';
  const numbers = h('dl', { class: 'cards' });
  const actions = h('div', { class: 'line' });
  const charts = h('div');
  const reach = h('select', { onchange: again },
    h('option', { value: 'LAST_HOUR' }, 'last hour'), h('option', { value: 'LAST_DAY' }, 'last day'));
  const leases = h('div');
  const tasks = h('div');
  const from = h('input', { name: 'from', size: 30, autocomplete: 'off', spellcheck: 'false' });
  fill(main, h('h1', {}, title), bytes.show(group) && h('p', { class: 'quiet' }, `in group ${bytes.show(group)}`),
    numbers, actions, h('div', { class: 'line' }, h('label', {}, 'History', reach)), charts,
    h('h2', {}, 'Leased tasks'), leases,
    h('h2', {}, 'Tasks'),
    h('form', { class: 'line', role: 'search', onsubmit: (event) => { event.preventDefault(); void browse(bytes.typed(from.value)); } },
      h('label', {}, 'Start at PID', from), h('button', {}, 'Show tasks')),
    tasks);

  const selector = selectorOf(group, name);
  const origin = originOf(name);
  let held = 0;
  const inQueue = (pid) => ({ ...bytes.spell('queue', name), ...bytes.spell('pid', pid) });

  async function refresh(signal) {
    const [may, reply] = await Promise.all([mayChange(), call('describe', { queues: selector, leased_sample: LEASES }, signal)]);
    const found = reply.queues[0];
    if (!found) {
      swap(numbers);
      swap(actions, h('span', { class: 'quiet' }, 'This queue is empty.'));
      swap(leases);
      await draw(signal);
      return;
    }
    held = Number(found.summary.available) + Number(found.summary.leased) + Number(found.summary.delayed);
    const paused = found.options?.paused ?? false;
    swap(numbers, cards([
      ['Available', count(found.summary.available)],
      ['Leased', count(found.summary.leased)],
      ['Delayed', count(found.summary.delayed)],
      ['Oldest available', spanOf(found.oldest_available_age)],
      ['Enqueue rate', perSecond(found.enqueue_rate)],
      ['Lease rate', perSecond(found.lease_rate)],
      ['Dequeue rate', perSecond(found.dequeue_rate)],
      ['Mean lease duration', spanOf(found.mean_lease_duration)],
      ['Expired leases', count(found.expired_leases)],
    ]));
    swap(actions,
      paused && h('strong', {}, 'Paused: no tasks are leased.'),
      may && [
        origin && h('button', { type: 'button', 'data-key': 'redrive', disabled: isRunning(group, name), onclick: () => void bringBack() }, 'Redrive'),
        h('button', { type: 'button', 'data-key': `pause ${paused}`, onclick: () => void configure(!paused) }, paused ? 'Resume' : 'Pause'),
        h('button', { type: 'button', class: 'danger', 'data-key': 'delete', onclick: () => void remove() }, 'Delete'),
      ]);
    swap(leases, found.leased_sample.length === 0 ? h('p', { class: 'quiet' }, 'No leased tasks.') : table('Leased tasks',
      [['PID'], ['Worker'], ['Address'], ['Held for', true], ['Expires'], ['Attempt', true], ...(may ? [['Action']] : [])],
      found.leased_sample.map((lease) => {
        const pid = bytes.field(lease, 'pid');
        return row(h('td', { class: 'name' }, bytes.show(pid)), h('td', {}, lease.worker), h('td', {}, lease.address), ago(lease.leased),
          time(lease.lease_expires), count(lease.attempt),
          ...(may ? [h('button', { type: 'button', 'data-key': `release ${lease.lease_id} ${bytes.key(pid)}`, 'aria-label': `Release ${bytes.show(pid)}`, onclick: () => void release(pid, lease) }, 'Release')] : []));
      })));
    await draw(signal);
  }

  async function draw(signal) {
    const { points, whose } = await history(signal);
    swap(charts, h('p', { class: 'quiet' }, whose), points && chart.all(points));
  }

  /** Of the queue; or of its family, if too little goes on in the queue for one of its own. */
  async function history(signal) {
    const own = await call('history', { reach: reach.value, ...bytes.spell('queue_group', group), ...bytes.spell('queue', name) }, signal);
    if (own.kept) {
      return { points: own.points, whose: 'History of this queue. The rates are estimates.' };
    }
    const family = familyOf((await call('flow', {}, signal)).families, group, name);
    const shared = family && await call('history', { reach: reach.value, family: family.name }, signal);
    return shared?.kept
      ? { points: shared.points, whose: `History of all ${count(family.queues)} queues of ${nameOf(family)}. This queue is not busy enough to have its own.` }
      : { whose: 'No history: this queue is not busy enough.' };
  }

  async function configure(paused) {
    if (await confirmed(paused ? `Pause ${title}?` : `Resume ${title}?`,
      paused ? 'No more tasks are leased until the queue is resumed. Enqueues continue.' : 'Workers can lease its tasks again.', paused ? 'Pause' : 'Resume')) {
      await act(async () => {
        const { queues: [found] } = await call('describe', { queues: selector });
        await call('configure', { ...bytes.spell('group', group), ...bytes.spell('queue', name), options: { ...found?.options, paused } });
      }, paused ? 'Paused.' : 'Resumed.');
      again();
    }
  }

  async function bringBack() {
    if (await confirmed(`Redrive ${title}?`, `Moves ${count(held)} dead letters back to ${bytes.show(origin)} to be retried. If it already has a task with the same PID, that task stays and the dead letter is removed.`, 'Redrive')) {
      await redrive(group, name, held);
      again();
    }
  }

  async function remove() {
    if (await confirmed(`Delete ${title}?`, 'Deletes all its tasks, including leased ones. This cannot be undone.', 'Delete')) {
      await act(() => call('delete', { queues: selector }), ({ deleted }) => (deleted.length > 0 ? 'Deleted.' : 'Already empty; its options are kept.'));
      again();
      swap(tasks);
    }
  }

  /** From this lease: one that came after it is somebody's at work. */
  async function release(pid, { lease_id, worker }) {
    if (await confirmed(`Release ${bytes.show(pid)}?`, `The task becomes available at once. ${worker || 'Its worker'} can no longer dequeue it.`, 'Release')) {
      await act(() => update('release', { ...bytes.spell('group', group), release: [{ ...inQueue(pid), lease_id }] }), 'Released.');
      again();
    }
  }

  /** As new: available at once, attempts from 0. */
  async function requeue(pid, index) {
    if (await confirmed(`Requeue ${bytes.show(pid)}?`, 'The task becomes available at once, as if it had just been enqueued: no lease, no delay, no attempts.', 'Requeue')) {
      await act(async () => {
        const task = await whole(pid);
        await update('requeue', {
          ...bytes.spell('group', group),
          dequeue: [inQueue(pid)],
          enqueue: [{ ...inQueue(pid), ...bytes.spell('data', bytes.field(task, 'data')), headers: task.headers }],
        });
      }, 'Requeued.');
      await browse(index);
      again();
    }
  }

  async function whole(pid) {
    const reply = await call('peek', { ...bytes.spell('group', group), ...bytes.spell('queue', name), ...bytes.spell('from_pid', pid), max_tasks: 1, with_data: true });
    const task = reply.tasks[0];
    if (!task || bytes.key(bytes.field(task, 'pid')) !== bytes.key(pid)) {
      throw new Error('the task no longer exists');
    }
    return task;
  }

  async function browse(first) {
    try {
      const [may, reply] = await Promise.all([
        mayChange(),
        call('peek', { ...bytes.spell('group', group), ...bytes.spell('queue', name), ...bytes.spell('from_pid', first), max_tasks: TASKS }),
      ]);
      const next = bytes.field(reply, 'next_pid');
      swap(tasks,
        reply.tasks.length === 0 ? h('p', { class: 'quiet' }, 'No tasks at or after this PID.') : table('Tasks', [['PID'], ['State'], ['Until'], ['Age', true], ['Attempt', true], ['Size', true], ['Headers'], ...(may ? [['Action']] : [])],
          reply.tasks.map((task) => taskRow(task, first, may))),
        bytes.show(next) && h('div', { class: 'line' }, h('button', { type: 'button', 'data-key': `more ${bytes.key(next)}`, onclick: () => void browse(next) }, 'Next tasks')));
    } catch (error) {
      swap(tasks, h('p', {}, error.message));
    }
  }

  function taskRow(task, first, may) {
    const pid = bytes.field(task, 'pid');
    const data = h('div');
    const details = h('details', { 'data-key': `task ${bytes.key(pid)}`, ontoggle: () => { if (details.open) { void open(pid, data); } } }, h('summary', {}, bytes.show(pid) || '(empty PID)'), data);
    return row(h('td', { class: 'name' }, details), h('td', {}, task.state.toLowerCase()), h('td', {}, task.until ? time(task.until) : ''), ago(task.enqueued), count(task.attempt),
      size(Number(task.data_bytes)), h('td', { class: 'name' }, Object.entries(task.headers).map(([key, value]) => `${key}: ${value}`).join(', ')),
      ...(may ? [h('button', { type: 'button', 'data-key': `requeue ${bytes.key(pid)} ${bytes.key(first)}`, 'aria-label': `Requeue ${bytes.show(pid)}`, onclick: () => void requeue(pid, first) }, 'Requeue')] : []));
  }

  async function open(pid, data) {
    try {
      fill(data, payload(bytes.field(await whole(pid), 'data')));
    } catch (error) {
      fill(data, h('p', {}, error.message));
    }
  }

  return refresh;
}
