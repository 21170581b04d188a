// What the node measures of itself: what Prometheus gets, for people.

import { metrics } from './api.js';
import { cards, fill, h, row, swap, table } from './dom.js';
import { bytes, count, perSecond, span } from './format.js';

/** What happened is counted and judged over so long; in the beginning, since the node started. */
const LATELY_SECONDS = 60;

const STATES = [['serving', 'Serving'], ['opening', 'Opening'], ['draining', 'Draining'], ['stopped', 'Stopped'], ['damaged', 'Damaged']];

/** Samples by name: labels and value. */
export function read(text) {
  const samples = new Map();
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (match) {
      const labels = Object.fromEntries([...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c))]));
      const value = match[3] === '+Inf' ? Infinity : Number(match[3]);
      samples.set(match[1], [...(samples.get(match[1]) ?? []), { labels, value }]);
    }
  }
  return samples;
}

/** The sum of those samples of a name that have these labels. */
const sum = (samples, name, labels = {}) => (samples.get(name) ?? [])
  .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
  .reduce((total, sample) => total + sample.value, 0);

/** What a part of the observations did not take longer than, from the buckets of a histogram: [upper bound, how many are not above it]. */
export function quantile(part, buckets) {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all === 0) {
    return undefined;
  }
  const rank = part * all;
  const i = sorted.findIndex(([, below]) => below >= rank);
  const [from, before] = i === 0 ? [0, 0] : sorted[i - 1];
  const [to, below] = sorted[i];
  return to === Infinity ? { over: from } : { about: from + (to - from) * (rank - before) / (below - before) };
}

export function node(main) {
  const since = h('p', { class: 'quiet' });
  const parts = {};
  const section = (name, title, element = 'div') => {
    parts[name] = h(element, element === 'dl' ? { class: 'cards' } : {});
    return [title && h('h2', {}, title), parts[name]];
  };
  fill(main, h('h1', {}, 'Node'), section('node', undefined, 'dl'), since,
    section('partitions', 'Partitions', 'dl'),
    section('log', 'Log', 'dl'),
    section('memory', 'Memory and flush rounds', 'dl'),
    section('limits', 'Limits'),
    section('store', 'Store'),
    section('requests', 'Requests'),
    h('p', { class: 'quiet' }, 'All metrics, in the format of Prometheus: ', h('a', { href: 'metrics' }, '/metrics'), '.'));
  let looks = [];

  return async function refresh(signal) {
    const now = read(await metrics(signal));
    const up = sum(now, 'process_uptime_seconds');
    // What was seen before a restart says nothing of what happened since.
    looks = looks.filter((look) => look.up < up && up - look.up <= LATELY_SECONDS);
    const former = looks[0] ?? { up: 0, samples: new Map() };
    looks.push({ up, samples: now });
    const over = Math.max(up - former.up, 0.001);
    const is = (name, labels) => sum(now, name, labels);
    const lately = (name, labels) => is(name, labels) - sum(former.samples, name, labels);
    const each = (name, labels) => {
      const times = lately(`${name}_count`, labels);
      return times === 0 ? '–' : span(lately(`${name}_sum`, labels) / times);
    };
    since.textContent = `Rates, means and percentiles cover ${former.up === 0 ? 'the time since the start' : `the last ${span(over)}`}.`;

    swap(parts.node, cards([
      ['Uptime', span(up)],
      ['CPU', `${count(100 * is('process_cpu_usage'))} %`],
      ['Requests', perSecond(lately('taskmaster_requests_seconds_count') / over)],
      ['Partitions opened', count(is('taskmaster_recovery_seconds_count'))],
      ['Mean recovery time', span(is('taskmaster_recovery_seconds_sum') / Math.max(1, is('taskmaster_recovery_seconds_count')))],
    ]));
    swap(parts.partitions, cards(STATES.map(([state, title]) => [title, count(is('taskmaster_partitions', { state }))])));
    const rows = { operation: 'put_if_absent' };
    swap(parts.log, cards([
      ['Not yet durable', bytes(is('taskmaster_log_waiting_bytes'))],
      ['Mean time until durable', span(is('taskmaster_log_wait_seconds'))],
      ['Rows in flight', count(is('taskmaster_log_rows_in_flight'))],
      ['Rows written', perSecond(lately('taskmaster_store_operations_seconds_count', rows) / over)],
      ['Bytes written', `${bytes(lately('taskmaster_store_written_bytes_total', rows) / over)}/s`],
      ['To replay after a crash', bytes(is('taskmaster_log_unflushed_bytes'))],
    ]));
    const served = lately('taskmaster_served_total');
    swap(parts.memory, cards([
      ['Served from memory', served === 0 ? '–' : `${(100 * lately('taskmaster_served_total', { from: 'memory' }) / served).toFixed(1)} %`],
      ['Updates and leases', perSecond(served / over)],
      ['Refills', perSecond(lately('taskmaster_refills_total') / over)],
      ['Flush rounds', perSecond(lately('taskmaster_flush_rounds_seconds_count') / over)],
      ['Mean flush duration', each('taskmaster_flush_rounds_seconds')],
      ['Tasks flushed', perSecond(lately('taskmaster_flush_tasks_total') / over)],
    ]));
    const limit = (title, used, max, show) => row(title, show(used), show(max),
      h('td', {}, h('progress', { value: used, max: Math.max(1, max), 'aria-label': `${title}: used` })));
    const memory = (title, use) => limit(title, is('taskmaster_memory_used_bytes', { use }), is('taskmaster_memory_max_bytes', { use }), bytes);
    swap(parts.limits, table('Limits', [['Limit'], ['Used', true], ['Maximum', true], ['Usage']], [
      memory('Window', 'window'),
      memory('Unflushed changes', 'dirty'),
      memory('Request ids', 'dedup'),
      limit('Queues', is('taskmaster_queues_used'), is('taskmaster_queues_max'), count),
      limit('Log not yet durable', is('taskmaster_log_waiting_bytes'), is('taskmaster_log_waiting_max_bytes'), bytes),
      limit('Requests in flight', is('taskmaster_in_flight_requests'), is('taskmaster_in_flight_requests_max'), count),
      limit('Bytes in flight', is('taskmaster_in_flight_used_bytes'), is('taskmaster_in_flight_max_bytes'), bytes),
    ]));
    const timers = (name, labels, caption) => timesOf(now, former.samples, name, labels, caption);
    swap(parts.store, timers('taskmaster_store_operations_seconds', ['operation', 'outcome'], 'Store operations'));
    swap(parts.requests, timers('taskmaster_requests_seconds', ['method', 'status', 'waited'], 'Requests'));
  };
}

/** How long what is measured took, a row for each that happened between two looks. */
function timesOf(now, former, name, labels, caption) {
  const rows = (now.get(`${name}_count`) ?? []).flatMap((sample) => {
    const own = Object.fromEntries(labels.map((label) => [label, sample.labels[label]]));
    const lately = (suffix, more = {}) => sum(now, `${name}_${suffix}`, { ...own, ...more }) - sum(former, `${name}_${suffix}`, { ...own, ...more });
    const times = lately('count');
    if (times === 0) {
      return [];
    }
    const buckets = (now.get(`${name}_bucket`) ?? [])
      .filter((bucket) => labels.every((label) => bucket.labels[label] === own[label]))
      .map(({ labels: { le } }) => [le === '+Inf' ? Infinity : Number(le), lately('bucket', { le })]);
    const shown = (part) => {
      const found = quantile(part, buckets);
      return found === undefined ? '–' : found.about === undefined ? `over ${span(found.over)}` : span(found.about);
    };
    return [row(...labels.map((label) => own[label]), count(times), span(lately('sum') / times), shown(0.5), shown(0.99), span(sum(now, `${name}_max`, own)))];
  });
  return rows.length === 0 ? h('p', { class: 'quiet' }, `No ${caption.toLowerCase()} in this period.`) : table(caption,
    [...labels.map((label) => [label]), ['Count', true], ['Mean', true], ['p50', true], ['p99', true], ['Max', true]], rows);
}
