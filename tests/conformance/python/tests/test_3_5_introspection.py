"""Section 3.5: what people see of their queues. Sizes are exact; rates and mean durations are soft."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, seconds
from support.group import eventually


def describe_one(tm, queue, **fields):
    [described] = tm.describe(queue, **fields).queues
    return described


def test_sizes_are_exact(tm):
    tm.enqueue("q", *[f"{i:02}" for i in range(30)])
    tm.enqueue("q", *[f"later-{i}" for i in range(5)], not_before=tm.now() + 3600)
    tasks = tm.lease("q", max_tasks=12)
    tm.update(*[dequeue(task) for task in tasks[:3]], *[release(task) for task in tasks[3:5]])

    described = describe_one(tm, "q")

    assert (described.summary.group, described.summary.name) == (tm.name, b"q")
    assert (described.summary.available, described.summary.leased, described.summary.delayed) == (20, 7, 5)


def test_time_counts_at_once(tm):
    tm.enqueue("q", "leased", "available")
    tm.enqueue("q", "z delayed", not_before=tm.now() + 0.3)
    tm.lease("q", max_pid="b")
    task = tm.lease_one("q", lease=0.3)
    assert task.pid == b"leased"

    eventually(lambda: tm.sizes("q") == (2, 1, 0))
    assert [queue.available for queue in tm.list("q").queues] == [2]
    states = {peeked.pid: peeked.state for peeked in tm.tasks("q")}
    assert states == {
        b"available": pb.PeekedTask.LEASED,
        b"leased": pb.PeekedTask.AVAILABLE,
        b"z delayed": pb.PeekedTask.AVAILABLE,
    }


def test_rates_show_what_goes_in_is_leased_and_goes_out(tm):
    tm.enqueue("q", *[str(i) for i in range(100)])
    tasks = tm.lease("q", max_tasks=50)
    tm.update(*[dequeue(task) for task in tasks[:20]])

    described = describe_one(tm, "q")

    assert described.enqueue_rate > described.lease_rate > described.dequeue_rate > 0


def test_the_mean_lease_duration_is_that_of_leases_that_ended_in_a_dequeue(tm):
    tm.enqueue("q", "a", "b", "c")
    assert not describe_one(tm, "q").HasField("mean_lease_duration")
    task = tm.lease_one("q", lease=600)
    [held] = tm.tasks("q")[:1]
    assert held.state == pb.PeekedTask.LEASED
    eventually(lambda: tm.now() > seconds(task.lease_expires) - 600 + 0.3)

    assert tm.update(dequeue(task)).success

    mean = seconds(describe_one(tm, "q").mean_lease_duration)
    assert 0.2 <= mean <= 60


def test_the_age_of_the_oldest_available_task_grows(tm):
    tm.enqueue("q", "a")
    eventually(lambda: seconds(describe_one(tm, "q").oldest_available_age) >= 0.2)
    tm.lease_one("q")

    # What is leased does not wait.
    assert not describe_one(tm, "q").HasField("oldest_available_age")


def test_expired_leases_are_counted(tm):
    tm.enqueue("q", "a", "b")
    tm.lease("q", max_tasks=2, lease=0.1)
    eventually(lambda: tm.sizes("q") == (2, 0, 0))
    tm.lease("q", max_tasks=2)

    eventually(lambda: describe_one(tm, "q").expired_leases == 2)


def test_a_sample_of_what_is_leased_shows_by_whom(tm):
    tm.enqueue("q", "a", "b")
    task = tm.lease_one("q", lease=300, worker="crawler 7 ü")
    before = seconds(task.lease_expires) - 300

    [sample] = describe_one(tm, "q", leased_sample=10).leased_sample

    assert (sample.pid, sample.lease_id, sample.worker, sample.attempt) == (b"a", task.lease_id, "crawler 7 ü", 1)
    assert sample.address
    assert abs(seconds(sample.leased) - before) < 0.01
    assert sample.lease_expires == task.lease_expires


def test_the_sample_is_no_larger_than_asked(tm):
    tm.enqueue("q", *[str(i) for i in range(10)])
    tm.lease("q", max_tasks=10)

    assert len(describe_one(tm, "q", leased_sample=4).leased_sample) == 4
    assert len(describe_one(tm, "q").leased_sample) == 0
    assert len(describe_one(tm, "q", leased_sample=100).leased_sample) == 10


def test_describe_names_the_node_and_the_generation(tm):
    tm.enqueue("q", "a")

    described = describe_one(tm, "q")

    assert described.node
    assert described.generation > 0


def test_the_total_is_over_all_matched_queues_shown_or_not(tm):
    for i in range(12):
        tm.enqueue(f"stage-{i:02}", "a", "b", "c")
        tm.lease(f"stage-{i:02}")
    tm.enqueue("stage-00", "later", not_before=tm.now() + 3600)
    tm.enqueue("other", "a")

    reply = tm.describe(name_re="stage-.*", max_queues=5)

    assert [queue.summary.name for queue in reply.queues] == [f"stage-{i:02}".encode() for i in range(5)]
    total = reply.total.summary
    assert (total.group, total.name) == (b"", b"")
    assert (total.available, total.leased, total.delayed) == (24, 12, 1)
    assert reply.total.enqueue_rate > 0
    assert list(reply.unreachable_nodes) == []


def test_describe_without_a_selector_is_of_the_whole_group(tm):
    tm.enqueue("a", "1")
    tm.enqueue("b", "1", "2")

    reply = tm.describe()

    assert [(queue.summary.name, queue.summary.available) for queue in reply.queues] == [(b"a", 1), (b"b", 2)]
    assert reply.total.summary.available == 3


def test_describe_over_all_groups_adds_up(tm, unique):
    for i in range(10):
        tm.other(f"-{i}").enqueue(unique, "a", "b")

    reply = tm.describe(unique, all_groups=True)

    assert [queue.summary.group for queue in reply.queues] == sorted(tm.other(f"-{i}").name for i in range(10))
    assert reply.total.summary.available == 20


def test_describe_shows_a_hundred_queues_if_nobody_says_how_many(tm):
    tm.update(*[enqueue(f"{i:03}", "a") for i in range(120)])

    reply = tm.describe()

    assert len(reply.queues) == 100
    assert reply.total.summary.available == 120


def test_peek_shows_tasks_in_order_and_leases_none(tm):
    tm.enqueue("q", "b", "a", "c", data="data", headers={"k": "v"})

    tasks = tm.peek("q", with_data=True).tasks

    assert [task.pid for task in tasks] == [b"a", b"b", b"c"]
    for task in tasks:
        assert (task.data, task.data_bytes, dict(task.headers)) == (b"data", 4, {"k": "v"})
        assert (task.state, task.attempt) == (pb.PeekedTask.AVAILABLE, 0)
        assert abs(seconds(task.enqueued) - tm.now()) < 60
        assert not task.HasField("until")
    assert tm.sizes("q") == (3, 0, 0)


def test_peek_without_data_tells_only_their_size(tm):
    tm.enqueue("q", "a", data=bytes(12_345))

    [task] = tm.peek("q").tasks

    assert (task.data, task.data_bytes) == (b"", 12_345)


def test_peek_shows_the_state_of_each_task_and_until_when(tm):
    due = tm.now() + 3600
    tm.enqueue("q", "a", "b")
    tm.enqueue("q", "c", not_before=due)
    leased = tm.lease_one("q", lease=300)

    a, b, c = tm.peek("q").tasks

    assert (a.state, a.until, a.attempt) == (pb.PeekedTask.LEASED, leased.lease_expires, 1)
    assert (b.state, b.HasField("until"), b.attempt) == (pb.PeekedTask.AVAILABLE, False, 0)
    assert (c.state, c.attempt) == (pb.PeekedTask.DELAYED, 0)
    assert abs(seconds(c.until) - due) < 0.01


def test_peek_pages_through_a_queue(tm):
    pids = [f"{i:03}".encode() for i in range(25)]
    tm.enqueue("q", *pids)

    found, start = [], b""
    for _ in range(100):
        page = tm.peek("q", start, max_tasks=10)
        assert len(page.tasks) <= 10
        found += [task.pid for task in page.tasks]
        start = page.next_pid
        if not start:
            break

    assert found == pids


def test_peek_starts_at_the_priority_that_is_asked_for(tm):
    tm.enqueue("q", "a", "b", "c")

    assert [task.pid for task in tm.peek("q", "b").tasks] == [b"b", b"c"]
    assert [task.pid for task in tm.peek("q", "b\x00").tasks] == [b"c"]
    assert tm.peek("q", "d") == pb.PeekReply()


def test_peek_shows_a_hundred_tasks_if_nobody_says_how_many(tm):
    tm.enqueue("q", *[f"{i:03}" for i in range(150)])

    page = tm.peek("q")

    assert len(page.tasks) == 100
    assert page.next_pid == b"100"


def test_peek_keeps_to_its_bytes_but_shows_one_task(tm):
    tm.enqueue("q", *[str(i) for i in range(6)], data=bytes(10_000))

    page = tm.peek("q", with_data=True, max_bytes=25_000)
    assert [len(task.data) for task in page.tasks] == [10_000, 10_000]
    assert page.next_pid == b"2"
    page = tm.peek("q", page.next_pid, with_data=True, max_bytes=1)
    assert [task.pid for task in page.tasks] == [b"2"]


def test_peek_into_nothing_is_empty(tm):
    assert tm.peek("no such queue") == pb.PeekReply()


@pytest.mark.parametrize("state", ["available", "leased", "delayed"])
def test_what_is_peeked_can_be_read_again(tm, state):
    tm.enqueue("q", "pid", data="x", not_before=tm.now() + 3600 if state == "delayed" else None)
    if state == "leased":
        tm.lease_one("q")

    assert tm.tasks("q") == tm.tasks("q")
    assert [task.data for task in tm.tasks("q")] == [b"x"]
