"""A lease request may wait for its first task: woken by whatever makes one available, in the order of arrival, for nothing lost."""

import time

import grpc
import pytest

from support.contract import pb
from support.elements import dequeue, release, renew
from support.group import eventually


def test_a_long_poll_gets_the_task_that_is_enqueued(tm):
    poll = tm.poll("q", max_tasks=5)
    assert not poll.done()

    tm.enqueue("q", "a", "b")

    assert [task.pid for task in poll.result().tasks] == [b"a", b"b"]


def test_a_long_poll_gets_at_once_what_is_there(tm):
    tm.enqueue("q", "a")

    assert [task.pid for task in tm.lease("q", max_tasks=5, wait=60)] == [b"a"]


def test_a_long_poll_ends_empty_when_its_time_is_up(tm):
    start = time.monotonic()

    assert tm.lease("q", wait=0.3) == []

    # Clocks that tick in milliseconds may be early by one.
    assert time.monotonic() - start >= 0.29


def test_a_wait_of_zero_does_not_wait(tm):
    assert tm.lease("q", wait=0) == []


def test_a_long_poll_is_woken_by_a_release(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")
    poll = tm.poll("q")

    assert tm.update(release(task)).success

    [again] = poll.result().tasks
    assert (again.pid, again.attempt) == (b"pid", 2)


def test_a_long_poll_is_woken_by_an_expiry(tm):
    tm.enqueue("q", "pid")
    tm.lease_one("q", lease=0.3)

    [again] = tm.poll("q").result().tasks

    assert (again.pid, again.attempt) == (b"pid", 2)


def test_a_long_poll_is_woken_by_an_expiry_that_a_renewal_brought_forward(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=3600)
    poll = tm.poll("q")

    assert tm.update(renew(task, 0.2)).success

    assert [again.attempt for again in poll.result().tasks] == [2]


def test_a_renewal_keeps_a_long_poll_waiting(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=2)
    assert list(tm.update(renew(task, 600)).renew_status) == [pb.OK]

    assert tm.lease("q", wait=2.2) == []


def test_a_long_poll_is_woken_when_a_delayed_task_is_due(tm):
    tm.enqueue("q", "pid", not_before=tm.now() + 0.4)

    [task] = tm.poll("q").result().tasks

    assert task.attempt == 1


def test_a_long_poll_is_woken_by_a_pattern_that_a_new_queue_matches(tm):
    poll = tm.poll(name_re="site-.*#fetch", max_tasks=3)
    tm.enqueue("site-1#index", "no")
    assert not poll.done()

    tm.enqueue("site-2#fetch", "yes")

    assert [task.queue for task in poll.result().tasks] == [b"site-2#fetch"]


def test_a_long_poll_with_a_filter_is_woken_only_by_what_passes_it(tm):
    poll = tm.poll("q", max_pid="5")
    tm.enqueue("q", "6", "7")
    tm.peek("q")
    assert not poll.done()

    tm.enqueue("q", "4")

    assert [task.pid for task in poll.result().tasks] == [b"4"]
    assert tm.sizes("q") == (2, 1, 0)


def test_a_long_poll_is_woken_when_its_queue_is_resumed(tm):
    tm.configure("q", paused=True)
    tm.enqueue("q", "pid")
    poll = tm.poll("q")
    assert not poll.done()

    tm.configure("q", paused=False)

    assert [task.pid for task in poll.result().tasks] == [b"pid"]


@pytest.mark.parametrize("cap", ["option", "request"])
def test_a_long_poll_is_woken_when_the_cap_has_room_again(tm, cap):
    tm.enqueue("q", "1", "2")
    if cap == "option":
        tm.configure("q", max_leased=1)
    running = tm.lease_one("q")
    poll = tm.poll("q", max_leased_per_queue=1 if cap == "request" else 0)
    assert not poll.done()

    assert tm.update(dequeue(running)).success

    assert [task.pid for task in poll.result().tasks] == [b"2"]
    tm.configure("q")


def test_a_long_poll_is_woken_when_the_rerun_of_a_task_takes_its_place(tm):
    tm.enqueue("q", "pid", data="first")
    running = tm.lease_one("q")
    tm.enqueue("q", "pid", data="second", if_exists=pb.RERUN)
    poll = tm.poll("q")
    assert not poll.done()

    assert tm.update(dequeue(running)).success

    [task] = poll.result().tasks
    assert (task.data, task.attempt) == (b"second", 1)


def test_long_polls_are_served_in_the_order_of_their_arrival(tm):
    polls = [tm.poll("q", worker=f"worker {i}") for i in range(8)]

    for i, poll in enumerate(polls):
        tm.enqueue("q", f"{i}")
        assert [task.pid for task in poll.result().tasks] == [f"{i}".encode()]
        assert not any(later.done() for later in polls[i + 1 :])


def test_of_long_polls_over_many_queues_too_the_first_is_served_first(tm):
    by_pattern = tm.poll(name_re="stage-.*")
    by_name = tm.poll("stage-1")
    by_names = tm.poll("stage-1", "stage-2")

    tm.enqueue("stage-1", "first")
    assert [task.pid for task in by_pattern.result().tasks] == [b"first"]
    tm.enqueue("stage-2", "second")
    assert [task.pid for task in by_names.result().tasks] == [b"second"]
    assert not by_name.done()
    tm.enqueue("stage-1", "third")
    assert [task.pid for task in by_name.result().tasks] == [b"third"]


def test_one_update_wakes_as_many_long_polls_as_it_has_tasks_for(tm):
    polls = [tm.poll("q", max_tasks=2) for _ in range(4)]

    tm.enqueue("q", "1", "2", "3", "4", "5")

    assert [[task.pid for task in poll.result().tasks] for poll in polls[:3]] == [[b"1", b"2"], [b"3", b"4"], [b"5"]]
    assert not polls[3].done()
    tm.enqueue("q", "6")
    assert [task.pid for task in polls[3].result().tasks] == [b"6"]


def test_a_long_poll_that_was_cancelled_takes_no_task_along(tm):
    cancelled = tm.poll("q")
    lives = tm.poll("q")
    cancelled.cancel()
    with pytest.raises(grpc.FutureCancelledError):
        cancelled.result()
    # The cancellation went ahead of this on the same connection, and is seen before what comes behind it.
    for _ in range(20):
        tm.peek("q")

    tm.enqueue("q", "pid")

    assert [task.pid for task in lives.result().tasks] == [b"pid"]
    assert tm.sizes("q") == (0, 1, 0)


def test_long_polls_of_different_groups_do_not_meet(tm):
    here, there = tm.poll("q"), tm.other("-2").poll("q")

    tm.other("-2").enqueue("q", "there")
    assert [task.pid for task in there.result().tasks] == [b"there"]
    assert not here.done()
    tm.enqueue("q", "here")
    assert [task.pid for task in here.result().tasks] == [b"here"]


def test_a_long_poll_outlives_the_deletion_of_its_queue(tm):
    tm.enqueue("q", "held")
    tm.lease_one("q")
    poll = tm.poll("q")
    tm.delete("q")
    assert not poll.done()

    tm.enqueue("q", "pid")

    assert [task.pid for task in poll.result().tasks] == [b"pid"]


def test_waiting_workers_drain_a_queue_that_others_fill(tm):
    done = []
    polls = [tm.poll("q", max_tasks=3) for _ in range(4)]
    tm.enqueue("q", *[f"{i:02}" for i in range(50)])
    while polls:
        tasks = polls.pop(0).result().tasks
        if tasks:
            done += [task.pid for task in tasks]
            assert tm.update(*[dequeue(task) for task in tasks]).success
        if len(done) + 3 * len(polls) < 50:
            polls.append(tm.poll("q", max_tasks=3, wait=20))

    assert sorted(done) == [f"{i:02}".encode() for i in range(50)]
    eventually(lambda: tm.names() == [])
