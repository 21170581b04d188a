"""A worker: leases names, and hands off a greeting for each of them to the next queue."""

import time
import uuid

import calls
import taskmaster_pb2 as pb


def greet(name):
    if not name:
        raise ValueError("no name")
    return b"Hello, " + name + b"!"


def work(task):
    """Returns the update that ends the lease, whether the work succeeds or fails."""
    held = {"queue": task.queue, "pid": task.pid, "lease_id": task.lease_id}
    update = pb.UpdateRequest(group=task.group, request_id=uuid.uuid4().bytes)
    try:
        update.enqueue.add(queue=b"greetings", pid=task.pid, data=greet(task.data))
    except ValueError as failure:
        if task.attempt < 5:  # another attempt, after a delay
            update.release.add(**held).not_before.FromSeconds(int(time.time()) + 10)
            return update
        dead = {**task.headers, "dead-reason": str(failure)}
        update.enqueue.add(queue=task.queue + b".dead", pid=task.pid, data=task.data, headers=dead)
    update.dequeue.add(**held)
    return update


stub = calls.connect()
request = pb.LeaseRequest(queues=pb.QueueSelector(group=calls.GROUP, names=[b"names"]), worker="python", max_tasks=10)
request.lease.FromSeconds(60)  # longer than the work on all tasks of one lease takes
request.wait.FromSeconds(30)  # a long poll: an idle worker sends two requests per minute
while True:
    for leased in calls.repeat(stub.LeaseTasks, request).tasks:
        if not calls.repeat(stub.UpdateTasks, work(leased)).success:
            print("lease lost, another worker has the task:", leased.pid, flush=True)
