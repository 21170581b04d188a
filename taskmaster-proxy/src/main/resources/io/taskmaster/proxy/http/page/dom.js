// Elements out of text: nothing that came from a queue is ever read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== null && value !== false) {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  node.append(...nodes(children));
  return node;
}

export const h = (name, attributes, ...children) => build(document.createElement(name), attributes, children);

export const s = (name, attributes, ...children) =>
  build(document.createElementNS(SVG, name), attributes, children);

const nodes = (children) => children.flat(Infinity).filter((child) => child || child === 0)
  .map((child) => (child instanceof Node ? child : document.createTextNode(child)));

/** Puts other children into an element: new ones. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * The same for what is drawn again and again: what is there already stays, and is changed where it differs. So whatever is scrolled, selected, pressed or has the focus goes on
 * to be. What does something when it is pressed says by its data-key what: only another one with the same key takes its place. The focus goes with it where it has moved.
 */
export function swap(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  patch(element, nodes(children));
  if (focused !== undefined && !element.contains(document.activeElement)) {
    [...element.querySelectorAll('[data-key]')].find((node) => node.dataset.key === focused)?.focus({ preventScroll: true });
  }
}

function patch(element, children) {
  const former = [...element.childNodes];
  children.forEach((child, i) => {
    if (i < former.length) {
      morph(former[i], child);
    } else {
      element.append(child);
    }
  });
  former.slice(children.length).forEach((child) => child.remove());
}

function morph(was, is) {
  if (was.nodeName !== is.nodeName || was.dataset?.key !== is.dataset?.key) {
    was.replaceWith(is);
  } else if (was.nodeType === Node.TEXT_NODE) {
    if (was.data !== is.data) {
      was.data = is.data;
    }
  } else {
    for (const { name } of [...was.attributes]) {
      if (!is.hasAttribute(name)) {
        was.removeAttribute(name);
      }
    }
    for (const { name, value } of is.attributes) {
      if (was.getAttribute(name) !== value) {
        was.setAttribute(name, value);
      }
    }
    patch(was, [...is.childNodes]);
  }
}

/** A table that scrolls by itself where it is too wide, with the keyboard, too. Columns: [title, isNumber] or a header cell. */
export function table(caption, columns, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', {},
      h('thead', {}, h('tr', {}, columns.map((column) => column instanceof Element
        ? column
        : h('th', { scope: 'col', class: column[1] && 'number' }, column[0])))),
      h('tbody', {}, rows)));
}

export const row = (...cells) => h('tr', {}, cells.map((cell) => cell instanceof HTMLTableCellElement
  ? cell
  : h('td', { class: typeof cell === 'string' && /^[\d.,−-]+( (µs|ms|s|min|h|d|[KMGT]iB|B))?(\/s)?$/.test(cell) ? 'number' : undefined }, cell)));

export function cards(entries) {
  return entries.map(([title, value]) => h('div', {}, h('dt', {}, title), h('dd', {}, value)));
}
