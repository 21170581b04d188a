"""Requests, written down briefly: text is UTF-8, numbers are seconds, and a leased task stands for queue, PID and lease id."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from support.contract import pb

NANOS = 1_000_000_000


def octets(value):
    return value.encode() if isinstance(value, str) else bytes(value)


def duration(seconds):
    nanos = round(seconds * NANOS)
    sign = -1 if nanos < 0 else 1
    whole, rest = divmod(abs(nanos), NANOS)
    return Duration(seconds=sign * whole, nanos=sign * rest)


def timestamp(seconds):
    whole, nanos = divmod(round(seconds * NANOS), NANOS)
    return Timestamp(seconds=whole, nanos=nanos)


def seconds(value):
    """A Duration or a Timestamp of a reply, as a number of seconds."""
    return value.seconds + value.nanos / NANOS


def enqueue(queue, pid=None, data=b"", *, headers=None, if_exists=0, not_before=None):
    """Without a PID: FIFO."""
    return pb.Enqueue(
        queue=octets(queue),
        pid=None if pid is None else octets(pid),
        data=octets(data),
        headers=headers,
        if_exists=if_exists,
        not_before=None if not_before is None else timestamp(not_before),
    )


def dequeue(task, pid=None, lease_id=0):
    """Of a leased task, under its lease; or of a queue and a PID, unconditionally unless a lease id is given."""
    return pb.Dequeue(**_reference(task, pid, lease_id))


def release(task, pid=None, lease_id=0, *, not_before=None, untried=False):
    later = None if not_before is None else timestamp(not_before)
    return pb.Release(**_reference(task, pid, lease_id), not_before=later, untried=untried)


def renew(task, lease=None, *, pid=None, lease_id=0):
    length = None if lease is None else duration(lease)
    return pb.Renew(**_reference(task, pid, lease_id), lease=length)


def selector(group, names=(), *, name_re="", all_groups=False, without_dead_letters=False):
    return pb.QueueSelector(
        group=b"" if all_groups else group,
        all_groups=all_groups,
        names=[octets(name) for name in names],
        name_re=name_re,
        without_dead_letters=without_dead_letters,
    )


def lease_request(queues, max_tasks=0, *, lease=None, wait=None, max_pid=None, **fields):
    return pb.LeaseRequest(
        queues=queues,
        max_tasks=max_tasks,
        lease=None if lease is None else duration(lease),
        wait=None if wait is None else duration(wait),
        max_pid=None if max_pid is None else octets(max_pid),
        **fields,
    )


def update_request(group, elements, *, request_id=b"", service_class=0):
    request = pb.UpdateRequest(group=group, request_id=octets(request_id), service_class=service_class)
    lists = {
        pb.Enqueue: request.enqueue,
        pb.Dequeue: request.dequeue,
        pb.Renew: request.renew,
        pb.Release: request.release,
    }
    for element in elements:
        lists[type(element)].append(element)
    return request


def _reference(task, pid, lease_id):
    if isinstance(task, pb.LeasedTask):
        return {"queue": task.queue, "pid": task.pid, "lease_id": task.lease_id}
    return {"queue": octets(task), "pid": octets(pid), "lease_id": lease_id}
