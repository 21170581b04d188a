"""Options of queues, and caps that a request brings along: pause, max_leased, weight, max_leased_per_queue."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew
from support.group import eventually
from support.refusals import refused


def options(tm, queue):
    [described] = tm.describe(queue).queues
    return described.options


def test_a_paused_queue_leases_nothing(tm):
    tm.enqueue("q", "1", "2")

    assert tm.configure("q", paused=True) == pb.ConfigureReply()

    assert tm.lease("q", max_tasks=5) == []
    assert tm.lease("q", max_tasks=5, wait=0.3) == []
    assert tm.sizes("q") == (2, 0, 0)


def test_everything_else_goes_on_in_a_paused_queue(tm):
    tm.enqueue("q", "1", "2", "3")
    one, two, three = tm.lease("q", max_tasks=3)
    tm.configure("q", paused=True)

    assert list(tm.enqueue("q", "4").enqueue_status) == [pb.OK]
    assert list(tm.update(renew(one, 60)).renew_status) == [pb.OK]
    assert list(tm.update(dequeue(two)).dequeue_status) == [pb.OK]
    assert list(tm.update(release(three)).release_status) == [pb.OK]
    assert tm.pids("q") == [b"1", b"3", b"4"]
    assert tm.names() == [b"q"]
    assert tm.lease("q", max_tasks=9) == []


def test_a_resumed_queue_leases_again(tm):
    tm.enqueue("q", "1", "2")
    tm.configure("q", paused=True)
    assert tm.lease("q") == []

    tm.configure("q", paused=False)

    assert [task.pid for task in tm.lease("q", max_tasks=5)] == [b"1", b"2"]


def test_options_are_shown(tm):
    tm.enqueue("q", "1")
    assert options(tm, "q") == pb.QueueOptions(weight=1)

    tm.configure("q", paused=True, max_leased=7, weight=1000)
    assert options(tm, "q") == pb.QueueOptions(paused=True, max_leased=7, weight=1000)

    # A configuration says all of it, but for a weight that it does not name.
    tm.configure("q", max_leased=4_294_967_295)
    assert options(tm, "q") == pb.QueueOptions(max_leased=4_294_967_295, weight=1000)
    tm.configure("q", weight=1)
    assert options(tm, "q") == pb.QueueOptions(weight=1)


def test_a_weight_at_its_limit_and_over_it(tm):
    tm.configure("q", weight=5)
    with refused("INVALID_FIELD"):
        tm.configure("q", paused=True, weight=1001)
    tm.enqueue("q", "1")
    assert options(tm, "q") == pb.QueueOptions(weight=5)

    tm.configure("q", weight=1000)
    assert options(tm, "q") == pb.QueueOptions(weight=1000)


def test_all_defaults_clear_the_options_but_leave_the_weight(tm):
    """So that a client of before there were weights takes none back."""
    tm.enqueue("q", "1", "2")
    tm.configure("q", paused=True, max_leased=1, weight=3)

    tm.stub.ConfigureQueue(pb.ConfigureRequest(group=tm.name, queue=b"q"), timeout=60)

    assert options(tm, "q") == pb.QueueOptions(weight=3)
    assert len(tm.lease("q", max_tasks=5)) == 2


def test_options_belong_to_the_name_and_survive_emptying(tm):
    tm.configure("q", paused=True, max_leased=1, weight=2)
    assert tm.names() == []
    tm.enqueue("q", "1")
    assert tm.update(dequeue("q", "1")).success
    assert tm.names() == []

    tm.enqueue("q", "2")

    assert options(tm, "q") == pb.QueueOptions(paused=True, max_leased=1, weight=2)
    assert tm.lease("q") == []


def test_a_queue_without_tasks_is_shown_as_long_as_it_is_set_to_something(tm):
    tm.configure("q", paused=True)

    [described] = tm.describe("q").queues
    assert described.options == pb.QueueOptions(paused=True, weight=1)
    assert described.summary.available == described.summary.leased == described.summary.delayed == 0
    asked = pb.ListRequest(queues=pb.QueueSelector(group=tm.name), configured=True)
    [listed] = tm.stub.ListQueues(asked, timeout=60).queues
    assert listed == pb.QueueSummary(group=tm.name, name=b"q")
    asked.min_tasks = 1
    assert not tm.stub.ListQueues(asked, timeout=60).queues

    tm.configure("q")

    assert not tm.describe("q").queues


def test_options_belong_to_the_name_and_survive_deletion(tm):
    tm.enqueue("q", "1")
    tm.configure("q", paused=True)

    tm.delete("q")

    tm.enqueue("q", "2")
    assert tm.lease("q") == []
    tm.configure("q")
    assert tm.lease_one("q").pid == b"2"


def test_options_are_of_one_queue_of_one_group(tm):
    tm.configure("q", paused=True)
    for group, queue in ((tm, "q"), (tm, "q2"), (tm.other("-2"), "q")):
        group.enqueue(queue, "1")

    assert tm.lease("q") == []
    assert len(tm.lease("q2")) == 1
    assert len(tm.other("-2").lease("q")) == 1


def test_a_lease_over_many_queues_passes_over_the_paused_ones(tm):
    tm.update(*[enqueue(f"stage-{i}", "1") for i in range(6)])
    tm.configure("stage-1", paused=True)
    tm.configure("stage-4", paused=True)

    tasks = tm.lease(name_re="stage-.", max_tasks=100)

    assert sorted(task.queue for task in tasks) == [b"stage-0", b"stage-2", b"stage-3", b"stage-5"]


def test_a_cap_on_live_leases_holds_over_all_workers(tm):
    tm.enqueue("q", *"123456")
    tm.configure("q", max_leased=3)

    assert [task.pid for task in tm.lease("q", max_tasks=2)] == [b"1", b"2"]
    assert [task.pid for task in tm.lease("q", max_tasks=2)] == [b"3"]
    assert tm.lease("q", max_tasks=2) == []
    assert tm.sizes("q") == (3, 3, 0)


@pytest.mark.parametrize("how", ["dequeue", "release", "expiry"])
def test_what_ends_a_lease_makes_room_under_the_cap(tm, how):
    tm.enqueue("q", "1", "2", "3")
    tm.configure("q", max_leased=1)
    task = tm.lease_one("q")
    assert tm.lease("q") == []

    if how == "dequeue":
        assert tm.update(dequeue(task)).success
    elif how == "release":
        assert tm.update(release(task)).success
    else:
        assert tm.update(renew(task, 0.05)).success

    assert len(eventually(lambda: tm.lease("q", max_tasks=5))) == 1


def test_a_higher_cap_counts_at_once_and_a_lower_one_takes_nothing_away(tm):
    tm.enqueue("q", *"12345")
    tm.configure("q", max_leased=1)
    held = [tm.lease_one("q")]

    tm.configure("q", max_leased=4)
    held += tm.lease("q", max_tasks=9)
    assert len(held) == 4

    tm.configure("q", max_leased=2)
    assert tm.sizes("q") == (1, 4, 0)
    assert tm.update(*[dequeue(task) for task in held[:2]]).success
    assert tm.lease("q") == []
    assert tm.update(dequeue(held[2])).success
    assert len(tm.lease("q", max_tasks=9)) == 1


def test_a_request_may_bring_its_own_cap(tm):
    tm.enqueue("q", *"123456")

    assert len(tm.lease("q", max_tasks=9, max_leased_per_queue=2)) == 2
    assert tm.lease("q", max_tasks=9, max_leased_per_queue=2) == []
    assert len(tm.lease("q", max_tasks=9, max_leased_per_queue=3)) == 1
    # No cap.
    assert len(tm.lease("q", max_tasks=9)) == 3


def test_of_both_caps_the_lower_counts(tm):
    tm.enqueue("q", *"123456")
    tm.configure("q", max_leased=3)

    assert len(tm.lease("q", max_tasks=9, max_leased_per_queue=2)) == 2
    assert len(tm.lease("q", max_tasks=9, max_leased_per_queue=5)) == 1
    assert tm.lease("q", max_tasks=9) == []


def test_one_at_a_time_per_key_over_many_queues(tm):
    """A queue for each key, and a lease by pattern with a cap for each queue."""
    keys = [f"key-{i:03}" for i in range(200)]
    tm.update(*[enqueue(key, str(n)) for key in keys for n in range(3)])

    first = tm.lease(name_re="key-.*", max_tasks=10_000, max_leased_per_queue=1)
    assert sorted(task.queue.decode() for task in first) == keys
    assert {task.pid for task in first} == {b"0"}
    assert tm.lease(name_re="key-.*", max_tasks=10_000, max_leased_per_queue=1) == []

    done = [task for task in first if task.queue in (b"key-007", b"key-150")]
    assert tm.update(*[dequeue(task) for task in done]).success
    second = tm.lease(name_re="key-.*", max_tasks=10_000, max_leased_per_queue=1)
    assert sorted((task.queue, task.pid) for task in second) == [(b"key-007", b"1"), (b"key-150", b"1")]


def test_two_at_a_time_per_key_with_many_workers(tm):
    tm.update(*[enqueue(f"key-{i}", f"{n}") for i in range(5) for n in range(8)])
    running = {}
    for _ in range(30):
        tasks = tm.lease(name_re="key-.", max_tasks=3, max_leased_per_queue=2)
        for task in tasks:
            running.setdefault(task.queue, []).append(task)
        assert all(len(held) <= 2 for held in running.values())
        if not tasks:
            for queue in list(running):
                assert tm.update(*[dequeue(task) for task in running.pop(queue)]).success

    while tasks := tm.lease(name_re="key-.", max_tasks=100):
        assert tm.update(*[dequeue(task) for task in tasks]).success


def test_a_queue_at_its_cap_does_not_hold_up_the_others(tm):
    tm.enqueue("capped", *"123")
    tm.enqueue("free", *"123")
    tm.configure("capped", max_leased=1)

    tasks = tm.lease("capped", "free", max_tasks=9)

    assert sorted((task.queue, task.pid) for task in tasks) == [
        (b"capped", b"1"),
        (b"free", b"1"),
        (b"free", b"2"),
        (b"free", b"3"),
    ]


def test_a_paused_queue_with_delayed_tasks_lets_them_become_due(tm):
    tm.configure("q", paused=True)
    tm.enqueue("q", "1", not_before=tm.now() + 0.2)

    eventually(lambda: tm.sizes("q") == (1, 0, 0))
    assert tm.lease("q") == []
    tm.configure("q")
    assert tm.lease_one("q").attempt == 1


def test_options_may_be_set_for_names_of_any_bytes(tm):
    for name in (b"\x00", b"\xff\xfe", b"n" * 1024):
        tm.configure(name, paused=True)
        tm.enqueue(name, "1")
        assert tm.lease(name) == []
        tm.configure(name)
        assert len(tm.lease(name)) == 1
