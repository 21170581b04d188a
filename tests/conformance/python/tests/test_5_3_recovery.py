"""Section 5.3: what was acknowledged survives SIGKILL, once from the log and once from where it was written to.

A story is a generator: at each ``tm = yield`` the server is killed and started again on the same data. To need few crashes, all stories
are told together, each in a group of its own; a story that fails does not keep the others from going on.
"""

import time

import grpc
import pytest

from support import server as servers
from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, seconds

FLUSH_SECONDS = 0.2
HOUR = 3600

STORIES = {}


def story(generator):
    STORIES[generator.__name__.replace("_", " ")] = generator
    return generator


@story
def tasks_survive_as_they_were(tm):
    tm.enqueue("q", b"", b"\x00\xff", "b", data=bytes(range(256)), headers={"k": "ü"})
    tm.enqueue("gone", "pid")
    assert tm.update(dequeue("gone", "pid")).success
    [fifo] = tm.enqueue("log", data="line").assigned_pid
    before = tm.tasks("q")

    for _ in range(2):
        tm = yield
        assert tm.tasks("q") == before
        assert tm.names() == [b"log", b"q"]
        assert tm.sizes("q") == (3, 0, 0)
        assert list(tm.enqueue("q", "b").enqueue_status) == [pb.COLLAPSED]

    assert tm.enqueue("log").assigned_pid[0] > fifo


@story
def leases_survive_with_their_ids(tm):
    tm.enqueue("q", *"abcd", data="data")
    a, b, c = tm.lease("q", max_tasks=3, lease=HOUR)
    before = tm.tasks("q")

    tm = yield

    assert tm.sizes("q") == (1, 3, 0)
    assert tm.tasks("q") == before
    assert [task.pid for task in tm.lease("q", max_tasks=9)] == [b"d"]
    assert list(tm.update(renew(a, 2 * HOUR)).renew_status) == [pb.OK]
    assert tm.update(dequeue(b)).success
    assert tm.update(release(c)).success

    tm = yield

    again = tm.lease_one("q")
    assert (again.pid, again.attempt, again.data) == (b"c", 2, b"data")
    assert again.lease_id > c.lease_id
    assert list(tm.update(dequeue(c)).dequeue_status) == [pb.LEASE_LOST]
    assert tm.update(dequeue(a)).success


@story
def who_holds_what_is_still_shown(tm):
    tm.enqueue("q", "1", "2", "3")
    tm.lease("q", max_tasks=2, lease=HOUR, worker="w")
    samples = tm.describe("q", leased_sample=9).queues[0].leased_sample
    assert len(samples) == 2

    for _ in range(2):
        tm = yield
        assert tm.describe("q", leased_sample=9).queues[0].leased_sample == samples


@story
def a_lease_that_ran_out_meanwhile_is_offered_again(tm):
    tm.enqueue("q", "pid")
    first = tm.lease_one("q", lease=0.1)

    tm = yield

    second = tm.lease_one("q", wait=30)
    assert second.attempt == 2
    assert second.lease_id > first.lease_id
    assert list(tm.update(dequeue(first)).dequeue_status) == [pb.LEASE_LOST]


@story
def a_refused_hand_off_left_nothing_and_an_acknowledged_one_all(tm):
    tm.enqueue("in", "1", "2")
    one = tm.lease_one("in")
    assert tm.update(dequeue(one), enqueue("out", "1")).success
    assert not tm.update(enqueue("out", "2"), dequeue("in", "none")).success

    for _ in range(2):
        tm = yield
        assert (tm.pids("in"), tm.pids("out")) == ([b"2"], [b"1"])


@story
def deleted_queues_stay_deleted(tm):
    tm.enqueue("early", *[f"{i:04}" for i in range(1000)], data="old")
    tm.lease("early", max_tasks=10)
    tm = yield

    # Of one queue the old tasks are in the rows, of the other in the log.
    tm.enqueue("late", *[f"{i:04}" for i in range(1000)], data="old")
    for queue in ("early", "late"):
        tm.delete(queue)
        tm.enqueue(queue, "0005", data="new")
    generations = [described.generation for described in tm.describe().queues]

    for _ in range(2):
        tm = yield
        for queue in ("early", "late"):
            assert [(task.pid, task.data) for task in tm.tasks(queue)] == [(b"0005", b"new")]
            assert tm.sizes(queue) == (1, 0, 0)
        assert [described.generation for described in tm.describe().queues] == generations


@story
def delayed_tasks_survive_and_come_when_they_are_due(tm):
    tm.enqueue("q", "later", data="later", not_before=tm.now() + HOUR)
    tm.enqueue("q", "put off")
    assert tm.update(release(tm.lease_one("q"), not_before=tm.now() + HOUR)).success
    tm.enqueue("q", "soon", data="soon", headers={"k": "v"}, not_before=tm.now() + 0.5)
    before = {task.pid: task for task in tm.tasks("q")}

    tm = yield

    soon = tm.lease_one("q", lease=HOUR, wait=30)
    assert (soon.pid, soon.data, dict(soon.headers), soon.attempt) == (b"soon", b"soon", {"k": "v"}, 1)

    tm = yield

    assert tm.sizes("q") == (0, 1, 2)
    assert [task for task in tm.tasks("q") if task.pid != b"soon"] == [before[b"later"], before[b"put off"]]
    assert tm.lease("q") == []
    assert tm.update(dequeue(soon)).success


@story
def a_remembered_rerun_survives(tm):
    due = tm.now() + HOUR
    tm.enqueue("q", "a", "b", data="running")
    a, b = tm.lease("q", max_tasks=2, lease=HOUR)
    tm.enqueue("q", "a", data="again", headers={"k": "v"}, if_exists=pb.RERUN)
    tm.enqueue("q", "b", data="again", if_exists=pb.RERUN, not_before=due)

    tm = yield
    assert tm.update(release(b)).success
    tm = yield

    assert tm.sizes("q") == (1, 1, 0)
    assert tm.update(dequeue(a), dequeue("q", "b")).success
    assert tm.sizes("q") == (1, 0, 1)

    tm = yield
    again = tm.lease_one("q")
    assert (again.pid, again.data, dict(again.headers), again.attempt) == (b"a", b"again", {"k": "v"}, 1)
    [later] = [task for task in tm.tasks("q") if task.pid == b"b"]
    assert (later.data, later.state, later.attempt) == (b"again", pb.PeekedTask.DELAYED, 0)
    assert abs(seconds(later.until) - due) < 0.01


@story
def request_ids_survive(tm):
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
    before = tm.list()

    for _ in range(2):
        tm = yield
        for request_id, elements in updates.items():
            assert tm.update(*elements, request_id=request_id) == first[request_id]
        assert tm.list() == before

    assert tm.update(enqueue("late", "1"), request_id="refused").success
    assert tm.pids("late") == [b"1"]


@story
def options_survive(tm):
    tm.configure("paused", paused=True)
    tm.enqueue("capped", "1", "2", "3")
    tm.configure("capped", max_leased=2, weight=5)
    assert len(tm.lease("capped", max_tasks=9, lease=HOUR)) == 2
    tm.configure("cleared", paused=True)
    tm.configure("cleared")

    for _ in range(2):
        tm = yield
        tm.enqueue("paused", "1")
        assert tm.lease("paused") == []
        tm.enqueue("cleared", "1")
        assert len(tm.lease("cleared")) == 1
        assert tm.lease("capped", max_tasks=9) == []
        [described] = tm.describe("capped").queues
        assert described.options == pb.QueueOptions(max_leased=2, weight=5)
        # They belong to the name: without tasks, or deleted, it keeps them over the next crash.
        assert tm.update(dequeue("paused", "1")).success
        tm.delete("cleared")


@story
def a_page_token_is_good_after_a_restart(tm):
    tm.update(*[enqueue(f"{i:02}", "1") for i in range(20)])
    first = tm.list(max_queues=12)

    tm = yield

    second = tm.list(max_queues=12, page_token=first.next_page_token)
    assert [queue.name for queue in second.queues] == [f"{i:02}".encode() for i in range(12, 20)]


class Telling:
    """One story on its way: it goes on until it ends or fails."""

    def __init__(self, generator, group):
        self.name = group.name
        self.failure = None
        self.ended = False
        self._story = generator(group)
        self._go(lambda: next(self._story))

    def go_on(self, group):
        if not self.ended:
            self._go(lambda: self._story.send(group))

    def _go(self, step):
        try:
            step()
        except StopIteration:
            self.ended = True
        # Kept for the test of this story, whatever it is.
        except BaseException as failure:
            self.ended = True
            self.failure = failure


@pytest.fixture(scope="module")
def server():
    if not servers.command():
        pytest.skip("needs TASKMASTER_COMMAND")
    with servers.running(f"flush.interval={FLUSH_SECONDS * 1000:.0f}ms") as process:
        yield process


@pytest.fixture(scope="module")
def told(server, connect_module):
    """Every story, told to its end."""
    told = {name: Telling(generator, connect_module(server, name)) for name, generator in STORIES.items()}
    while not all(telling.ended for telling in told.values()):
        server.restart()
        for telling in told.values():
            telling.go_on(connect_module(server, telling.name))
        # A few flush rounds: the first crash came before them, so what came back came from the log.
        time.sleep(4 * FLUSH_SECONDS)
    return told


@pytest.mark.parametrize("name", STORIES)
def test_over_crashes(told, name):
    if told[name].failure:
        raise told[name].failure


def test_a_retry_over_a_crash_is_applied_once(server, connect):
    """The crash comes in the middle: what was not answered may or may not have been committed, until it is repeated."""
    tm = connect(server)
    ids = [f"{i}" for i in range(300)]
    futures = [
        tm.stub.UpdateTasks.future(tm.update_request(enqueue("log", data=each), request_id=each), timeout=60)
        for each in ids
    ]
    futures[20].result()
    server.restart()
    tm = connect(server, tm.name)

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


def test_a_server_that_is_told_to_stop_lets_go_of_its_long_polls(own_server, connect):
    process = own_server("shutdown.timeout=2s")
    tm = connect(process)
    tm.enqueue("q", "pid")
    tm.lease_one("q")
    poll = tm.poll("q", wait=60)

    assert process.terminate() == 0

    try:
        assert list(poll.result().tasks) == []
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE
