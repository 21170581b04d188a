"""request_id: a retried update is applied once, and answered with its first reply."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew
from support.group import eventually
from support.refusals import refused


def test_a_repeated_update_is_applied_once_and_gets_its_first_reply(tm):
    first = tm.update(enqueue("log", data="line"), request_id="r1")

    again = [tm.update(enqueue("log", data="line"), request_id="r1") for _ in range(3)]

    assert first.success
    assert again == [first] * 3
    assert tm.pids("log") == list(first.assigned_pid)


def test_different_ids_are_different_updates(tm):
    for i in range(5):
        assert tm.update(enqueue("log"), request_id=f"r{i}").success

    assert tm.sizes("log") == (5, 0, 0)


def test_without_an_id_nothing_is_remembered(tm):
    tm.update(enqueue("log"), request_id="")
    tm.update(enqueue("log"), request_id=b"")
    tm.update(enqueue("log"))

    assert tm.sizes("log") == (3, 0, 0)


def test_a_repeated_update_is_not_applied_again_when_its_effect_is_gone(tm):
    first = tm.update(enqueue("q", "pid", "data"), request_id="r")
    assert tm.update(dequeue("q", "pid")).success

    assert tm.update(enqueue("q", "pid", "data"), request_id="r") == first

    assert tm.names() == []


def test_a_repeated_dequeue_is_told_that_it_is_done(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")
    first = tm.update(dequeue(task), enqueue("next", "pid"), request_id="hand-off")
    assert first.success

    assert tm.update(dequeue(task), enqueue("next", "pid"), request_id="hand-off") == first
    # What a client without an id would be told.
    assert list(tm.update(dequeue(task)).dequeue_status) == [pb.NOT_FOUND]
    assert tm.sizes("next") == (1, 0, 0)


def test_the_first_reply_comes_whatever_the_second_request_is(tm):
    first = tm.update(enqueue("a", "1"), enqueue("a", "2"), request_id="r")

    second = tm.update(dequeue("a", "1"), enqueue("b", "3"), request_id="r")

    assert second == first
    assert tm.names() == [b"a"]
    assert tm.pids("a") == [b"1", b"2"]


def test_a_refused_update_is_not_remembered(tm):
    failed = tm.update(dequeue("q", "pid"), request_id="r")
    assert not failed.success
    tm.enqueue("q", "pid")

    applied = tm.update(dequeue("q", "pid"), request_id="r")

    assert applied.success
    assert tm.names() == []
    assert tm.update(dequeue("q", "pid"), request_id="r") == applied


def test_an_update_with_a_fault_is_not_remembered(tm):
    with refused("QUEUE_NAME_EMPTY"):
        tm.update(enqueue("", "pid"), request_id="r")

    assert tm.update(enqueue("q", "pid"), request_id="r").success
    assert tm.pids("q") == [b"pid"]


def test_a_reply_of_many_kinds_of_statuses_is_repeated_as_it_was(tm):
    tm.enqueue("q", *"abcde")
    a, b, c, d, e = tm.lease("q", max_tasks=5)
    elements = [
        enqueue("log"),
        enqueue("q", "e"),
        enqueue("q", "e", if_exists=pb.RERUN),
        enqueue("log"),
        enqueue("q", b""),
        dequeue(a),
        dequeue(b),
        release(c),
        release(d, not_before=tm.now() + 3600),
        renew(e, 60),
        renew("q", pid="none", lease_id=3),
        renew("q", pid="e", lease_id=e.lease_id + 1),
    ]
    first = tm.update(*elements, request_id="r")
    assert first.success
    assert list(first.enqueue_status) == [pb.OK, pb.COLLAPSED, pb.OK, pb.OK, pb.OK]
    assert list(first.renew_status) == [pb.OK, pb.NOT_FOUND, pb.LEASE_LOST]

    assert tm.update(*elements, request_id="r") == first
    assert tm.sizes("log") == (2, 0, 0)


def test_a_collapsed_enqueue_is_remembered(tm):
    tm.enqueue("q", "pid")
    first = tm.update(enqueue("q", "pid"), request_id="r")
    assert list(first.enqueue_status) == [pb.COLLAPSED]
    assert tm.update(dequeue("q", "pid")).success

    assert tm.update(enqueue("q", "pid"), request_id="r") == first
    assert tm.names() == []


def test_a_repeated_renewal_renews_once(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=600)
    first = tm.update(renew(task, 300), request_id="r")
    until = tm.tasks("q")[0].until

    assert tm.update(renew(task, 3600), request_id="r") == first

    assert tm.tasks("q")[0].until == until


def test_ids_are_of_a_group(tm):
    first = tm.update(enqueue("log"), request_id="r")
    other = tm.other("-2").update(enqueue("log"), request_id="r")

    assert first.success and other.success
    assert tm.sizes("log") == tm.other("-2").sizes("log") == (1, 0, 0)


@pytest.mark.parametrize(
    "request_id",
    [b"\x00", b"\x00" * 64, b"\xff" * 64, b"r\x00", bytes(range(64)), b"\xc3\x28"],
    ids=["zero", "zeros", "ones", "trailing zero", "all", "not UTF-8"],
)
def test_ids_are_any_bytes(tm, request_id):
    first = tm.update(enqueue("log"), request_id=request_id)

    assert tm.update(enqueue("log"), request_id=request_id) == first
    # Near it are others.
    assert tm.update(enqueue("log"), request_id=request_id[:-1] + b"x") != first
    assert tm.sizes("log") == (2, 0, 0)


def test_ids_outlive_the_deletion_of_the_queue(tm):
    first = tm.update(enqueue("q", "pid"), request_id="r")
    tm.delete("q")

    assert tm.update(enqueue("q", "pid"), request_id="r") == first
    assert tm.names() == []


def test_of_repeats_at_the_same_time_one_is_applied(tm):
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda i: tm.update(enqueue("log"), request_id=f"r{i % 5}"), range(80)))

    assert tm.sizes("log") == (5, 0, 0)
    for i in range(5):
        assert len({reply.SerializeToString(deterministic=True) for reply in replies[i::5]}) == 1


def test_a_retry_after_the_client_gave_up_is_safe(tm):
    """The client does not know whether its update came through; with its id it need not."""
    request = tm.update_request(enqueue("log", data="once"), request_id="r")
    for _ in range(20):
        tm.stub.UpdateTasks.future(request, timeout=60).cancel()

    reply = tm.stub.UpdateTasks(request, timeout=60)

    assert reply.success
    assert tm.pids("log") == list(reply.assigned_pid)


def test_thousands_of_ids_are_remembered(tm):
    ids = [f"request {i}" for i in range(2000)]
    replies = tm.batch(*[tm.update_request(enqueue("log"), request_id=each) for each in ids[:1000]])
    replies += tm.batch(*[tm.update_request(enqueue("log"), request_id=each) for each in ids[1000:]])

    for i in range(0, 2000, 97):
        assert tm.update(enqueue("log"), request_id=ids[i]) == replies[i].update
    assert tm.sizes("log") == (2000, 0, 0)


def test_ids_that_were_flushed_are_still_remembered(tm):
    first = tm.update(enqueue("log"), request_id="r")
    # Longer than the flush interval, seen from outside only by the clock.
    start = tm.now()
    eventually(lambda: tm.now() > start + 1.5)

    assert tm.update(enqueue("log"), request_id="r") == first
