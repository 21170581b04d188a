// A worker: leases names, and hands off a greeting for each of them to the next queue.
import { randomBytes } from "node:crypto";
import { connect, group, leaseTasks, updateTasks } from "./calls";
import type { LeasedTask__Output as LeasedTask } from "./stub/taskmaster/v1/LeasedTask";
import type { UpdateRequest } from "./stub/taskmaster/v1/UpdateRequest";

function greet(name: Buffer): Buffer {
  if (name.length === 0) throw new Error("no name");
  return Buffer.from(`Hello, ${name}!`);
}

/** Returns the update that ends the lease, whether the work succeeds or fails. */
function work(task: LeasedTask): UpdateRequest {
  const held = { queue: task.queue, pid: task.pid, leaseId: task.leaseId };
  const update = { group: task.group, requestId: randomBytes(16) };
  try {
    const greeting = { queue: Buffer.from("greetings"), pid: task.pid, data: greet(task.data) };
    return { ...update, dequeue: [held], enqueue: [greeting] };
  } catch (failure) {
    if (task.attempt < 5) { // another attempt, after a delay
      return { ...update, release: [{ ...held, notBefore: { seconds: Math.floor(Date.now() / 1000) + 10 } }] };
    }
    const queue = Buffer.concat([task.queue, Buffer.from(".dead")]);
    const headers = { ...task.headers, "dead-reason": String(failure) };
    return { ...update, dequeue: [held], enqueue: [{ queue, pid: task.pid, data: task.data, headers }] };
  }
}

async function main(): Promise<never> {
  const [stub, queues] = [connect(), { group, names: [Buffer.from("names")] }];
  const lease = { seconds: 60 }; // longer than the work on all tasks of one lease takes
  const wait = { seconds: 30 }; // a long poll: an idle worker sends two requests per minute
  for (;;) {
    for (const task of (await leaseTasks(stub, { queues, worker: "typescript", maxTasks: 10, lease, wait })).tasks) {
      if (!(await updateTasks(stub, work(task))).success) console.log("lease lost, another worker has", task.pid);
    }
  }
}
main();
