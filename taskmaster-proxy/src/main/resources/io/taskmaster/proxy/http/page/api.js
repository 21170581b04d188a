// The server, as curl sees it.

/** What the server refuses, and why. */
export class Refusal extends Error {
  constructor(status, error, retrySeconds = 1) {
    super(error?.message ?? `the server answered ${status}`);
    this.reason = error?.reason;
    this.status = status;
    this.retrySeconds = retrySeconds;
  }
}

/** Where the token is while the tab is open. It goes into a header that no other page can send, so there is no cookie that one could misuse. */
const TOKEN = 'taskmaster.token';

/** Who that makes us, once it was asked. */
let identity;

export function remember(token) {
  sessionStorage.setItem(TOKEN, token);
  identity = undefined;
}

/** Whether there was one. */
export function forget() {
  const isThere = sessionStorage.getItem(TOKEN) !== null;
  sessionStorage.removeItem(TOKEN);
  identity = undefined;
  return isThere;
}

const authorized = () => {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

/** What is said to be done by it goes on record with it, if it changes tasks. */
export async function call(operation, request = {}, signal = undefined, action = undefined) {
  const response = await fetch(`v1/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...authorized(), ...(action && { 'TaskMaster-Action': action }) },
    body: JSON.stringify(request),
    signal,
  });
  const answer = await response.json();
  if (!response.ok) {
    if (response.status === 403) {
      identity = undefined;
    }
    throw new Refusal(response.status, answer.error, Number(response.headers.get('Retry-After') ?? 1));
  }
  return answer;
}

/** Why an element of an update refuses all of it. */
const WHY = {
  ALREADY_EXISTS: 'a task with this PID already exists',
  LEASED: 'the task is leased',
  NOT_FOUND: 'the task no longer exists',
  LEASE_LOST: 'the task has since been released, or leased to another worker',
};

/** An update, which is done or not at all. */
export async function update(action, request) {
  const reply = await call('update', request, undefined, action);
  if (!reply.success) {
    const statuses = ['enqueue', 'dequeue', 'renew', 'release'].flatMap((kind) => reply[`${kind}_status`] ?? []);
    throw new Refusal(200, { message: WHY[statuses.find((status) => status in WHY)] ?? statuses.join(', ') });
  }
  return reply;
}

async function get(path, signal) {
  const response = await fetch(path, { headers: authorized(), signal });
  if (!response.ok) {
    throw new Refusal(response.status, undefined);
  }
  return response;
}

export const metrics = async (signal) => (await get('metrics', signal)).text();

/** Name and role of whoever looks at this page. */
export async function whoami() {
  identity ??= await (await get('whoami')).json();
  return identity;
}

export const mayChange = async () => (await whoami()).role === 'FULL';
