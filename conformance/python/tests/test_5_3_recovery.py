"""Section 5.3: what was acknowledged survives SIGKILL. A second crash shows that it was also written where it belongs.

These cases start a server of their own, kill it and start it again on the same data.
"""

import time

import grpc
import pytest

from support import server as servers
from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, seconds

FLUSH_SECONDS = 0.2
HOUR = 3600


@pytest.fixture(scope="module")
def server():
    if not servers.command():
        pytest.skip("needs TASKMASTER_COMMAND")
    with servers.running(f"flush.interval={FLUSH_SECONDS * 1000:.0f}ms") as process:
        yield process


@pytest.fixture
def crash(server, connect):
    """Crashes the server, and gives the group again on the one that comes back."""

    def crash_and_come_back(group):
        server.restart()
        return connect(server, group.name)

    return crash_and_come_back


@pytest.fixture
def tm(server, connect):
    return connect(server)


def flushed():
    """Lets a few flush rounds pass: then a crash finds rows instead of the log. Either way the case must hold."""
    time.sleep(4 * FLUSH_SECONDS)


def test_tasks_survive_as_they_were(tm, crash):
    tm.enqueue("q", b"", b"\x00\xff", "b", data=bytes(range(256)), headers={"k": "ü"})
    tm.enqueue("gone", "pid")
    assert tm.update(dequeue("gone", "pid")).success
    [fifo] = tm.enqueue("log", data="line").assigned_pid
    before = tm.tasks("q")

    for _ in range(2):
        tm = crash(tm)
        assert tm.tasks("q") == before
        assert tm.names() == [b"log", b"q"]
        assert tm.sizes("q") == (3, 0, 0)
        assert list(tm.enqueue("q", "b").enqueue_status) == [pb.COLLAPSED]
        flushed()

    assert tm.enqueue("log").assigned_pid[0] > fifo


def test_leases_survive_with_their_ids(tm, crash):
    tm.enqueue("q", *"abcd", data="data")
    a, b, c = tm.lease("q", max_tasks=3, lease=HOUR, worker="w")
    samples = tm.describe("q", leased_sample=9).queues[0].leased_sample

    tm = crash(tm)

    assert tm.sizes("q") == (1, 3, 0)
    assert tm.describe("q", leased_sample=9).queues[0].leased_sample == samples
    assert [task.pid for task in tm.lease("q", max_tasks=9)] == [b"d"]
    assert list(tm.update(renew(a, 2 * HOUR)).renew_status) == [pb.OK]
    assert tm.update(dequeue(b)).success
    assert tm.update(release(c)).success
    flushed()

    tm = crash(tm)

    again = tm.lease_one("q")
    assert (again.pid, again.attempt, again.data) == (b"c", 2, b"data")
    assert again.lease_id > c.lease_id
    assert list(tm.update(dequeue(c)).dequeue_status) == [pb.LEASE_LOST]
    assert tm.update(dequeue(a)).success


def test_a_lease_that_ran_out_meanwhile_is_offered_again(tm, crash):
    tm.enqueue("q", "pid")
    first = tm.lease_one("q", lease=0.1)

    tm = crash(tm)

    second = tm.lease_one("q", wait=30)
    assert second.attempt == 2
    assert second.lease_id > first.lease_id
    assert list(tm.update(dequeue(first)).dequeue_status) == [pb.LEASE_LOST]


def test_a_refused_hand_off_left_nothing_and_an_acknowledged_one_all(tm, crash):
    tm.enqueue("in", "1", "2")
    one = tm.lease_one("in")
    assert tm.update(dequeue(one), enqueue("out", "1")).success
    assert not tm.update(enqueue("out", "2"), dequeue("in", "none")).success

    for _ in range(2):
        tm = crash(tm)
        assert (tm.pids("in"), tm.pids("out")) == ([b"2"], [b"1"])
        flushed()


def test_deleted_queues_stay_deleted(tm, crash):
    tm.enqueue("q", *[f"{i:04}" for i in range(1000)], data="old")
    tm.lease("q", max_tasks=10)
    flushed()
    tm.delete("q")
    tm.enqueue("q", "0005", data="new")
    generation = tm.describe("q").queues[0].generation

    for _ in range(2):
        tm = crash(tm)
        assert [(task.pid, task.data) for task in tm.tasks("q")] == [(b"0005", b"new")]
        assert tm.sizes("q") == (1, 0, 0)
        assert tm.describe("q").queues[0].generation == generation
        flushed()


def test_delayed_tasks_survive_and_come_when_they_are_due(tm, crash):
    tm.enqueue("q", "later", data="later", not_before=tm.now() + HOUR)
    tm.enqueue("q", "running")
    assert tm.update(release(tm.lease_one("q"), not_before=tm.now() + HOUR)).success
    tm.enqueue("q", "soon", data="soon", headers={"k": "v"}, not_before=tm.now() + 0.5)
    before = {task.pid: task for task in tm.tasks("q")}
    flushed()

    tm = crash(tm)

    soon = tm.lease_one("q", wait=30)
    assert (soon.pid, soon.data, dict(soon.headers), soon.attempt) == (b"soon", b"soon", {"k": "v"}, 1)
    flushed()
    tm = crash(tm)
    assert tm.sizes("q") == (0, 1, 2)
    assert [task for task in tm.tasks("q") if task.pid != b"soon"] == [before[b"later"], before[b"running"]]
    assert tm.lease("q") == []


def test_a_remembered_rerun_survives(tm, crash):
    due = tm.now() + HOUR
    for pid in ("a", "b"):
        tm.enqueue("q", pid, data="running")
    a, b = tm.lease("q", max_tasks=2, lease=HOUR)
    tm.enqueue("q", "a", data="again", headers={"k": "v"}, if_exists=pb.RERUN)
    tm.enqueue("q", "b", data="again", if_exists=pb.RERUN, not_before=due)

    tm = crash(tm)
    assert tm.update(release(b)).success
    flushed()
    tm = crash(tm)

    assert tm.sizes("q") == (1, 1, 0)
    assert tm.update(dequeue(a), dequeue("q", "b")).success
    assert tm.sizes("q") == (1, 0, 1)
    flushed()
    tm = crash(tm)
    again = tm.lease_one("q")
    assert (again.pid, again.data, dict(again.headers), again.attempt) == (b"a", b"again", {"k": "v"}, 1)
    [later] = [task for task in tm.tasks("q") if task.pid == b"b"]
    assert (later.data, later.state, later.attempt) == (b"again", pb.PeekedTask.DELAYED, 0)
    assert abs(seconds(later.until) - due) < 0.01


def test_request_ids_survive(tm, crash):
    tm.enqueue("in", "1", "2")
    one = tm.lease_one("in", lease=HOUR)
    updates = {
        b"fifo": [enqueue("log"), enqueue("log")],
        b"hand-off": [dequeue(one), enqueue("out", "1"), enqueue("in", "2")],
        b"\x00" * 64: [enqueue("log"), renew("log", 5, pid="none", lease_id=1)],
    }
    first = {request_id: tm.update(*elements, request_id=request_id) for request_id, elements in updates.items()}
    assert all(reply.success for reply in first.values())
    assert not tm.update(dequeue("in", "none"), request_id="refused").success
    before = [(queue.name, queue.available, queue.leased) for queue in tm.list().queues]

    for _ in range(2):
        tm = crash(tm)
        for request_id, elements in updates.items():
            assert tm.update(*elements, request_id=request_id) == first[request_id]
        assert [(queue.name, queue.available, queue.leased) for queue in tm.list().queues] == before
        flushed()

    assert tm.update(enqueue("late", "1"), request_id="refused").success
    assert tm.pids("late") == [b"1"]


def test_a_retry_over_a_crash_is_applied_once(tm, crash):
    """The crash comes in the middle: what was not answered may or may not have been committed, until it is repeated."""
    ids = [f"{i}" for i in range(300)]
    futures = [
        tm.stub.UpdateTasks.future(tm.update_request(enqueue("log", data=each), request_id=each), timeout=60)
        for each in ids
    ]
    futures[20].result()
    tm = crash(tm)

    answered = {}
    for each, future in zip(ids, futures, strict=True):
        try:
            answered[each] = future.result()
        except grpc.RpcError as error:
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED)
    for each in ids:
        reply = tm.update(enqueue("log", data=each), request_id=each)
        assert reply.success
        assert reply == answered.get(each, reply)

    assert sorted(int(task.data) for task in tm.tasks("log")) == list(range(300))


def test_options_survive(tm, crash):
    tm.configure("paused", paused=True)
    tm.enqueue("capped", "1", "2", "3")
    tm.configure("capped", max_leased=2)
    tm.configure("cleared", paused=True)
    tm.configure("cleared")

    for _ in range(2):
        tm = crash(tm)
        tm.enqueue("paused", "1")
        tm.enqueue("cleared", "1")
        assert tm.lease("paused") == []
        assert len(tm.lease("cleared")) == 1
        assert len(tm.lease("capped", max_tasks=9)) in (2, 0)
        assert tm.sizes("capped") == (1, 2, 0)
        [described] = tm.describe("capped").queues
        assert described.options == pb.QueueOptions(max_leased=2)
        # What belongs to the name outlives emptying and deletion, here over crashes.
        assert tm.update(dequeue("paused", "1")).success
        tm.delete("cleared")
        flushed()


def test_a_page_token_is_good_after_a_restart(tm, crash):
    tm.update(*[enqueue(f"{i:02}", "1") for i in range(20)])
    first = tm.list(max_queues=12)

    tm = crash(tm)

    second = tm.list(max_queues=12, page_token=first.next_page_token)
    assert [queue.name for queue in second.queues] == [f"{i:02}".encode() for i in range(12, 20)]


def test_a_server_that_is_told_to_stop_lets_go_of_its_long_polls(own_server, connect):
    process = own_server("shutdown.timeout=5s")
    tm = connect(process)
    tm.enqueue("q", "pid")
    tm.lease_one("q")
    poll = tm.poll("q", wait=60)

    assert process.terminate() == 0

    try:
        assert list(poll.result().tasks) == []
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE
