// Dead letters brought back, as `taskmaster redrive` does it: each is dequeued there and enqueued where it came from in one update, under its lease. So none is lost or there twice
// wherever this ends, also with the tab: what was in hand then is offered again when its lease has run out.

import { call } from './api.js';
import * as bytes from './bytes.js';
import { count } from './format.js';
import { begin, say, warn } from './notices.js';
import { selectorOf } from './views.js';

const BATCH = 500;
const LEASE_SECONDS = 60;

/** So many are set aside, at most. After that, the rest is left. */
const MAX_ASIDE = 10_000;

/** A call is sent again so often, at most, for those that the server cannot take now. */
const MAX_REPETITIONS = 60;
const PAUSE_SECONDS = 0.5;

const SUFFIX = '.dead';

/** What the stage library adds to the headers of a task that dies. */
const OWN = ['dead-reason', 'dead-origin', 'dead-attempts'];

/** With these statuses nothing was done. */
const NOT_NOW = [429, 503];

/** Codes of gRPC: RESOURCE_EXHAUSTED and UNAVAILABLE, with which one update of many was not done; and UNKNOWN, with which it may have been. */
const LATER = [8, 14];
const UNKNOWN = 2;

/** Queues whose dead letters are on their way. */
const running = new Set();

const keyOf = (group, name) => `${bytes.key(group)} ${bytes.key(name)}`;

export const isRunning = (group, name) => running.has(keyOf(group, name));

/** Where the dead letters of this queue came from; nowhere, if it is not one of dead letters. */
export function originOf(name) {
  const [kind, spelled, octets] = 'text' in name ? ['text', (text) => text, name.text] : ['base64', btoa, atob(name.base64)];
  return octets.length > SUFFIX.length && octets.endsWith(SUFFIX) ? { [kind]: spelled(octets.slice(0, -SUFFIX.length)) } : undefined;
}

/** Brings back as many as there are now, shows how far it is, and says what came of it. */
export async function redrive(group, name, total) {
  const key = keyOf(group, name);
  const job = begin(`Redrive of ${bytes.show(name)}`, total);
  const counts = { redriven: 0, collapsed: 0, refused: 0, diedAgain: 0 };
  running.add(key);
  let trouble;
  try {
    trouble = await empty(group, name, job, counts);
  } catch (error) {
    trouble = error.message;
  } finally {
    running.delete(key);
    job.end();
  }
  const { redriven, collapsed, refused, diedAgain } = counts;
  const left = diedAgain + Math.max(refused, total - redriven);
  const result = `${count(redriven)} of ${count(total)} redriven (${count(collapsed)} already queued again), ${count(left)} left.`;
  if (trouble === undefined) {
    say(result);
  } else {
    warn(`${result} Error: ${trouble}. Dead letters that are still leased become available within a minute.`);
  }
}

/** The first thing that went wrong, if any did: others are brought back all the same. */
async function empty(group, name, job, counts) {
  const from = { origin: originOf(name), group, name };
  // By PID, under their latest leases: those that run out before the end come again.
  const aside = new Map();
  let began;
  let trouble;
  const keyOfTask = (task) => bytes.key(bytes.field(task, 'pid'));
  const stays = (task) => aside.set(keyOfTask(task), held(name, task));
  try {
    while (!job.isStopped() && aside.size < MAX_ASIDE) {
      const { tasks } = await patiently('lease', { queues: selectorOf(group, name), max_tasks: BATCH, lease: `${LEASE_SECONDS}s`, worker: 'redrive' }, job);
      if (tasks.length === 0) {
        break;
      }
      began ??= Date.parse(tasks[0].lease_expires) - LEASE_SECONDS * 1000;
      const [known, others] = parted(tasks, (task) => aside.has(keyOfTask(task)));
      // What has died again since is not brought back for ever.
      const [again, back] = parted(others, (task) => Date.parse(task.enqueued) > began);
      counts.diedAgain += again.length;
      [...known, ...again].forEach(stays);
      const refused = await bringBack(back, from, job, counts);
      refused.forEach(({ task }) => stays(task));
      trouble ??= refused[0]?.error.message;
      job.to(counts.redriven + counts.refused);
    }
  } finally {
    const all = [...aside.values()];
    for (let i = 0; i < all.length; i += BATCH) {
      await call('batch', { operations: all.slice(i, i + BATCH).map((lease) => ({ update: { ...bytes.spell('group', group), release: [{ ...lease, untried: true }] } })) });
    }
  }
  return trouble;
}

/** Those that the server does not take, and why. */
async function bringBack(tasks, { origin, group, name }, job, counts) {
  const refused = [];
  let left = tasks;
  for (let repetitions = 0; left.length > 0; repetitions++) {
    const { results } = await patiently('batch', { operations: left.map((task) => ({ update: backTo(origin, group, name, task) })) }, job);
    const again = [];
    results.forEach(({ update, error }, i) => {
      if (update?.success) {
        counts.redriven++;
        counts.collapsed += update.enqueue_status[0] === 'COLLAPSED' ? 1 : 0;
      } else if (LATER.includes(error?.code)) {
        again.push({ task: left[i], error });
      } else if (error && error.code !== UNKNOWN) {
        refused.push({ task: left[i], error });
        counts.refused++;
      }
      // Others are in somebody else's hands, or come again when their leases have run out.
    });
    if (again.length > 0 && (repetitions === MAX_REPETITIONS || job.isStopped())) {
      throw new Error(again[0].error.message);
    }
    left = again.map(({ task }) => task);
    if (left.length > 0) {
      await pause(PAUSE_SECONDS);
    }
  }
  return refused;
}

const held = (name, task) => ({ ...bytes.spell('queue', name), ...bytes.spell('pid', bytes.field(task, 'pid')), lease_id: task.lease_id });

const backTo = (origin, group, name, task) => ({
  ...bytes.spell('group', group),
  dequeue: [held(name, task)],
  enqueue: [{
    ...bytes.spell('queue', origin),
    ...bytes.spell('pid', bytes.field(task, 'pid')),
    ...bytes.spell('data', bytes.field(task, 'data')),
    headers: Object.fromEntries(Object.entries(task.headers).filter(([header]) => !OWN.includes(header))),
  }],
});

const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });

/** Those that are, and those that are not. */
const parted = (all, are) => [all.filter(are), all.filter((one) => !are(one))];

/** Again as long as the server says that it cannot now. */
async function patiently(operation, request, job) {
  for (;;) {
    try {
      return await call(operation, request, undefined, 'redrive');
    } catch (error) {
      if (!NOT_NOW.includes(error.status) || job.isStopped()) {
        throw error;
      }
      await pause(error.retrySeconds);
    }
  }
}
