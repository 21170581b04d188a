"""One consistency group of one server, as a case sees it."""

import time

from support.contract import pb
from support.elements import enqueue, lease_request, octets, selector, update_request

DEADLINE = 60
"""Seconds that any call may take: only a server that hangs comes near it."""


class Group:
    """Says what the calls of the contract would say, with the group filled in. Calls block and raise grpc.RpcError."""

    def __init__(self, stub, name, skew=0.0):
        self.stub = stub
        self.name = name
        self._skew = skew

    def now(self):
        """The time on the server's clock, in seconds: what not_before is held against."""
        return time.time() + self._skew

    def other(self, suffix):
        """Another group of the same case."""
        return Group(self.stub, self.name + octets(suffix), self._skew)

    def update(self, *elements, **fields):
        return self.stub.UpdateTasks(update_request(self.name, elements, **fields), timeout=DEADLINE)

    def enqueue(self, queue, *pids, **fields):
        """Enqueues one task for each PID, or a single FIFO one if there is none, and expects that it is done."""
        reply = self.update(*[enqueue(queue, pid, **fields) for pid in pids or [None]])
        assert reply.success, reply
        return reply

    def lease(self, *queues, **fields):
        """The tasks that are leased."""
        request = self.lease_request(*queues, **fields)
        return list(self.stub.LeaseTasks(request, timeout=DEADLINE + 60).tasks)

    def lease_one(self, queue, **fields):
        """The one task that is leased, and one there must be."""
        tasks = self.lease(queue, **fields)
        assert len(tasks) == 1, tasks
        return tasks[0]

    def poll(self, *queues, wait=45, **fields):
        """Starts a long poll, and comes back when it stands in line at the server; its result is a LeaseReply."""
        future = self.stub.LeaseTasks.future(self.lease_request(*queues, wait=wait, **fields), timeout=DEADLINE + 60)
        # What is answered on the same connection was heard after it.
        for _ in range(3):
            self.peek("nothing")
        return future

    def lease_request(self, *queues, name_re="", all_groups=False, without_dead_letters=False, **fields):
        chosen = selector(
            self.name, queues, name_re=name_re, all_groups=all_groups, without_dead_letters=without_dead_letters
        )
        return lease_request(chosen, **fields)

    def list(self, *queues, name_re="", all_groups=False, without_dead_letters=False, **fields):
        chosen = selector(
            self.name, queues, name_re=name_re, all_groups=all_groups, without_dead_letters=without_dead_letters
        )
        request = pb.ListRequest(queues=chosen, **fields)
        return self.stub.ListQueues(request, timeout=DEADLINE)

    def names(self, *queues, **fields):
        """The names of the queues that are listed."""
        return [queue.name for queue in self.list(*queues, **fields).queues]

    def describe(self, *queues, name_re="", all_groups=False, **fields):
        queues = selector(self.name, queues, name_re=name_re, all_groups=all_groups)
        return self.stub.DescribeQueues(pb.DescribeRequest(queues=queues, **fields), timeout=DEADLINE)

    def sizes(self, queue):
        """(available, leased, delayed) as described; all 0 if there is no such queue."""
        described = self.describe(queue).queues
        if not described:
            return (0, 0, 0)
        summary = described[0].summary
        return (summary.available, summary.leased, summary.delayed)

    def peek(self, queue, from_pid=b"", **fields):
        request = pb.PeekRequest(group=self.name, queue=octets(queue), from_pid=octets(from_pid), **fields)
        return self.stub.PeekTasks(request, timeout=DEADLINE)

    def tasks(self, queue):
        """Everything that is in a queue, page by page."""
        found, page = [], self.peek(queue, with_data=True)
        found += page.tasks
        while page.next_pid:
            page = self.peek(queue, page.next_pid, with_data=True)
            found += page.tasks
        return found

    def pids(self, queue):
        return [task.pid for task in self.tasks(queue)]

    def delete(self, *queues, name_re="", all_groups=False):
        queues = selector(self.name, queues, name_re=name_re, all_groups=all_groups)
        return list(self.stub.DeleteQueues(pb.DeleteRequest(queues=queues), timeout=DEADLINE).deleted)

    def configure(self, queue, **options):
        """Sets the options of a queue: those that are not named go back to their defaults, but for its weight, which stays."""
        request = pb.ConfigureRequest(group=self.name, queue=octets(queue), options=pb.QueueOptions(**options))
        return self.stub.ConfigureQueue(request, timeout=DEADLINE)

    def batch(self, *requests):
        """Of whole UpdateRequests and LeaseRequests; the results."""
        kinds = {pb.UpdateRequest: "update", pb.LeaseRequest: "lease"}
        operations = [pb.BatchRequest.Operation(**{kinds[type(request)]: request}) for request in requests]
        return list(self.stub.Batch(pb.BatchRequest(operations=operations), timeout=DEADLINE).results)

    def update_request(self, *elements, **fields):
        return update_request(self.name, elements, **fields)


def eventually(condition, within=30):
    """What the condition gives as soon as it is true: for what must come, at a time that nobody promised."""
    end = time.monotonic() + within
    while True:
        result = condition()
        if result:
            return result
        assert time.monotonic() < end, f"not within {within} s"
        time.sleep(0.01)
