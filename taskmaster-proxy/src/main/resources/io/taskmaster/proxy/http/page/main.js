// Which page is shown, and when it looks again.

import { forget, remember, whoami } from './api.js';
import { graph } from './graph.js';
import { node } from './node.js';
import { overview } from './overview.js';
import { queue } from './queue.js';
import { queues } from './queues.js';

const EVERY_MILLIS = 2000;

/** A server that says nothing for so long does not answer. */
const SILENCE_MILLIS = 15_000;

const PAGES = { '/': overview, '/flow': graph, '/queues': queues, '/queue': queue, '/node': node };

const main = document.getElementById('main');
const trouble = document.getElementById('trouble');
let shown;

function show() {
  shown?.abort();
  shown = new AbortController();
  const [path, query] = (location.hash.slice(1) || '/').split('?');
  for (const link of document.querySelectorAll('nav a')) {
    const isHere = link.getAttribute('href') === `#${path}` || (path === '/queue' && link.getAttribute('href') === '#/queues');
    if (isHere) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const view = { again: () => {} };
  const refresh = (PAGES[path] ?? overview)(main, new URLSearchParams(query), () => view.again());
  document.title = `${main.querySelector('h1')?.textContent ?? 'TaskMaster'} · TaskMaster`;
  void live(refresh, shown.signal, view);
}

/** Looks again and again, while somebody may be looking. */
async function live(refresh, signal, view) {
  while (!signal.aborted) {
    if (!document.hidden) {
      try {
        await answered(Promise.all([refresh(signal), introduce()]));
        trouble.hidden = true;
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (error.status === 401) {
          await login(forget() ? 'The server does not know this token.' : '');
          continue;
        }
        trouble.textContent = error instanceof TypeError ? 'The server is not responding. Retrying …' : error.message;
        trouble.hidden = false;
      }
    }
    await new Promise((resolve) => {
      view.again = resolve;
      setTimeout(resolve, EVERY_MILLIS);
    });
  }
}

/** Fails as a connection that is refused does, if nothing comes: a peer that is gone may leave a request without an end. */
function answered(work) {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => reject(new TypeError('no answer')), SILENCE_MILLIS);
    work.then(resolve, reject).finally(() => clearTimeout(silence));
  });
}

/** Says who looks, where that matters. */
async function introduce() {
  const { name, role } = await whoami();
  const isNamed = !name.startsWith('(');
  document.getElementById('who').textContent = role === 'READ' ? `${name} (read-only)` : isNamed ? name : '';
}

/** Asks for a token, once however many want one. */
function login(said) {
  const dialog = document.getElementById('login');
  const token = document.getElementById('token');
  if (!dialog.open) {
    token.value = '';
    document.getElementById('login-said').textContent = said;
    dialog.showModal();
  }
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      if (token.value !== '') {
        remember(token.value);
      }
      resolve();
    }, { once: true });
  });
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

addEventListener('hashchange', () => {
  show();
  main.focus();
});
show();
