// The flow, drawn: families of queues in the order in which tasks go through them.

import { call } from './api.js';
import * as bytes from './bytes.js';
import { fill, h, row, s, swap, table } from './dom.js';
import { Looks, groupOf, keyOf, layers } from './flow.js';
import { count, perSecond } from './format.js';
import { judge } from './overview.js';

const BOX = { width: 204, height: 58, right: 92, below: 26 };

export function graph(main) {
  const looks = new Looks();
  const verdict = h('p', { class: 'verdict' }, 'Loading …');
  const drawing = h('div', { class: 'flow scroll', tabindex: 0, role: 'region', 'aria-label': 'Task flow' });
  const lists = h('div');
  fill(main, h('h1', {}, 'Flow'),
    h('p', { class: 'quiet' }, 'Families of similarly named queues, and the hand-offs between them.'),
    verdict, drawing, lists);

  return async function refresh(signal) {
    const flow = await call('flow', {}, signal);
    looks.add(flow);
    const { families, edges } = looks.rates;
    judge(verdict, flow.findings);
    const piled = new Map([...flow.findings].reverse().map((finding) => [keyOf({ name: finding.family }), finding.verdict]));
    swap(drawing, families.length === 0 ? h('p', { class: 'quiet' }, 'No queues yet.') : draw(families, edges, piled));
    const left = [flow.families_left_out, Number(flow.hand_offs_left_out)];
    swap(lists,
      left.some((number) => number > 0) && h('p', { class: 'quiet' }, `Not shown: ${count(left[0])} less active families and ${count(left[1])} less active hand-offs.`),
      h('h2', {}, 'Queue families'),
      table('Queue families', [['Family'], ['Group'], ['Queues', true], ['Available', true], ['Leased', true], ['Delayed', true], ['In', true], ['Out', true], ['Expired leases', true]],
        families.map((family) => row(h('td', { class: 'name' }, link(family, family.title)), groupOf(family), count(family.queues), count(family.available),
          count(family.leased), count(family.delayed), perSecond(family.in), perSecond(family.out), count(family.expired)))),
      h('h2', {}, 'Hand-offs'),
      table('Hand-offs', [['From'], ['To'], ['Rate', true], ['Tasks', true]],
        [...edges].sort((a, b) => b.rate - a.rate).map((edge) =>
          row(h('td', { class: 'name' }, families[edge.from].title), h('td', { class: 'name' }, families[edge.to].title), perSecond(edge.rate), count(Math.round(edge.tasks))))));
  };
}

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function link(family, ...children) {
  const { name } = family;
  // A family that has a name of its own has nothing in its queues' names by which they could be found.
  if (!('head' in name) || !('tail' in name) || (!name.open && Number(family.queues) > 1)) {
    return h('span', {}, ...children);
  }
  const pattern = literally(name.head) + (name.open ? '.*' : '') + literally(name.tail);
  return h('a', { href: `#/queues?${new URLSearchParams({ pattern, group: name.any_group ? '' : bytes.key(bytes.field(name, 'group')) })}`, 'data-key': `family ${family.key}` }, ...children);
}

function draw(families, edges, piled) {
  const columns = layers(families, edges);
  const filled = [];
  const places = families.map((_, i) => {
    const column = columns[i];
    filled[column] = (filled[column] ?? -1) + 1;
    return { x: 12 + column * (BOX.width + BOX.right), y: 12 + filled[column] * (BOX.height + BOX.below) };
  });
  const width = 24 + Math.max(...places.map((place) => place.x)) + BOX.width + 30;
  const height = 24 + Math.max(...places.map((place) => place.y)) + BOX.height + 36;
  return s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'Hand-offs between queue families; the tables below show the same data' },
    s('defs', {}, s('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: 'userSpaceOnUse', orient: 'auto' }, s('path', { d: 'M0 0L8 4L0 8z' }))),
    edges.map((edge) => arrow(edge, places)),
    families.map((family, i) => box(family, places[i], piled.get(family.key))));
}

/** Onwards from side to side, back from below to below. */
function arrow(edge, places) {
  const from = places[edge.from];
  const to = places[edge.to];
  let path;
  let label;
  if (to.x > from.x) {
    const start = { x: from.x + BOX.width, y: from.y + BOX.height / 2 };
    const end = { x: to.x, y: to.y + BOX.height / 2 };
    const middle = (start.x + end.x) / 2;
    path = `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`;
    label = { x: middle, y: (start.y + end.y) / 2 - 5 };
  } else {
    const aside = edge.from === edge.to ? BOX.width / 4 : 0;
    const start = { x: from.x + BOX.width / 2 + aside, y: from.y + BOX.height };
    const end = { x: to.x + BOX.width / 2 - aside, y: to.y + BOX.height };
    const low = Math.max(start.y, end.y) + (aside > 0 ? 18 : 46);
    path = `M${start.x} ${start.y}C${start.x} ${low} ${end.x} ${low} ${end.x} ${end.y}`;
    label = { x: (start.x + end.x) / 2, y: low - 4 };
  }
  return [
    s('path', { d: path, 'marker-end': 'url(#tip)', 'stroke-width': Math.min(5, 1 + Math.log10(1 + edge.rate)).toFixed(1) }),
    edge.rate > 0 ? s('text', { x: label.x, y: label.y, 'text-anchor': 'middle' }, perSecond(edge.rate)) : null,
  ];
}

const MARKS = { VERDICT_STUCK: 'stuck', VERDICT_BEHIND: 'behind', VERDICT_PAUSED: 'paused', VERDICT_KEPT: 'kept' };

function box(family, place, verdict) {
  const isPiled = verdict === 'VERDICT_STUCK' || verdict === 'VERDICT_BEHIND';
  const title = family.title.length > 24 ? `${family.title.slice(0, 23)}…` : family.title;
  return s('g', { class: isPiled ? 'piled' : undefined, transform: `translate(${place.x} ${place.y})` },
    s('title', {}, family.title),
    s('rect', { width: BOX.width, height: BOX.height, rx: 6 }),
    s('text', { x: 10, y: 20, 'font-weight': 600 }, title),
    s('text', { x: 10, y: 37 }, `${count(family.available)} waiting, ${count(family.leased)} leased`),
    s('text', { class: 'quiet', x: 10, y: 51 }, `${perSecond(family.in)} in, ${perSecond(family.out)} out${verdict in MARKS ? `: ${MARKS[verdict]}` : ''}`));
}
