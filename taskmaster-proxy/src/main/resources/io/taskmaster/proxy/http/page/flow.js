// How tasks flow between families of queues: rates are the difference of two looks.

import * as bytes from './bytes.js';

/** Looks further apart than this say little of now. */
const LOOKS = 6;

export const nameOf = (family) =>
  bytes.show(bytes.field(family.name, 'head')) + (family.name.open ? '*' : '') + bytes.show(bytes.field(family.name, 'tail'));

export const groupOf = (family) => (family.name.any_group ? '*' : bytes.show(bytes.field(family.name, 'group')));

export const keyOf = (family) => JSON.stringify(family.name);

/** The last looks; knows what happened per second between the first of them and the last. Families without queues in which nothing happens are left out. */
export class Looks {
  #looks = [];

  add(reply) {
    this.#looks.push(reply);
    if (this.#looks.length > LOOKS) {
      this.#looks.shift();
    }
  }

  /** Whether there are two of them: one alone says nothing of rates. */
  get areEnough() {
    return this.#looks.length > 1;
  }

  get rates() {
    const now = this.#looks.at(-1);
    const before = this.#looks[0];
    const seconds = Math.max(0.001, (Date.parse(now.at) - Date.parse(before.at)) / 1000);
    // Counts of a partition begin anew when it is opened anew: what would be negative is nothing.
    const rate = (count, former) => (this.areEnough ? Math.max(0, count - former) / seconds : 0);
    // What the first look may have left out has not grown: nobody knows.
    const familyBefore = (family) => families.get(keyOf(family)) ?? (before.families_left_out > 0 ? family : undefined);
    const tasksBefore = (edge) => edges.get(edgeKey(now, edge)) ?? (Number(before.hand_offs_left_out ?? 0) > 0 ? edge.tasks : 0);
    const families = new Map(before.families.map((family) => [keyOf(family), family]));
    const edges = new Map(before.hand_offs.map((edge) => [edgeKey(before, edge), edge.tasks]));
    const seen = now.families.map((family) => {
      const former = familyBefore(family);
      return {
        ...family,
        key: keyOf(family),
        title: nameOf(family),
        in: rate(Number(family.enqueued), Number(former?.enqueued ?? 0)),
        out: rate(Number(family.dequeued), Number(former?.dequeued ?? 0)),
      };
    });
    const present = seen.filter((family) => Number(family.queues) > 0 || family.in > 0 || family.out > 0);
    return {
      families: present,
      edges: now.hand_offs.map((edge) => ({
        from: present.indexOf(seen[edge.from]),
        to: present.indexOf(seen[edge.to]),
        tasks: edge.tasks,
        rate: rate(edge.tasks, tasksBefore(edge)),
      })).filter((edge) => edge.from >= 0 && edge.to >= 0),
    };
  }
}

const edgeKey = (reply, edge) => `${keyOf(reply.families[edge.from])} ${keyOf(reply.families[edge.to])}`;

/** In which column each family stands: behind all that hand on to it, edges that go back aside. */
export function layers(families, edges) {
  const onwards = edges.filter((edge) => edge.from !== edge.to);
  const outgoing = families.map((_, i) => onwards.filter((edge) => edge.from === i));
  const back = new Set();
  const state = families.map(() => 'new');
  const visit = (i) => {
    state[i] = 'open';
    for (const edge of outgoing[i]) {
      if (state[edge.to] === 'open') {
        back.add(edge);
      } else if (state[edge.to] === 'new') {
        visit(edge.to);
      }
    }
    state[i] = 'done';
  };
  const incoming = families.map(() => 0);
  onwards.forEach((edge) => { incoming[edge.to]++; });
  const first = families.map((_, i) => i).sort((a, b) => incoming[a] - incoming[b]);
  first.forEach((i) => state[i] === 'new' && visit(i));
  const layer = families.map(() => 0);
  let moved = true;
  while (moved) {
    moved = false;
    for (const edge of onwards) {
      if (!back.has(edge) && layer[edge.to] <= layer[edge.from]) {
        layer[edge.to] = layer[edge.from] + 1;
        moved = true;
      }
    }
  }
  return layer;
}
