"""Section 3.3 and 5.6: exclusive leases of arbitrary length, renewed as a heart-beat, lazily expired, fenced by their ids."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, seconds
from support.group import eventually


def expired(tm, queue, count=1):
    """Waits until so many leases of a queue have run out; time counts at once, so it shows."""
    eventually(lambda: tm.sizes(queue)[0] >= count)


def test_leases_are_exclusive(tm):
    tm.enqueue("q", *[f"{i:03}" for i in range(100)])

    with ThreadPoolExecutor(8) as pool:
        leased = list(pool.map(lambda _: tm.lease("q", max_tasks=7), range(20)))

    pids = [task.pid for tasks in leased for task in tasks]
    assert len(pids) == len(set(pids)) == 100
    assert tm.sizes("q") == (0, 100, 0)
    assert tm.lease("q") == []


def test_the_first_of_the_order_are_leased(tm):
    tm.enqueue("q", "c", "a", "e", "b", "d")

    assert [task.pid for task in tm.lease("q", max_tasks=3)] == [b"a", b"b", b"c"]
    assert [task.pid for task in tm.lease("q", max_tasks=3)] == [b"d", b"e"]


def test_without_a_number_one_task_is_leased(tm):
    tm.enqueue("q", "a", "b")

    assert [task.pid for task in tm.lease("q")] == [b"a"]


def test_nothing_to_lease_is_an_empty_reply_at_once(tm):
    assert tm.lease("no such queue", max_tasks=10) == []


def test_a_lease_lasts_as_long_as_was_asked(tm):
    tm.enqueue("q", "a", "b")
    before = tm.now()

    a = tm.lease_one("q", lease=300)
    b = tm.lease_one("q")

    after = tm.now()
    assert before + 300 - 1 <= seconds(a.lease_expires) <= after + 300 + 1
    # Absent: 60 s.
    assert before + 60 - 1 <= seconds(b.lease_expires) <= after + 60 + 1


def test_an_expired_lease_is_offered_again(tm):
    tm.enqueue("q", "pid", data="work", headers={"k": "v"})
    first = tm.lease_one("q", lease=1.5)
    assert tm.lease("q") == []

    second = tm.lease_one("q", wait=30)

    assert (second.pid, second.data, dict(second.headers)) == (b"pid", b"work", {"k": "v"})
    assert second.enqueued == first.enqueued
    assert second.attempt == 2
    assert second.lease_id > first.lease_id


def test_an_expired_task_is_offered_in_its_own_place(tm):
    tm.enqueue("q", "1", "2", "3", "4")
    assert [task.pid for task in tm.lease("q", max_tasks=2, lease=0.1)] == [b"1", b"2"]
    expired(tm, "q", 4)

    assert [task.pid for task in tm.lease("q", max_tasks=4)] == [b"1", b"2", b"3", b"4"]


def test_a_late_dequeue_may_succeed(tm):
    """The server is forgiving of slight violations: nobody has taken the task over."""
    tm.enqueue("q", "pid")
    late = tm.lease_one("q", lease=0.1)
    expired(tm, "q")

    assert list(tm.update(dequeue(late)).dequeue_status) == [pb.OK]
    assert tm.sizes("q") == (0, 0, 0)


def test_a_late_dequeue_must_not_take_the_task_from_its_new_worker(tm):
    tm.enqueue("q", "pid")
    late = tm.lease_one("q", lease=0.1)
    new = tm.lease_one("q", wait=30)

    reply = tm.update(dequeue(late))

    assert not reply.success
    assert list(reply.dequeue_status) == [pb.LEASE_LOST]
    assert tm.sizes("q") == (0, 1, 0)
    assert tm.update(dequeue(new)).success


def test_a_lease_that_was_given_up_is_lost(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")
    assert tm.update(release(task)).success

    assert list(tm.update(dequeue(task)).dequeue_status) == [pb.LEASE_LOST]
    assert list(tm.update(release(task)).release_status) == [pb.LEASE_LOST]
    assert list(tm.update(renew(task)).renew_status) == [pb.LEASE_LOST]
    assert tm.sizes("q") == (1, 0, 0)


def test_lease_ids_grow_with_every_lease_of_a_task(tm):
    tm.enqueue("q", "pid")
    ids, attempts = [], []
    for _ in range(5):
        task = tm.lease_one("q")
        ids.append(task.lease_id)
        attempts.append(task.attempt)
        assert tm.update(release(task)).success

    assert ids == sorted(set(ids))
    assert attempts == [1, 2, 3, 4, 5]


def test_a_lease_that_was_released_untried_is_no_attempt(tm):
    tm.enqueue("q", "pid")
    ids, attempts = [], []
    for untried in (True, False, True, True, False):
        task = tm.lease_one("q")
        ids.append(task.lease_id)
        attempts.append(task.attempt)
        assert tm.update(release(task, untried=untried)).success

    # A lease all the same: it fences off those before it.
    assert ids == sorted(set(ids))
    assert attempts == [1, 1, 2, 2, 2]


def test_a_release_gives_the_task_back_in_its_own_place(tm):
    tm.enqueue("q", "1", "2", "3")
    first = tm.lease_one("q")
    tm.lease_one("q")

    reply = tm.update(release(first))

    assert reply.success
    assert list(reply.release_status) == [pb.OK]
    assert [task.pid for task in tm.lease("q", max_tasks=3)] == [b"1", b"3"]


def test_a_late_release_counts_while_nobody_has_taken_over(tm):
    tm.enqueue("q", "pid")
    late = tm.lease_one("q", lease=0.1)
    expired(tm, "q")

    assert list(tm.update(release(late)).release_status) == [pb.OK]
    new = tm.lease_one("q")
    assert list(tm.update(release(late)).release_status) == [pb.LEASE_LOST]
    assert tm.update(dequeue(new)).success


def test_an_administrator_releases_whoever_holds_the_lease(tm):
    tm.enqueue("q", "pid")
    held = tm.lease_one("q", lease=3600)

    assert list(tm.update(release("q", "pid")).release_status) == [pb.OK]

    assert tm.sizes("q") == (1, 0, 0)
    assert list(tm.update(dequeue(held)).dequeue_status) == [pb.LEASE_LOST]


def test_a_release_of_what_nobody_holds_is_refused(tm):
    tm.enqueue("q", "pid")

    assert list(tm.update(release("q", "pid")).release_status) == [pb.LEASE_LOST]
    assert list(tm.update(release("q", "none")).release_status) == [pb.NOT_FOUND]


@pytest.mark.parametrize("state", ["available", "leased", "expired", "delayed"])
def test_a_dequeue_without_a_lease_is_unconditional(tm, state):
    tm.enqueue("q", "pid", not_before=tm.now() + 3600 if state == "delayed" else None)
    if state == "leased":
        tm.lease_one("q")
    if state == "expired":
        tm.lease_one("q", lease=0.1)
        expired(tm, "q")

    assert list(tm.update(dequeue("q", "pid")).dequeue_status) == [pb.OK]
    assert tm.sizes("q") == (0, 0, 0)
    assert tm.names() == []


def test_a_dequeue_of_what_is_not_there_is_refused(tm):
    tm.enqueue("q", "pid")

    assert list(tm.update(dequeue("q", "other")).dequeue_status) == [pb.NOT_FOUND]
    assert list(tm.update(dequeue("other", "pid")).dequeue_status) == [pb.NOT_FOUND]
    assert list(tm.update(dequeue("q", "other", lease_id=7)).dequeue_status) == [pb.NOT_FOUND]


def test_a_task_is_dequeued_once(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: tm.update(dequeue(task)), range(8)))

    statuses = sorted(reply.dequeue_status[0] for reply in replies)
    assert statuses == [pb.OK] + [pb.NOT_FOUND] * 7


def test_a_renewed_lease_lasts_longer(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=2)

    reply = tm.update(renew(task, 600))

    assert list(reply.renew_status) == [pb.OK]
    [sample] = tm.describe("q", leased_sample=1).queues[0].leased_sample
    assert seconds(sample.lease_expires) > seconds(task.lease_expires) + 500
    eventually(lambda: tm.now() > seconds(task.lease_expires) + 0.1)
    assert tm.lease("q") == []
    assert tm.update(dequeue(task)).success


def test_a_renewal_may_shorten_a_lease(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=3600)

    assert list(tm.update(renew(task, 0.1)).renew_status) == [pb.OK]

    assert tm.lease_one("q", wait=30).attempt == 2


def test_a_renewal_without_a_length_is_for_a_minute(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=3600)
    before = tm.now()

    assert tm.update(renew(task)).success

    [peeked] = tm.tasks("q")
    assert before + 60 - 1 <= seconds(peeked.until) <= tm.now() + 60 + 1


def test_a_lease_is_renewed_any_number_of_times(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=20)

    for _ in range(100):
        assert list(tm.update(renew(task, 20)).renew_status) == [pb.OK]

    assert tm.lease("q") == []
    assert tm.update(dequeue(task)).success


def test_a_renewal_too_late_is_ignored_and_reported(tm):
    tm.enqueue("q", "pid")
    late = tm.lease_one("q", lease=0.1)
    expired(tm, "q")

    reply = tm.update(renew(late, 600), enqueue("next", "x"))

    assert reply.success
    assert list(reply.renew_status) == [pb.LEASE_EXPIRED]
    assert list(reply.enqueue_status) == [pb.OK]
    assert tm.sizes("q") == (1, 0, 0)
    assert tm.lease_one("q").attempt == 2


def test_a_renewal_of_what_is_lost_or_gone_is_ignored_and_reported(tm):
    tm.enqueue("q", "taken", "done")
    taken, done = sorted(tm.lease("q", max_tasks=2, lease=0.1), key=lambda task: task.pid, reverse=True)
    expired(tm, "q", 2)
    assert tm.update(dequeue(done)).success
    tm.lease_one("q")

    reply = tm.update(renew(taken, 60), renew(done, 60), enqueue("next", "x"))

    assert reply.success
    assert list(reply.renew_status) == [pb.LEASE_LOST, pb.NOT_FOUND]
    assert tm.pids("next") == [b"x"]


def test_a_valid_renewal_outlives_the_update_that_is_refused(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=5)

    reply = tm.update(renew(task, 600), dequeue("q", "none"))

    assert not reply.success
    assert list(reply.renew_status) == [pb.OK]
    assert seconds(tm.tasks("q")[0].until) > seconds(task.lease_expires) + 500


def test_a_filter_lets_only_smaller_priorities_through(tm):
    """As for backing off: PIDs are times, and workers lease what is due."""
    tm.enqueue("backoff", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04")

    assert [task.pid for task in tm.lease("backoff", max_tasks=9, max_pid="2026-01-02")] == [b"2026-01-01", b"2026-01-02"]
    assert tm.lease("backoff", max_tasks=9, max_pid="2026-01-02") == []
    assert [task.pid for task in tm.lease("backoff", max_tasks=9)] == [b"2026-01-03", b"2026-01-04"]


def test_a_filter_of_the_empty_priority_is_a_filter(tm):
    tm.enqueue("q", b"", b"\x00", b"a")

    assert [task.pid for task in tm.lease("q", max_tasks=9, max_pid=b"")] == [b""]
    assert [task.pid for task in tm.lease("q", max_tasks=9, max_pid=b"\x00\xff")] == [b"\x00"]


def test_a_lease_takes_no_more_bytes_than_asked_but_one_task(tm):
    tm.enqueue("q", *[f"{i}" for i in range(8)], data=bytes(10_000))

    assert len(tm.lease("q", max_tasks=8, max_bytes=35_000)) == 3
    assert len(tm.lease("q", max_tasks=8, max_bytes=1)) == 1
    assert len(tm.lease("q", max_tasks=8)) == 4


def test_a_lease_over_several_queues_takes_from_all(tm):
    for queue in ("a", "b", "c"):
        tm.enqueue(queue, "1", "2", "3")

    tasks = tm.lease("a", "b", "c", "none", max_tasks=6)

    assert sorted((task.queue, task.pid) for task in tasks) == [
        (queue, pid) for queue in (b"a", b"b", b"c") for pid in (b"1", b"2")
    ]


def test_a_lease_by_pattern_takes_from_the_queues_whose_whole_name_matches(tm):
    for queue in ("google.com#fetch_stage", "youtube.com#fetch_stage", "google.com#index_stage", "x#fetch_stage#old"):
        tm.enqueue(queue, "1", "2")

    tasks = tm.lease(name_re="[a-z.]*#fetch_stage", max_tasks=100)

    assert {task.queue for task in tasks} == {b"google.com#fetch_stage", b"youtube.com#fetch_stage"}
    assert len(tasks) == 4


def test_a_pattern_can_leave_dead_letters_out_and_a_name_still_takes_them(tm):
    for queue in ("a", "a.dead", "b.dead", ".dead"):
        tm.enqueue(queue, "1")

    assert sorted(tm.names(name_re="(?s).*", without_dead_letters=True)) == [b".dead", b"a"]
    assert {task.queue for task in tm.lease(name_re=".*", without_dead_letters=True, max_tasks=100)} == {b".dead", b"a"}
    assert [task.queue for task in tm.lease("b.dead", name_re=".*", without_dead_letters=True)] == [b"b.dead"]
    assert [task.queue for task in tm.lease(name_re=".*", max_tasks=100)] == [b"a.dead"]


def test_a_lease_by_names_and_pattern_takes_from_their_union(tm):
    for queue in ("a", "b", "c1", "c2"):
        tm.enqueue(queue, "1")

    tasks = tm.lease("a", "a", "c1", name_re="c.*", max_tasks=100)

    assert sorted(task.queue for task in tasks) == [b"a", b"c1", b"c2"]


def test_a_crashed_workers_tasks_come_before_those_behind_them(tm):
    """Leases of a worker that is gone simply expire, and another takes them up."""
    tm.enqueue("q", *[str(i) for i in range(6)])
    tm.lease("q", max_tasks=3, lease=0.3, worker="crashes")
    done = []
    while len(done) < 6:
        for task in tm.lease("q", max_tasks=2, wait=30, worker="lives"):
            assert tm.update(dequeue(task)).success
            done.append(task.pid)

    assert sorted(done) == [b"0", b"1", b"2", b"3", b"4", b"5"]
    assert tm.sizes("q") == (0, 0, 0)
