"""Section 3.2: what PIDs are good for. Coalescing, first in first out, and what an enqueue does that meets its own PID."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, seconds
from support.group import eventually


def test_a_second_enqueue_coalesces_with_the_task_that_waits(tm):
    tm.enqueue("fetch", "http://www.google.com", data="first", headers={"n": "1"})

    reply = tm.update(enqueue("fetch", "http://www.google.com", "second", headers={"n": "2"}))

    assert reply.success
    assert list(reply.enqueue_status) == [pb.COLLAPSED]
    assert list(reply.assigned_pid) == [b"http://www.google.com"]
    [task] = tm.tasks("fetch")
    assert (task.data, dict(task.headers)) == (b"first", {"n": "1"})
    assert tm.sizes("fetch") == (1, 0, 0)


def test_an_enqueue_coalesces_with_the_task_that_runs(tm):
    tm.enqueue("fetch", "page", data="first")
    running = tm.lease_one("fetch")

    assert list(tm.enqueue("fetch", "page", data="second").enqueue_status) == [pb.COLLAPSED]

    assert tm.sizes("fetch") == (0, 1, 0)
    assert tm.update(dequeue(running)).success
    assert tm.tasks("fetch") == []


def test_within_one_update_the_later_enqueue_coalesces_with_the_earlier(tm):
    reply = tm.update(enqueue("q", "pid", "first"), enqueue("q", "pid", "second"), enqueue("q", "other"))

    assert list(reply.enqueue_status) == [pb.OK, pb.COLLAPSED, pb.OK]
    assert [(task.pid, task.data) for task in tm.tasks("q")] == [(b"other", b""), (b"pid", b"first")]


def test_a_task_that_is_done_may_be_queued_again(tm):
    tm.enqueue("fetch", "page", data="first")
    assert tm.update(dequeue(tm.lease_one("fetch"))).success

    assert list(tm.enqueue("fetch", "page", data="second").enqueue_status) == [pb.OK]

    task = tm.lease_one("fetch")
    assert (task.data, task.attempt) == (b"second", 1)


def test_replace_gives_an_available_task_all_new_data(tm):
    tm.enqueue("q", "pid", data="old", headers={"old": "1"})
    first = tm.lease_one("q")
    assert tm.update(release(first)).success
    [old] = tm.tasks("q")
    assert old.attempt == 1

    # Far enough apart for clocks that tick in milliseconds.
    eventually(lambda: tm.now() > seconds(old.enqueued) + 0.01)
    reply = tm.update(enqueue("q", "pid", "new", headers={"new": "2"}, if_exists=pb.REPLACE))

    assert list(reply.enqueue_status) == [pb.OK]
    [new] = tm.tasks("q")
    assert (new.data, dict(new.headers), new.attempt) == (b"new", {"new": "2"}, 0)
    assert seconds(new.enqueued) > seconds(old.enqueued)
    assert tm.lease_one("q").attempt == 1


def test_replace_of_a_task_that_runs_refuses_the_whole_update(tm):
    tm.enqueue("q", "pid", data="old")
    running = tm.lease_one("q")

    reply = tm.update(enqueue("next", "x"), enqueue("q", "pid", "new", if_exists=pb.REPLACE))

    assert not reply.success
    assert list(reply.enqueue_status) == [pb.ABORTED, pb.LEASED]
    assert list(reply.assigned_pid) == []
    assert tm.names() == [b"q"]
    assert tm.tasks("q")[0].data == b"old"
    assert tm.update(dequeue(running)).success


def test_replace_takes_an_expired_lease_for_none(tm):
    tm.enqueue("q", "pid", data="old")
    late = tm.lease_one("q", lease=0.1)
    eventually(lambda: tm.sizes("q") == (1, 0, 0))

    assert list(tm.enqueue("q", "pid", data="new", if_exists=pb.REPLACE).enqueue_status) == [pb.OK]

    assert list(tm.update(dequeue(late)).dequeue_status) == [pb.LEASE_LOST]
    task = tm.lease_one("q")
    assert (task.data, task.attempt) == (b"new", 1)


@pytest.mark.parametrize("state", ["available", "leased", "delayed"])
def test_fail_refuses_the_whole_update_whatever_state_the_task_is_in(tm, state):
    tm.enqueue("q", "pid", data="old", not_before=tm.now() + 3600 if state == "delayed" else None)
    if state == "leased":
        tm.lease_one("q")
    sizes = tm.sizes("q")

    reply = tm.update(enqueue("q", "pid", "new", if_exists=pb.FAIL), enqueue("next", "x"))

    assert not reply.success
    assert list(reply.enqueue_status) == [pb.ALREADY_EXISTS, pb.ABORTED]
    assert tm.names() == [b"q"]
    assert tm.tasks("q")[0].data == b"old"
    assert tm.sizes("q") == sizes


def test_fail_enqueues_what_is_not_there(tm):
    assert list(tm.enqueue("q", "pid", if_exists=pb.FAIL).enqueue_status) == [pb.OK]
    assert tm.pids("q") == [b"pid"]


def test_without_priorities_tasks_come_first_in_first_out(tm):
    pids = [tm.enqueue("log", data=f"line {i}").assigned_pid[0] for i in range(20)]

    assert pids == sorted(set(pids))
    tasks = tm.lease("log", max_tasks=20)
    assert [task.data.decode() for task in tasks] == [f"line {i}" for i in range(20)]
    assert [task.pid for task in tasks] == pids


def test_first_in_first_out_holds_within_one_update(tm):
    first = tm.update(*[enqueue("log", data=str(i)) for i in range(300)])
    second = tm.update(*[enqueue("log", data=str(i)) for i in range(300, 600)])

    assert list(first.enqueue_status) == [pb.OK] * 300
    assigned = list(first.assigned_pid) + list(second.assigned_pid)
    assert assigned == sorted(set(assigned))
    assert [int(task.data) for task in tm.lease("log", max_tasks=600)] == list(range(600))


def test_an_assigned_priority_names_its_task(tm):
    [pid] = tm.enqueue("log", data="line").assigned_pid

    assert pid != b""
    assert list(tm.enqueue("log", pid, data="again").enqueue_status) == [pb.COLLAPSED]
    assert tm.update(dequeue("log", pid)).success
    assert tm.tasks("log") == []


def test_assigned_priorities_grow_over_leases_and_dequeues(tm):
    keeper = tm.enqueue("log").assigned_pid[0]
    seen = [keeper]
    for _ in range(10):
        [pid] = tm.enqueue("log").assigned_pid
        seen.append(pid)
        assert tm.update(dequeue("log", pid)).success

    assert seen == sorted(set(seen))


def test_an_assigned_priority_is_above_explicit_ones_of_its_form(tm):
    [first] = tm.enqueue("log").assigned_pid
    ahead = (int.from_bytes(first, "big") + 1_000_000).to_bytes(len(first), "big")
    tm.enqueue("log", ahead, data="ahead")

    [second] = tm.enqueue("log").assigned_pid
    assert len(second) == len(first)
    assert second > ahead
    # It held it since it was last empty, though it is gone.
    assert tm.update(dequeue("log", ahead), dequeue("log", second)).success
    assert tm.enqueue("log").assigned_pid[0] > second


def test_explicit_and_assigned_priorities_share_a_queue(tm):
    tm.enqueue("q", "urgent", "later than text \U0010ffff", data="explicit")
    [pid] = tm.enqueue("q", data="assigned").assigned_pid

    assert tm.pids("q") == sorted([b"urgent", "later than text \U0010ffff".encode(), pid])


def test_an_update_may_mix_queues_with_and_without_priorities(tm):
    reply = tm.update(enqueue("a", "pid"), enqueue("b"), enqueue("b"), enqueue("a"))

    assert list(reply.enqueue_status) == [pb.OK] * 4
    explicit, first, second, other = reply.assigned_pid
    assert explicit == b"pid"
    assert tm.pids("b") == [first, second]
    assert tm.pids("a") == sorted([b"pid", other])


def test_an_important_task_overtakes_those_that_came_before(tm):
    tm.enqueue("q", "5", "6", "7")
    tm.enqueue("q", "1")

    assert [tm.lease_one("q").pid for _ in range(4)] == [b"1", b"5", b"6", b"7"]


def test_dequeue_and_enqueue_in_one_update_replace_a_task(tm):
    tm.enqueue("q", "pid", data="old", headers={"a": "b"})
    task = tm.lease_one("q")

    reply = tm.update(enqueue("q", "pid", "new", if_exists=pb.FAIL), dequeue(task))

    assert (list(reply.dequeue_status), list(reply.enqueue_status)) == ([pb.OK], [pb.OK])
    [new] = tm.tasks("q")
    assert (new.data, dict(new.headers), new.attempt, new.state) == (b"new", {}, 0, pb.PeekedTask.AVAILABLE)
