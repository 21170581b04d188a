"""Leases over many queues take turns: with Q queues that hold tasks and one that floods, each is served at least every Q leases."""

import collections
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, selector
from support.group import eventually
from support.refusals import refused


def longest_gap(served, queue):
    """The longest run of leases without this queue."""
    gap = longest = 0
    for each in served:
        gap = 0 if each == queue else gap + 1
        longest = max(longest, gap)
    return longest


@pytest.mark.parametrize("choice", ["names", "pattern"])
def test_each_queue_is_served_at_least_every_q_leases(tm, choice):
    queues = [b"flood"] + [f"quiet-{i}".encode() for i in range(6)]
    tm.enqueue("flood", *[f"{i:04}" for i in range(500)])
    for queue in queues[1:]:
        tm.enqueue(queue, *[f"{i:02}" for i in range(20)])

    served = []
    for i in range(7 * 15):
        chosen = tm.lease(*queues) if choice == "names" else tm.lease(name_re="flood|quiet-.")
        served += [task.queue for task in chosen]
        tm.enqueue("flood", f"more-{i}")

    assert len(served) == 7 * 15
    for queue in queues:
        assert longest_gap(served, queue) < len(queues), queue


def test_a_lease_of_many_tasks_takes_turns_within(tm):
    tm.enqueue("flood", *[f"{i:03}" for i in range(200)])
    for i in range(4):
        tm.enqueue(f"quiet-{i}", *"123456789")

    tasks = tm.lease(name_re=".*", max_tasks=25)

    assert collections.Counter(task.queue for task in tasks) == {
        b"flood": 5,
        **{f"quiet-{i}".encode(): 5 for i in range(4)},
    }


def test_turns_go_on_from_lease_to_lease(tm):
    for queue in "abcde":
        tm.enqueue(queue, *[f"{i:02}" for i in range(20)])

    served = collections.Counter()
    for _ in range(10):
        served.update(task.queue for task in tm.lease(name_re="[a-e]", max_tasks=3))

    # 30 tasks over 5 queues.
    assert set(served.values()) == {6}


def test_a_queue_gives_so_many_tasks_in_its_turn_as_it_weighs(tm):
    for queue, weight in (("a", 1), ("b", 3), ("c", 2)):
        tm.configure(queue, weight=weight)
        tm.enqueue(queue, *[f"{i:02}" for i in range(40)])

    tasks = tm.lease(name_re="[abc]", max_tasks=60)

    assert collections.Counter(task.queue for task in tasks) == {b"a": 10, b"b": 30, b"c": 20}


@pytest.mark.parametrize("max_tasks", [1, 4, 7])
def test_turns_of_weighed_queues_do_not_depend_on_how_large_leases_are(tm, max_tasks):
    for queue, weight in (("a", 1), ("b", 3), ("c", 2)):
        tm.configure(queue, weight=weight)
        tm.enqueue(queue, *[f"{i:02}" for i in range(50)])

    served = collections.Counter()
    for _ in range(12):
        served.update(task.queue for task in tm.lease(name_re="[abc]", max_tasks=max_tasks))

    # Six tasks make a circle.
    assert served == {b"a": 2 * max_tasks, b"b": 6 * max_tasks, b"c": 4 * max_tasks}


def test_queues_that_run_empty_leave_their_turns_to_the_others(tm):
    tm.enqueue("short", "1")
    tm.enqueue("long", *[str(i) for i in range(9)])

    tasks = tm.lease("short", "long", max_tasks=10)

    assert collections.Counter(task.queue for task in tasks) == {b"short": 1, b"long": 9}


def test_a_queue_that_comes_late_gets_its_turn(tm):
    for queue in "abc":
        tm.enqueue(queue, *[f"{i:02}" for i in range(30)])
    for _ in range(7):
        tm.lease(name_re="[a-d]")
    tm.enqueue("d", *[f"{i:02}" for i in range(30)])

    served = [tm.lease(name_re="[a-d]")[0].queue for _ in range(16)]

    for queue in (b"a", b"b", b"c", b"d"):
        assert longest_gap(served, queue) < 4


def test_fair_turns_with_many_workers_at_once(tm):
    queues = 8
    tm.enqueue("flood", *[f"{i:04}" for i in range(1000)])
    for i in range(queues - 1):
        tm.enqueue(f"quiet-{i}", *[f"{n:02}" for n in range(10)])

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: tm.lease(name_re=".*"), range(queues * 10)))

    # Whatever their order: of 80 leases in turns, each queue gave 10.
    served = collections.Counter(task.queue for tasks in taken for task in tasks)
    assert set(served.values()) == {10}


def test_a_lease_over_many_queues_keeps_to_its_number(tm):
    tm.update(*[enqueue(f"q-{i:04}", "1") for i in range(2000)])

    seen = []
    for _ in range(4):
        tasks = tm.lease(name_re="q-.*", max_tasks=500)
        assert len(tasks) == 500
        seen += [task.queue for task in tasks]

    assert len(set(seen)) == 2000
    assert tm.lease(name_re="q-.*", max_tasks=500) == []


def test_a_lease_over_all_groups_finds_queues_of_every_group(tm, unique):
    groups = [tm.other(f"-{i:02}") for i in range(40)]
    for group in groups:
        group.enqueue(unique, "1", data=group.name)

    tasks = []
    while len(tasks) < 40:
        tasks += eventually(lambda: tm.lease(unique, all_groups=True, max_tasks=40))

    assert sorted(task.group for task in tasks) == sorted(group.name for group in groups)
    assert all(task.data == task.group and task.queue == unique.encode() for task in tasks)
    assert all(group.update(dequeue(task)).success for group in groups for task in tasks if task.group == group.name)


@pytest.mark.parametrize("choice", ["names", "pattern"])
def test_a_lease_over_all_groups_never_holds_more_than_it_was_asked_for(tm, unique, choice):
    groups = [tm.other(f"-{i:02}") for i in range(40)]
    for group in groups:
        group.enqueue(unique, "1", "2", "3", "4", "5")
    names, name_re = ((unique,), "") if choice == "names" else ((), unique)

    held = 0
    for max_tasks in (1, 7, 1, 39, 64):
        tasks = tm.lease(*names, name_re=name_re, all_groups=True, max_tasks=max_tasks)
        assert 0 < len(tasks) <= max_tasks
        held += len(tasks)
        # Nothing is held that was not handed out.
        total = tm.describe(unique, all_groups=True).total.summary
        assert (total.leased, total.available) == (held, 200 - held)


def test_leases_over_all_groups_by_many_workers_are_exclusive(tm, unique):
    groups = [tm.other(f"-{i:02}") for i in range(30)]
    for group in groups:
        group.enqueue(unique, "1", "2", "3", "4")

    def drain(_):
        taken = []
        while tasks := tm.lease(unique, all_groups=True, max_tasks=9):
            taken += [(task.group, task.pid) for task in tasks]
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = [task for tasks in pool.map(drain, range(4)) for task in tasks]
    while tasks := tm.lease(unique, all_groups=True, max_tasks=9):
        taken += [(task.group, task.pid) for task in tasks]

    assert len(taken) == len(set(taken)) == 120


def test_a_long_poll_over_all_groups_is_woken_and_leaves_nothing_behind(tm, unique):
    groups = [tm.other(f"-{i:02}") for i in range(30)]
    poll = tm.poll(unique, all_groups=True, max_tasks=3)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda group: group.enqueue(unique, "1", "2"), groups))

    tasks = poll.result().tasks
    assert 1 <= len(tasks) <= 3
    # Not a single lease that nobody knows of, in whatever group.
    total = tm.describe(unique, all_groups=True).total.summary
    assert (total.leased, total.available) == (len(tasks), 60 - len(tasks))
    for group in groups:
        group.enqueue(unique, "3")
    total = tm.describe(unique, all_groups=True).total.summary
    assert (total.leased, total.available) == (len(tasks), 90 - len(tasks))


@pytest.mark.parametrize("end", ["time is up", "cancelled"])
def test_a_long_poll_over_all_groups_that_ended_takes_nothing(tm, unique, end):
    if end == "time is up":
        assert tm.lease(unique, all_groups=True, wait=0.3) == []
    else:
        tm.poll(unique, all_groups=True).cancel()
        for _ in range(20):
            tm.describe(unique, all_groups=True)

    for i in range(20):
        tm.other(f"-{i}").enqueue(unique, "1")

    total = tm.describe(unique, all_groups=True).total.summary
    assert (total.leased, total.available) == (0, 20)


def test_of_long_polls_over_all_groups_each_gets_a_task(tm, unique):
    polls = [tm.poll(unique, all_groups=True) for _ in range(5)]

    for i in range(5):
        tm.other(f"-{i}").enqueue(unique, "1")

    tasks = [task for poll in polls for task in poll.result().tasks]
    assert sorted(task.group for task in tasks) == sorted(tm.other(f"-{i}").name for i in range(5))


def test_a_lease_over_all_groups_keeps_to_bytes_caps_and_filters(tm, unique):
    groups = [tm.other(f"-{i}") for i in range(10)]
    for group in groups:
        group.enqueue(unique, "1", "2", "3", data=bytes(10_000))
    groups[0].configure(unique, paused=True)

    few = tm.lease(unique, all_groups=True, max_tasks=100, max_bytes=35_000)
    assert 1 <= len(few) <= 3
    capped = few + tm.lease(unique, all_groups=True, max_tasks=100, max_leased_per_queue=1, max_pid="1")
    by_group = collections.Counter(task.group for task in capped)
    assert groups[0].name not in by_group
    assert {task.pid for task in capped if task not in few} <= {b"1"}
    groups[0].configure(unique)


def test_a_lease_in_turns_leases_what_was_released_too(tm):
    tm.enqueue("a", "1")
    tm.enqueue("b", "1")
    for _ in range(5):
        tasks = tm.lease("a", "b", max_tasks=2)
        assert sorted(task.queue for task in tasks) == [b"a", b"b"]
        assert tm.update(*[release(task) for task in tasks]).success


def test_a_group_and_all_groups_together_are_a_contradiction(tm):
    both = selector(tm.name, ["q"])
    both.all_groups = True
    with refused("INVALID_FIELD"):
        tm.stub.LeaseTasks(pb.LeaseRequest(queues=both), timeout=60)
