"""Section 3.4: an update is all or nothing within its consistency group, so a worker hands work on without losing or doubling it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew
from support.group import eventually


def test_a_hand_off_moves_a_task_to_the_next_stage(tm):
    tm.enqueue("fetch", "page", data="url")
    task = tm.lease_one("fetch")

    reply = tm.update(dequeue(task), enqueue("extract", "page", "content"))

    assert reply.success
    assert (list(reply.dequeue_status), list(reply.enqueue_status)) == ([pb.OK], [pb.OK])
    assert tm.names() == [b"extract"]
    assert tm.tasks("extract")[0].data == b"content"


def test_a_hand_off_after_the_lease_was_lost_is_refused_as_a_whole(tm):
    tm.enqueue("fetch", "page")
    late = tm.lease_one("fetch", lease=0.1)
    new = tm.lease_one("fetch", wait=30)

    reply = tm.update(dequeue(late), enqueue("extract", "page"), enqueue("log"))

    assert not reply.success
    assert list(reply.dequeue_status) == [pb.LEASE_LOST]
    assert list(reply.enqueue_status) == [pb.ABORTED, pb.ABORTED]
    assert list(reply.assigned_pid) == []
    assert tm.names() == [b"fetch"]
    assert tm.update(dequeue(new), enqueue("extract", "page")).success


@pytest.mark.parametrize(
    "obstacle, where, status",
    [
        (dequeue("held", "none"), "dequeue_status", pb.NOT_FOUND),
        (dequeue("held", "pid", lease_id=1), "dequeue_status", pb.LEASE_LOST),
        (release("held", "none"), "release_status", pb.NOT_FOUND),
        (release("held", "pid", lease_id=1), "release_status", pb.LEASE_LOST),
        (enqueue("held", "pid", if_exists=pb.REPLACE), "enqueue_status", pb.LEASED),
        (enqueue("held", "pid", if_exists=pb.FAIL), "enqueue_status", pb.ALREADY_EXISTS),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_one_element_that_cannot_be_done_refuses_all(tm, obstacle, where, status):
    tm.enqueue("held", "pid")
    tm.lease_one("held")
    tm.enqueue("a", "leased", "available")
    mine = tm.lease_one("a", max_pid="leased")
    also_mine = tm.lease("a")
    before = (tm.tasks("a"), tm.tasks("held"))

    reply = tm.update(
        obstacle,
        dequeue(mine),
        *[release(task) for task in also_mine],
        enqueue("b", "new"),
        enqueue("a", "available"),
        enqueue("c"),
    )

    assert not reply.success
    assert getattr(reply, where)[0] == status
    others = list(reply.dequeue_status) + list(reply.release_status) + list(reply.enqueue_status)
    others.remove(status)
    assert others == [pb.ABORTED] * len(others)
    assert len(reply.assigned_pid) == 0
    assert (tm.tasks("a"), tm.tasks("held")) == before
    assert tm.names() == [b"a", b"held"]


def test_every_obstacle_is_named_not_only_the_first(tm):
    tm.enqueue("q", "there")

    reply = tm.update(
        dequeue("q", "none"),
        dequeue("q", "there", lease_id=5),
        dequeue("q", "there"),
        enqueue("q", "there", if_exists=pb.COLLAPSE),
        enqueue("q", "new"),
        release("q", "there", lease_id=5),
    )

    assert not reply.success
    assert list(reply.release_status) == [pb.LEASE_LOST]
    assert list(reply.dequeue_status)[:2] == [pb.NOT_FOUND, pb.LEASE_LOST]
    assert reply.enqueue_status[1] == pb.ABORTED


def test_a_collapse_does_not_refuse_the_hand_off(tm):
    tm.enqueue("extract", "page", data="already there")
    tm.enqueue("fetch", "page")

    reply = tm.update(dequeue(tm.lease_one("fetch")), enqueue("extract", "page", "again"))

    assert reply.success
    assert list(reply.enqueue_status) == [pb.COLLAPSED]
    assert tm.names() == [b"extract"]
    assert tm.tasks("extract")[0].data == b"already there"


def test_a_refused_update_says_aborted_where_it_would_have_collapsed(tm):
    tm.enqueue("q", "pid")

    reply = tm.update(enqueue("q", "pid"), dequeue("q", "none"))

    assert list(reply.enqueue_status) == [pb.ABORTED]


def test_an_update_spans_any_queues_of_its_group(tm):
    queues = [f"stage-{i:02}" for i in range(50)]
    tm.update(*[enqueue(queue, "task") for queue in queues])
    tasks = tm.lease(*queues, max_tasks=50)
    assert len(tasks) == 50

    reply = tm.update(*[dequeue(task) for task in tasks], *[enqueue(f"next-{i}", "task") for i in range(50)])

    assert reply.success
    assert tm.names(name_re="stage-.*") == []
    assert len(tm.names(name_re="next-.*")) == 50


def test_statuses_come_one_per_element_in_the_order_of_the_request(tm):
    tm.enqueue("q", "a", "b", "c", "d")
    a, b, c, d = tm.lease("q", max_tasks=4)

    reply = tm.update(
        enqueue("q", "new"),
        enqueue("q", "d"),
        renew(d, 60),
        renew("q", pid="none", lease_id=1),
        release(b),
        dequeue(a),
        dequeue(c),
    )

    assert reply.success
    assert list(reply.enqueue_status) == [pb.OK, pb.COLLAPSED]
    assert list(reply.assigned_pid) == [b"new", b"d"]
    assert list(reply.renew_status) == [pb.OK, pb.NOT_FOUND]
    assert list(reply.release_status) == [pb.OK]
    assert list(reply.dequeue_status) == [pb.OK, pb.OK]
    assert tm.pids("q") == [b"b", b"d", b"new"]


def test_releases_are_judged_before_dequeues(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")

    reply = tm.update(dequeue(task), release(task))

    assert not reply.success
    assert list(reply.release_status) == [pb.ABORTED]
    assert list(reply.dequeue_status) == [pb.LEASE_LOST]
    assert tm.sizes("q") == (0, 1, 0)
    # Unconditionally it is gone, released first or not.
    assert tm.update(dequeue("q", "pid"), release(task)).success
    assert tm.names() == []


def test_renewals_are_judged_before_everything_else(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")

    reply = tm.update(dequeue(task), renew(task, 600))

    assert reply.success
    assert (list(reply.renew_status), list(reply.dequeue_status)) == ([pb.OK], [pb.OK])
    assert tm.names() == []


def test_a_task_cannot_be_dequeued_twice_in_one_update(tm):
    tm.enqueue("q", "pid")

    reply = tm.update(dequeue("q", "pid"), dequeue("q", "pid"))

    assert not reply.success
    assert list(reply.dequeue_status) == [pb.ABORTED, pb.NOT_FOUND]
    assert tm.pids("q") == [b"pid"]


def test_of_workers_that_hand_off_the_same_task_one_succeeds(tm):
    for i in range(20):
        tm.enqueue("in", f"{i:02}")
    tasks = tm.lease("in", max_tasks=20)

    with ThreadPoolExecutor(10) as pool:
        attempts = [task for task in tasks for _ in range(5)]
        replies = list(pool.map(lambda task: tm.update(dequeue(task), enqueue("out")), attempts))

    assert sum(reply.success for reply in replies) == 20
    assert tm.names() == [b"out"]
    assert tm.sizes("out") == (20, 0, 0)


def test_tokens_that_are_handed_around_are_neither_lost_nor_doubled(tm):
    tokens = [f"token-{i}" for i in range(40)]
    tm.enqueue("ring-0", *tokens)

    def worker(number):
        for _ in range(60):
            # Some leases are too short on purpose: their hand-offs are late, and may be refused.
            for task in tm.lease(name_re="ring-[012]", max_tasks=2, lease=0.005 if number == 0 else 60):
                stage = int(task.queue[-1:])
                tm.update(dequeue(task), enqueue(f"ring-{stage + 1}", task.pid, task.data, if_exists=pb.FAIL))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(worker, range(4)))

    def at_rest():
        for queue in tm.list(name_re="ring-.*").queues:
            tm.update(*[release(task) for task in tm.lease(queue.name, max_tasks=100)])
        return sum(queue.leased for queue in tm.list(name_re="ring-.*").queues) == 0

    eventually(at_rest)
    found = [pid.decode() for queue in tm.names(name_re="ring-.*") for pid in tm.pids(queue)]
    assert sorted(found) == sorted(tokens)
