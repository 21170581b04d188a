"""Overload: what is too much for now is refused with a delay, bulk first, and served again as soon as there is room.

These cases start servers of their own, which take on little.
"""

import grpc
import pytest

from google.rpc import code_pb2

from support.contract import pb
from support.elements import enqueue
from support.group import eventually
from support.refusals import is_error, overloaded

REQUESTS = 100

# Room for a few thousand ids at most, whatever one takes.
SMALL_DEDUP = "dedup.bytes=64KiB"


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
    return [poll for poll in polls if still_waits(poll)]


def still_waits(poll):
    try:
        return poll.exception(timeout=0.02) is None
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
