"""RERUN: unique while queued, and once more after the one that is running."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, seconds
from support.group import eventually

HOUR = 3600


def rerun(tm, data, **fields):
    reply = tm.enqueue("q", "pid", data=data, if_exists=pb.RERUN, **fields)
    assert list(reply.assigned_pid) == [b"pid"]
    return list(reply.enqueue_status)


def running(tm):
    tm.enqueue("q", "pid", data="running", headers={"run": "1"})
    return tm.lease_one("q", lease=600)


def expire(tm, task):
    """Lets a lease run out, and waits until it has."""
    assert list(tm.update(renew(task, 0.05)).renew_status) == [pb.OK]
    eventually(lambda: tm.sizes("q") == (1, 0, 0))


def test_rerun_enqueues_what_is_not_there(tm):
    assert rerun(tm, "new") == [pb.OK]

    assert [task.data for task in tm.tasks("q")] == [b"new"]
    assert tm.sizes("q") == (1, 0, 0)


def test_rerun_gives_an_available_task_all_new_data(tm):
    task = running(tm)
    assert tm.update(release(task)).success

    assert rerun(tm, "new", headers={"run": "2"}) == [pb.OK]

    [new] = tm.tasks("q")
    assert (new.data, dict(new.headers), new.attempt) == (b"new", {"run": "2"}, 0)
    again = tm.lease_one("q")
    assert again.attempt == 1
    assert tm.update(dequeue(again)).success
    assert tm.names() == []


def test_rerun_of_a_running_task_waits_until_it_is_dequeued(tm):
    task = running(tm)

    assert rerun(tm, "again", headers={"run": "2"}) == [pb.OK]

    # Not counted, not seen, until then.
    assert tm.sizes("q") == (0, 1, 0)
    assert [(peeked.data, peeked.state) for peeked in tm.tasks("q")] == [(b"running", pb.PeekedTask.LEASED)]
    assert tm.lease("q") == []

    assert list(tm.update(dequeue(task)).dequeue_status) == [pb.OK]

    assert tm.sizes("q") == (1, 0, 0)
    [waiting] = tm.tasks("q")
    assert (waiting.data, dict(waiting.headers), waiting.attempt) == (b"again", {"run": "2"}, 0)
    again = tm.lease_one("q")
    assert (again.data, again.attempt) == (b"again", 1)
    assert again.lease_id > task.lease_id
    assert again.enqueued != task.enqueued
    assert tm.update(dequeue(again)).success
    assert tm.names() == []


def test_the_newest_rerun_is_kept(tm):
    task = running(tm)
    for data in ("second", "third", "fourth"):
        assert rerun(tm, data) == [pb.OK]

    assert tm.update(dequeue(task)).success

    assert [task.data for task in tm.tasks("q")] == [b"fourth"]
    assert tm.update(dequeue(tm.lease_one("q"))).success
    assert tm.names() == []


def test_a_rerun_is_kept_through_a_release(tm):
    task = running(tm)
    rerun(tm, "again")

    assert tm.update(release(task)).success

    assert tm.sizes("q") == (1, 0, 0)
    second = tm.lease_one("q")
    assert (second.data, second.attempt) == (b"running", 2)
    assert tm.update(dequeue(second)).success
    third = tm.lease_one("q")
    assert (third.data, third.attempt) == (b"again", 1)


def test_a_rerun_is_kept_through_an_expiry(tm):
    first = running(tm)
    rerun(tm, "again")
    expire(tm, first)

    second = tm.lease_one("q")
    assert (second.data, second.attempt) == (b"running", 2)
    assert tm.update(dequeue(second)).success
    assert tm.lease_one("q").data == b"again"


def test_a_rerun_is_kept_through_a_delaying_release(tm):
    task = running(tm)
    rerun(tm, "again")

    assert tm.update(release(task, not_before=tm.now() + 1.5)).success

    assert tm.sizes("q") == (0, 0, 1)
    second = tm.lease_one("q", wait=30)
    assert (second.data, second.attempt) == (b"running", 2)
    assert tm.update(dequeue(second)).success
    assert tm.lease_one("q").data == b"again"


def test_a_rerun_is_kept_through_renewals(tm):
    task = running(tm)
    rerun(tm, "again")

    assert list(tm.update(renew(task, 60)).renew_status) == [pb.OK]

    assert tm.update(dequeue(task)).success
    assert tm.lease_one("q").data == b"again"


@pytest.mark.parametrize("how", ["lease", "unconditional", "expired lease", "released", "put off"])
def test_however_the_task_is_dequeued_the_rerun_takes_its_place(tm, how):
    task = running(tm)
    rerun(tm, "again")
    if how == "expired lease":
        expire(tm, task)
    if how in ("released", "put off"):
        assert tm.update(release(task, not_before=tm.now() + HOUR if how == "put off" else None)).success
    by_lease = how in ("lease", "expired lease")

    reply = tm.update(dequeue(task) if by_lease else dequeue("q", "pid"))

    assert list(reply.dequeue_status) == [pb.OK]
    assert tm.sizes("q") == (1, 0, 0)
    again = tm.lease_one("q")
    assert (again.data, again.attempt) == (b"again", 1)


def test_the_time_of_a_rerun_counts_when_it_takes_its_place(tm):
    task = running(tm)
    due = tm.now() + 0.6
    rerun(tm, "again", not_before=due)
    assert tm.sizes("q") == (0, 1, 0)

    assert tm.update(dequeue(task)).success

    again = tm.lease_one("q", wait=30)
    assert tm.now() >= due - 0.01
    assert (again.data, again.attempt) == (b"again", 1)


def test_a_rerun_that_is_not_due_yet_takes_its_place_delayed(tm):
    task = running(tm)
    due = tm.now() + HOUR
    rerun(tm, "again", not_before=due)

    assert tm.update(dequeue(task)).success

    assert tm.sizes("q") == (0, 0, 1)
    [later] = tm.tasks("q")
    assert (later.data, later.state) == (b"again", pb.PeekedTask.DELAYED)
    assert abs(seconds(later.until) - due) < 0.01


def test_a_rerun_whose_lease_has_expired_is_new_data(tm):
    """A lease that has expired without being taken over counts as none."""
    late = running(tm)
    expire(tm, late)

    assert rerun(tm, "new") == [pb.OK]

    assert [(task.data, task.attempt) for task in tm.tasks("q")] == [(b"new", 0)]
    assert list(tm.update(dequeue(late)).dequeue_status) == [pb.LEASE_LOST]
    assert tm.update(dequeue(tm.lease_one("q"))).success
    assert tm.names() == []


@pytest.mark.parametrize("if_exists", [pb.REPLACE, pb.RERUN])
@pytest.mark.parametrize("put_off", [False, True])
def test_new_data_drop_what_was_remembered(tm, if_exists, put_off):
    task = running(tm)
    rerun(tm, "remembered")
    assert tm.update(release(task, not_before=tm.now() + HOUR if put_off else None)).success

    assert list(tm.enqueue("q", "pid", data="new", if_exists=if_exists).enqueue_status) == [pb.OK]

    only = tm.lease_one("q")
    assert (only.data, only.attempt) == (b"new", 1)
    assert tm.update(dequeue(only)).success
    assert tm.names() == []


def test_a_collapse_leaves_what_was_remembered(tm):
    task = running(tm)
    rerun(tm, "again")

    assert list(tm.enqueue("q", "pid", data="collapses").enqueue_status) == [pb.COLLAPSED]

    assert tm.update(dequeue(task)).success
    assert tm.lease_one("q").data == b"again"


def test_a_refused_update_remembers_nothing(tm):
    task = running(tm)

    reply = tm.update(enqueue("q", "pid", "again", if_exists=pb.RERUN), dequeue("q", "none"))

    assert list(reply.enqueue_status) == [pb.ABORTED]
    assert tm.update(dequeue(task)).success
    assert tm.names() == []


def test_a_refused_dequeue_leaves_the_rerun_where_it_was(tm):
    late = running(tm)
    rerun(tm, "again")
    expire(tm, late)
    second = tm.lease_one("q")

    assert list(tm.update(dequeue(late)).dequeue_status) == [pb.LEASE_LOST]

    assert tm.sizes("q") == (0, 1, 0)
    assert tm.update(dequeue(second)).success
    assert tm.lease_one("q").data == b"again"


def test_a_hand_off_brings_the_rerun_too(tm):
    task = running(tm)
    rerun(tm, "again")

    assert tm.update(dequeue(task), enqueue("next", "pid", "result")).success

    assert [(queue.name, queue.available) for queue in tm.list().queues] == [(b"next", 1), (b"q", 1)]


def test_in_one_update_the_enqueue_behind_the_dequeue_sees_the_rerun(tm):
    task = running(tm)
    rerun(tm, "again")

    reply = tm.update(dequeue(task), enqueue("q", "pid", "collapses"))

    assert (list(reply.dequeue_status), list(reply.enqueue_status)) == ([pb.OK], [pb.COLLAPSED])
    assert [(queued.data, queued.attempt) for queued in tm.tasks("q")] == [(b"again", 0)]


def test_a_second_dequeue_takes_the_rerun_itself(tm):
    running(tm)
    rerun(tm, "again")

    assert tm.update(dequeue("q", "pid"), dequeue("q", "pid")).success

    assert tm.names() == []


def test_a_deletion_takes_what_was_remembered_along(tm):
    running(tm)
    rerun(tm, "again")
    tm.delete("q")

    tm.enqueue("q", "pid", data="new")
    assert tm.update(dequeue(tm.lease_one("q"))).success
    assert tm.names() == []


def test_every_run_can_have_its_rerun(tm):
    tm.enqueue("q", "pid", data="0")
    for i in range(1, 6):
        task = tm.lease_one("q")
        assert (task.data, task.attempt) == (str(i - 1).encode(), 1)
        assert rerun(tm, str(i)) == [pb.OK]
        assert tm.update(dequeue(task)).success

    assert [task.data for task in tm.tasks("q")] == [b"5"]


def test_events_during_a_run_are_never_missed(tm):
    """What RERUN is for: whoever changes something after the worker looked causes another look."""
    version, looked_at = 0, []
    for _ in range(10):
        version += 1
        rerun(tm, "look")
        task = tm.lease_one("q")
        looked_at.append(version)
        version += 1
        rerun(tm, "look")
        assert tm.update(dequeue(task)).success

    last = tm.lease_one("q")
    looked_at.append(version)
    assert tm.update(dequeue(last)).success
    assert looked_at[-1] == version
    assert tm.names() == []
