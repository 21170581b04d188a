"""Delayed tasks: not_before on enqueue and release. They are counted, seen by enqueues, and available when they are due."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, seconds
from support.group import eventually

HOUR = 3600


def test_a_delayed_task_is_not_leased_before_its_time(tm):
    due = tm.now() + 1.5
    tm.enqueue("q", "pid", data="later", headers={"k": "v"}, not_before=due)
    assert tm.lease("q") == []
    assert tm.sizes("q") == (0, 0, 1)

    task = tm.lease_one("q", wait=30)

    assert tm.now() >= due - 0.01
    assert (task.data, dict(task.headers), task.attempt) == (b"later", {"k": "v"}, 1)
    assert seconds(task.enqueued) < due


@pytest.mark.parametrize("ago", [0, 1, HOUR, 1_000_000_000])
def test_a_time_in_the_past_is_at_once(tm, ago):
    tm.enqueue("q", "pid", not_before=tm.now() - ago - 0.01)

    assert tm.sizes("q") == (1, 0, 0)
    assert tm.lease_one("q").pid == b"pid"


def test_a_delayed_task_comes_to_its_own_place_in_the_order(tm):
    tm.enqueue("q", "2", "4")
    tm.enqueue("q", "1", "3", "5", not_before=tm.now() + 0.3)
    eventually(lambda: tm.sizes("q") == (5, 0, 0))

    assert [task.pid for task in tm.lease("q", max_tasks=9)] == [b"1", b"2", b"3", b"4", b"5"]


def test_delayed_tasks_come_when_they_are_due_not_in_the_order_of_their_priorities(tm):
    now = round(tm.now(), 3)
    due = {b"a": now + 0.9, b"b": now + 0.3, b"c": now + 0.6}
    tm.update(*[enqueue("q", pid, not_before=time) for pid, time in due.items()])

    while due:
        task = tm.lease_one("q", lease=60, wait=30)
        leased = seconds(task.lease_expires) - 60
        # On a machine that stood still, more than one may have become due.
        assert task.pid == min(pid for pid, time in due.items() if time <= leased + 0.002)
        del due[task.pid]


def test_a_delayed_task_behind_the_head_does_not_hold_up_those_available(tm):
    tm.enqueue("q", *[f"{i:03}" for i in range(100)], not_before=tm.now() + HOUR)
    tm.enqueue("q", "999")

    assert tm.lease_one("q").pid == b"999"
    assert tm.sizes("q") == (0, 1, 100)


def test_delayed_tasks_hold_their_queue_and_are_listed(tm):
    tm.enqueue("q", "pid", not_before=tm.now() + HOUR)

    [queue] = tm.list().queues
    assert (queue.name, queue.available, queue.leased, queue.delayed) == (b"q", 0, 0, 1)
    assert tm.names(min_tasks=1) == [b"q"]
    assert tm.names(min_available=1) == []
    assert tm.describe("q").total.summary.delayed == 1


def test_peek_shows_delayed_tasks_in_their_place_among_others(tm):
    due = tm.now() + HOUR
    tm.enqueue("q", "b", data="later", headers={"k": "v"}, not_before=due)
    tm.enqueue("q", "a", "c")

    a, b, c = tm.peek("q", with_data=True).tasks

    assert [a.pid, b.pid, c.pid] == [b"a", b"b", b"c"]
    assert [a.state, b.state, c.state] == [pb.PeekedTask.AVAILABLE, pb.PeekedTask.DELAYED, pb.PeekedTask.AVAILABLE]
    assert (b.data, b.data_bytes, dict(b.headers)) == (b"later", 5, {"k": "v"})
    assert abs(seconds(b.until) - due) < 0.01


def test_peek_pages_over_available_and_delayed_tasks(tm):
    later = tm.now() + HOUR
    for i in range(0, 60, 2):
        tm.update(enqueue("q", f"{i:02}"), enqueue("q", f"{i + 1:02}", not_before=later))

    found, start = [], b""
    while True:
        page = tm.peek("q", start, max_tasks=7)
        found += [task.pid for task in page.tasks]
        start = page.next_pid
        if not start:
            break

    assert found == [f"{i:02}".encode() for i in range(60)]


def test_an_enqueue_collapses_with_a_delayed_task(tm):
    due = tm.now() + HOUR
    tm.enqueue("q", "pid", data="old", not_before=due)

    reply = tm.enqueue("q", "pid", data="new")

    assert list(reply.enqueue_status) == [pb.COLLAPSED]
    [task] = tm.tasks("q")
    assert (task.data, task.state) == (b"old", pb.PeekedTask.DELAYED)
    assert abs(seconds(task.until) - due) < 0.01
    assert tm.sizes("q") == (0, 0, 1)


@pytest.mark.parametrize("if_exists", [pb.REPLACE, pb.RERUN])
def test_new_data_for_a_delayed_task_bring_their_own_time(tm, if_exists):
    tm.enqueue("q", "sooner", "later", data="old", not_before=tm.now() + HOUR)

    tm.enqueue("q", "sooner", data="new", if_exists=if_exists)
    tm.enqueue("q", "later", data="new", headers={"k": "v"}, if_exists=if_exists, not_before=tm.now() + 2 * HOUR)

    later, sooner = tm.tasks("q")
    assert (sooner.data, sooner.state, sooner.HasField("until")) == (b"new", pb.PeekedTask.AVAILABLE, False)
    assert (later.data, dict(later.headers), later.state) == (b"new", {"k": "v"}, pb.PeekedTask.DELAYED)
    assert seconds(later.until) > tm.now() + HOUR + 60
    assert tm.sizes("q") == (1, 0, 1)
    assert [task.pid for task in tm.lease("q", max_tasks=9)] == [b"sooner"]


@pytest.mark.parametrize("if_exists", [pb.REPLACE, pb.RERUN])
def test_new_data_may_delay_an_available_task(tm, if_exists):
    tm.enqueue("q", "pid", data="old")

    tm.enqueue("q", "pid", data="new", if_exists=if_exists, not_before=tm.now() + 1.5)

    assert tm.lease("q") == []
    assert tm.sizes("q") == (0, 0, 1)
    assert tm.lease_one("q", wait=30).data == b"new"


def test_an_earlier_time_brings_a_delayed_task_forward(tm):
    tm.enqueue("q", "pid", data="old", not_before=tm.now() + HOUR)
    poll = tm.poll("q")

    tm.enqueue("q", "pid", data="new", if_exists=pb.REPLACE, not_before=tm.now() + 0.2)

    assert [task.data for task in poll.result().tasks] == [b"new"]


def test_a_later_time_keeps_a_task_from_coming_at_the_earlier_one(tm):
    tm.enqueue("q", "pid", data="old", not_before=tm.now() + 0.3)
    tm.enqueue("q", "pid", data="new", if_exists=pb.REPLACE, not_before=tm.now() + HOUR)

    assert tm.lease("q", wait=0.6) == []
    assert tm.sizes("q") == (0, 0, 1)


def test_a_delayed_task_without_a_priority_gets_one_in_the_order_of_enqueues(tm):
    reply = tm.update(
        enqueue("q", data="first", not_before=tm.now() + 1.5),
        enqueue("q", data="second"),
    )

    assert list(reply.enqueue_status) == [pb.OK, pb.OK]
    assert list(reply.assigned_pid) == sorted(reply.assigned_pid)
    assert tm.lease_one("q").data == b"second"
    assert tm.lease_one("q", wait=30).pid == reply.assigned_pid[0]


def test_a_delayed_task_is_dequeued_unconditionally_and_never_comes(tm):
    tm.enqueue("q", "pid", not_before=tm.now() + 0.3)

    assert list(tm.update(dequeue("q", "pid")).dequeue_status) == [pb.OK]

    assert tm.sizes("q") == (0, 0, 0)
    assert tm.lease("q", wait=0.6) == []


def test_a_delayed_task_has_no_lease_to_lose(tm):
    tm.enqueue("q", "pid", not_before=tm.now() + HOUR)

    assert list(tm.update(dequeue("q", "pid", lease_id=9)).dequeue_status) == [pb.LEASE_LOST]
    assert list(tm.update(release("q", "pid")).release_status) == [pb.LEASE_LOST]
    assert list(tm.update(renew("q", 60, pid="pid", lease_id=9)).renew_status) == [pb.LEASE_LOST]
    assert tm.sizes("q") == (0, 0, 1)


def test_a_release_may_put_a_task_off(tm):
    tm.enqueue("q", "pid", data="retry me", headers={"k": "v"})
    task = tm.lease_one("q")
    due = tm.now() + 1.5

    assert list(tm.update(release(task, not_before=due)).release_status) == [pb.OK]

    [put_off] = tm.tasks("q")
    assert (put_off.state, put_off.attempt) == (pb.PeekedTask.DELAYED, 1)
    assert abs(seconds(put_off.until) - due) < 0.01
    assert tm.sizes("q") == (0, 0, 1)
    assert tm.lease("q") == []
    again = tm.lease_one("q", wait=30)
    assert tm.now() >= due - 0.01
    assert (again.data, dict(again.headers), again.attempt) == (b"retry me", {"k": "v"}, 2)
    assert again.enqueued == task.enqueued
    assert again.lease_id > task.lease_id


def test_a_release_to_a_time_in_the_past_is_at_once(tm):
    tm.enqueue("q", "pid")

    assert tm.update(release(tm.lease_one("q"), not_before=tm.now() - HOUR)).success

    assert tm.sizes("q") == (1, 0, 0)
    assert tm.lease_one("q").attempt == 2


def test_a_lease_that_was_released_to_later_is_lost(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")
    assert tm.update(release(task, not_before=tm.now() + HOUR)).success

    assert list(tm.update(dequeue(task)).dequeue_status) == [pb.LEASE_LOST]
    assert list(tm.update(renew(task)).renew_status) == [pb.LEASE_LOST]
    assert tm.sizes("q") == (0, 0, 1)


def test_an_administrator_may_put_off_what_another_holds(tm):
    tm.enqueue("q", "pid")
    tm.lease_one("q", lease=HOUR)

    assert list(tm.update(release("q", "pid", not_before=tm.now() + HOUR)).release_status) == [pb.OK]

    assert tm.sizes("q") == (0, 0, 1)


def test_a_refused_update_delays_nothing(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")

    reply = tm.update(
        release(task, not_before=tm.now() + HOUR),
        enqueue("q", "new", not_before=tm.now() + HOUR),
        dequeue("q", "none"),
    )

    assert list(reply.release_status) == [pb.ABORTED]
    assert list(reply.enqueue_status) == [pb.ABORTED]
    assert tm.sizes("q") == (0, 1, 0)
    assert tm.update(dequeue(task)).success


def test_exponential_backoff_without_a_backoff_queue(tm):
    """The paper's Google Docs example, with the delay on the task itself."""
    tm.enqueue("convert", "document")
    delays, attempts = [0.1, 0.2, 0.4], []
    for delay in delays:
        task = tm.lease_one("convert", wait=30)
        attempts.append(task.attempt)
        assert tm.update(release(task, not_before=tm.now() + delay)).success

    last = tm.lease_one("convert", wait=30)
    assert attempts + [last.attempt] == [1, 2, 3, 4]
    assert tm.update(dequeue(last)).success
    assert tm.names() == []


def test_a_hand_off_may_be_delayed(tm):
    tm.enqueue("fetch", "page")

    reply = tm.update(dequeue(tm.lease_one("fetch")), enqueue("refresh", "page", not_before=tm.now() + HOUR))

    assert reply.success
    assert tm.names() == [b"refresh"]
    assert tm.sizes("refresh") == (0, 0, 1)


def test_within_one_update_an_enqueue_sees_the_delayed_one_before_it(tm):
    reply = tm.update(enqueue("q", "pid", "later", not_before=tm.now() + HOUR), enqueue("q", "pid", "now"))

    assert list(reply.enqueue_status) == [pb.OK, pb.COLLAPSED]
    assert tm.sizes("q") == (0, 0, 1)


def test_many_delayed_tasks_come_all_when_they_are_due(tm):
    due = tm.now() + 0.5
    tm.update(*[enqueue("q", f"{i:04}", not_before=due + i % 7 / 20) for i in range(1000)])

    taken = []
    while len(taken) < 1000:
        taken += [task.pid for task in tm.lease("q", max_tasks=1000, wait=30)]

    assert sorted(taken) == [f"{i:04}".encode() for i in range(1000)]
    assert tm.sizes("q") == (0, 1000, 0)
