// Dead letters brought back, as `taskmaster redrive` does it: each is dequeued there and enqueued where it came from in one update, under its lease. So none is lost or there twice
// wherever this ends, also with the tab: what was in hand then is offered again when its lease has run out.

import { call } from './api.js';
import * as bytes from './bytes.js';
import { count } from './format.js';
import { begin, say, warn } from './notices.js';
import { selectorOf } from './views.js';

const BATCH = 500;
const LEASE_SECONDS = 60;
const SUFFIX = '.dead';

/** What the stage library adds to the headers of a task that dies. */
const OWN = ['dead-reason', 'dead-origin', 'dead-attempts'];

/** With these statuses nothing was done. */
const NOT_NOW = [429, 503];

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
  const counts = { redriven: 0, collapsed: 0, failed: 0, aside: 0 };
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
  const { redriven, collapsed, failed, aside } = counts;
  const left = aside + Math.max(failed, total - redriven);
  const result = `${count(redriven)} of ${count(total)} redriven (${count(collapsed)} of them queued again already), ${count(left)} left.`;
  if (trouble === undefined) {
    say(result);
  } else {
    warn(`${result} Not all: ${trouble}. What was in hand is offered again within a minute.`);
  }
}

/** The first thing that went wrong, if any did: others are brought back all the same. */
async function empty(group, name, job, counts) {
  const origin = originOf(name);
  const aside = [];
  let began;
  let trouble;
  try {
    while (!job.isStopped()) {
      const { tasks } = await patiently('lease', { queues: selectorOf(group, name), max_tasks: BATCH, lease: `${LEASE_SECONDS}s`, worker: 'redrive' }, job);
      if (tasks.length === 0) {
        break;
      }
      began ??= Date.parse(tasks[0].lease_expires) - LEASE_SECONDS * 1000;
      // What has died again since is not brought back for ever.
      const back = tasks.filter((task) => Date.parse(task.enqueued) <= began);
      aside.push(...tasks.filter((task) => !back.includes(task)));
      if (back.length === 0) {
        break;
      }
      const { results } = await patiently('batch', { operations: back.map((task) => ({ update: backTo(origin, group, name, task) })) }, job);
      for (const { update, error } of results) {
        if (update?.success) {
          counts.redriven++;
          counts.collapsed += update.enqueue_status[0] === 'COLLAPSED' ? 1 : 0;
        } else {
          counts.failed++;
          trouble ??= error?.message;
        }
      }
      job.to(counts.redriven + counts.failed);
    }
  } finally {
    counts.aside = aside.length;
    for (let i = 0; i < aside.length; i += BATCH) {
      await call('batch', { operations: aside.slice(i, i + BATCH).map((task) => ({ update: { ...bytes.spell('group', group), release: [{ ...held(name, task), untried: true }] } })) });
    }
  }
  return trouble;
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

/** Again as long as the server says that it cannot now. */
async function patiently(operation, request, job) {
  for (;;) {
    try {
      return await call(operation, request, undefined, 'redrive');
    } catch (error) {
      if (!NOT_NOW.includes(error.status) || job.isStopped()) {
        throw error;
      }
      await new Promise((resolve) => { setTimeout(resolve, error.retrySeconds * 1000); });
    }
  }
}
