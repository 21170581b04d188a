// Lines over time.

import { h, s } from './dom.js';
import { count, seconds, span } from './format.js';

const WIDTH = 1160;
const HEIGHT = 170;
const TOP = 12;
const LEFT = 56;
const BOTTOM = 18;

/** Series: [class, title, function of a point]. */
function chart(caption, points, series, shown = count) {
  const legend = h('figcaption', {}, caption, series.map(([kind, title]) => [h('span', { class: `key ${kind}` }), title]).flat());
  if (points.length < 2) {
    return h('figure', {}, legend, h('p', { class: 'quiet' }, 'No data yet. The first points appear after a few seconds.'));
  }
  const from = Date.parse(points[0].at);
  const to = Date.parse(points.at(-1).at);
  const most = Math.max(1, ...points.flatMap((point) => series.map(([, , value]) => value(point))));
  const x = (point) => LEFT + ((Date.parse(point.at) - from) / Math.max(1, to - from)) * (WIDTH - LEFT);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const last = points.at(-1);
  const summary = series.map(([, title, value]) => `${title} ${shown(value(last))}`).join(', ');
  return h('figure', {}, legend, s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${caption}; now: ${summary}` },
    [0, most / 2, most].map((value) => [
      s('line', { class: 'axis', x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
      s('text', { class: 'quiet', x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, shown(value)),
    ]),
    s('text', { class: 'quiet', x: LEFT, y: HEIGHT - 3 }, new Date(from).toLocaleTimeString()),
    s('text', { class: 'quiet', x: WIDTH, y: HEIGHT - 3, 'text-anchor': 'end' }, new Date(to).toLocaleTimeString()),
    series.map(([kind, , value]) => s('path', {
      class: kind,
      d: points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point).toFixed(1)} ${y(value(point)).toFixed(1)}`).join(''),
    }))));
}

/** All that is drawn of a history. */
export const all = (points) => [sizes(points), rates(points), ages(points)];

const sizes = (points) => chart('Tasks', points, [
  ['waiting', 'available', (point) => Number(point.available)],
  ['leased', 'leased', (point) => Number(point.leased)],
  ['delayed', 'delayed', (point) => Number(point.delayed)],
]);

const rates = (points) => chart('Tasks per second', points, [
  ['in', 'enqueued', (point) => point.enqueue_rate],
  ['out', 'dequeued', (point) => point.dequeue_rate],
]);

const ages = (points) => chart('Age of the oldest available task', points, [
  ['waiting', 'oldest', (point) => seconds(point.oldest_available_age) ?? 0],
], span);
