"""Overload: what is too much for now is refused with a delay, bulk first, and served again as soon as there is room.

These cases start servers of their own, which take on little.
"""

import shutil
import time

import grpc
import pytest

from google.rpc import code_pb2

from support import server as servers
from support.contract import pb
from support.elements import dequeue, enqueue, release, renew
from support.group import eventually
from support.refusals import is_error, overloaded

REQUESTS = 100

# Room for a few thousand ids at most, whatever one takes.
SMALL_DEDUP = "dedup.bytes=64KiB"

MAX_QUEUES = 20


def is_refused(tm, service_class):
    """Whether a small request of this class is refused for now."""
    try:
        tm.lease("q", service_class=service_class)
        return False
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        return True


def fill(tm, service_class, wait):
    """Long polls of a class, as many as the server takes on."""
    polls = []
    while not is_refused(tm, service_class):
        assert len(polls) <= REQUESTS
        request = tm.lease_request("q", wait=wait, service_class=service_class)
        polls.append(tm.stub.LeaseTasks.future(request, timeout=100))
    # The room of a call that was answered may be given back a moment later, so one or the other poll may have been refused too.
    # That is known soon, and of all at once: the polls do not wait for ever.
    end = time.monotonic() + 0.5
    return [poll for poll in polls if still_waits(poll, max(0.001, end - time.monotonic()))]


def still_waits(poll, within):
    try:
        return poll.exception(timeout=within) is None
    except grpc.FutureTimeoutError:
        return True


@pytest.fixture
def small(own_server, connect):
    return connect(own_server(f"in-flight.requests={REQUESTS}"))


def test_over_the_limit_a_request_is_refused_with_a_delay(small):
    polls = fill(small, pb.INTERACTIVE, wait=4)

    with overloaded("OVERLOADED"):
        small.update(enqueue("other", "1"))
    with overloaded("OVERLOADED"):
        small.lease("q")
    with overloaded("OVERLOADED"):
        small.list()

    # As soon as there is room it is served, and nothing of what was refused was done.
    assert all(len(poll.result().tasks) == 0 for poll in polls)
    eventually(lambda: not is_refused(small, pb.INTERACTIVE))
    assert small.names() == []


def test_a_long_poll_that_was_cancelled_gives_its_room_back(small):
    polls = fill(small, pb.INTERACTIVE, wait=60)

    for poll in polls[:10]:
        poll.cancel()

    eventually(lambda: not is_refused(small, pb.INTERACTIVE))
    small.enqueue("q", "1")
    assert [task.pid for task in polls[10].result().tasks] == [b"1"]


def test_bulk_is_refused_first_and_interactive_work_goes_on(small):
    polls = fill(small, pb.BULK, wait=60)
    assert len(polls) >= REQUESTS // 4

    with overloaded("OVERLOADED"):
        small.update(enqueue("bulk", "1"), service_class=pb.BULK)

    for i in range(20):
        small.enqueue("interactive", str(i))
    assert small.sizes("interactive") == (20, 0, 0)
    assert len(small.lease("interactive", max_tasks=20)) == 20
    assert small.names() == [b"interactive"]

    # Served, the bulk work makes room for more of its kind.
    small.enqueue("q", *[str(i) for i in range(len(polls))])
    assert all(len(poll.result().tasks) == 1 for poll in polls)
    eventually(lambda: not is_refused(small, pb.BULK))


def test_when_there_is_no_room_for_request_ids_none_is_forgotten(own_server, connect):
    tm = connect(own_server(SMALL_DEDUP))
    first = {}
    full = None
    while full is None:
        ids = [f"request {len(first) + i:08}".ljust(64).encode() for i in range(200)]
        results = tm.batch(*[tm.update_request(enqueue("log"), request_id=each) for each in ids])
        for each, result in zip(ids, results, strict=True):
            if result.WhichOneof("kind") == "update":
                first[each] = result.update
            else:
                full = full or (each, result)
        assert len(first) < 20_000

    is_error(full[1], "DEDUP_FULL", code_pb2.RESOURCE_EXHAUSTED)
    with overloaded("DEDUP_FULL"):
        tm.update(enqueue("log"), request_id=full[0])
    assert tm.sizes("log") == (len(first), 0, 0)

    # Those that it took it keeps.
    for each in list(first)[:: max(1, len(first) // 50)]:
        assert tm.update(enqueue("log"), request_id=each) == first[each]
    assert tm.sizes("log") == (len(first), 0, 0)
    # And what brings no id is none of its business.
    assert tm.enqueue("log").success


@pytest.fixture
def crowded(own_server, connect):
    """A server with as many queues as it takes: q0 with tasks 1 and 2, and others with a task 1."""
    tm = connect(own_server(f"queues.max={MAX_QUEUES}", "flush.interval=100ms"))
    tm.update(enqueue("q0", "2"), *[enqueue(f"q{i}", "1") for i in range(MAX_QUEUES)])
    return tm


def test_a_queue_too_many_is_refused_with_a_delay(crowded):
    with overloaded("TOO_MANY_QUEUES"):
        crowded.update(enqueue("new", "1"))
    with overloaded("TOO_MANY_QUEUES"):
        crowded.update(enqueue("q0", "3"), enqueue("new", "1"))
    with overloaded("TOO_MANY_QUEUES"):
        crowded.configure("new", paused=True)
    with overloaded("TOO_MANY_QUEUES"):
        crowded.other("group").update(enqueue("q0", "1"))

    assert crowded.pids("q0") == [b"1", b"2"]
    assert len(crowded.names()) == MAX_QUEUES


def test_a_queue_too_many_fails_its_own_operation_of_a_batch(crowded):
    new, known = crowded.batch(
        crowded.update_request(enqueue("new", "1")),
        crowded.update_request(enqueue("q0", "3")),
    )

    is_error(new, "TOO_MANY_QUEUES", code_pb2.RESOURCE_EXHAUSTED)
    assert known.update.success


def test_with_as_many_queues_as_there_may_be_all_of_them_are_served(crowded):
    one = crowded.lease_one("q0")
    assert crowded.update(dequeue(one), enqueue("q1", "2")).success
    assert crowded.enqueue("q2", "2", not_before=crowded.now() + 0.5).success
    crowded.configure("q3", paused=True)
    assert len(crowded.lease("q2", max_tasks=9)) == 1
    assert [task.pid for task in crowded.lease("q2", max_tasks=9, wait=20)] == [b"2"]
    # q1 has two, q2 has none left, and q3 is paused.
    assert len(crowded.lease(name_re=".*", max_tasks=99)) == MAX_QUEUES - 1


def test_queues_that_are_empty_make_room_soon(crowded):
    with overloaded("TOO_MANY_QUEUES"):
        crowded.update(enqueue("new", "1"))
    assert crowded.delete("q1")

    eventually(lambda: not is_too_many(crowded, "new"))
    assert crowded.pids("new") == [b"1"]
    assert is_too_many(crowded, "newer")


def is_too_many(tm, queue):
    """Whether a task for this queue is refused."""
    try:
        return not tm.update(enqueue(queue, "1")).success
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        return True


on_its_own_disk = pytest.mark.skipif(not servers.has_own_disk(), reason="only the embedded store has a disk to itself")


@pytest.fixture
def nearly_full(own_server, connect):
    """A server, and its group with tasks 1, 2 and 3 in q; its disk has less room than it is to keep, and more than an eighth of that."""
    server = own_server()
    tm = connect(server)
    tm.enqueue("q", "1", "2", "3")
    server.restart(f"disk.reserve={3 * shutil.disk_usage(server.folder).free}")
    return server, tm


@on_its_own_disk
def test_a_disk_with_little_room_takes_no_tasks(nearly_full):
    server, tm = nearly_full
    one = tm.lease_one("q")

    with overloaded("STORE_FULL"):
        tm.update(enqueue("q", "4"))
    with overloaded("STORE_FULL"):
        tm.update(dequeue(one), enqueue("next", "1"))
    new, leased = tm.batch(tm.update_request(enqueue("q", "4")), tm.lease_request("q"))
    is_error(new, "STORE_FULL", code_pb2.RESOURCE_EXHAUSTED)
    assert [task.pid for task in leased.lease.tasks] == [b"2"]
    assert tm.names() == [b"q"]
    assert tm.pids("q") == [b"1", b"2", b"3"]

    server.restart("disk.reserve=0")
    assert tm.update(dequeue(one), enqueue("next", "1")).success


@on_its_own_disk
def test_a_disk_with_little_room_lets_workers_drain_their_queues(nearly_full):
    _, tm = nearly_full

    one, two = tm.lease("q", max_tasks=2)
    assert tm.update(renew(one), dequeue(two)).success
    assert tm.update(release(one)).success
    for task in tm.lease("q", max_tasks=2):
        assert tm.update(dequeue(task)).success
    assert tm.sizes("q") == (0, 0, 0)
