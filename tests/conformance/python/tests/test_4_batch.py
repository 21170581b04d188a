"""Section 4: several independent updates and leases in one call. Each is atomic on its own, in order per group, and fails alone."""

import pytest

from google.rpc import code_pb2

from support.contract import pb
from support.elements import dequeue, enqueue, lease_request, release, selector
from support.group import eventually
from support.refusals import is_error, refused


def kinds(results):
    return [result.WhichOneof("kind") for result in results]


def test_results_come_in_the_order_of_the_operations(tm):
    tm.enqueue("in", "1", "2", "3")

    results = tm.batch(
        tm.update_request(enqueue("out", "a")),
        tm.lease_request("in", max_tasks=2),
        tm.update_request(enqueue("out", "a")),
        tm.lease_request("in", max_tasks=2),
        tm.lease_request("in", max_tasks=2),
    )

    assert kinds(results) == ["update", "lease", "update", "lease", "lease"]
    assert [list(results[i].update.enqueue_status) for i in (0, 2)] == [[pb.OK], [pb.COLLAPSED]]
    assert [[task.pid for task in results[i].lease.tasks] for i in (1, 3, 4)] == [[b"1", b"2"], [b"3"], []]


def test_within_a_group_each_operation_sees_those_before_it(tm):
    tm.enqueue("q", "there")
    held = tm.lease_one("q")

    results = tm.batch(
        tm.update_request(enqueue("new", "x", "data")),
        tm.lease_request("new"),
        tm.update_request(dequeue("new", "x")),
        tm.lease_request("new"),
        tm.update_request(release(held)),
        tm.lease_request("q"),
        tm.update_request(dequeue(held)),
    )

    assert [task.data for task in results[1].lease.tasks] == [b"data"]
    assert results[2].update.success
    assert len(results[3].lease.tasks) == 0
    assert [task.attempt for task in results[5].lease.tasks] == [2]
    assert list(results[6].update.dequeue_status) == [pb.LEASE_LOST]


def test_an_operation_that_is_refused_leaves_the_others_alone(tm):
    results = tm.batch(
        tm.update_request(enqueue("a", "1")),
        tm.update_request(enqueue("b", "1"), dequeue("b", "none")),
        tm.update_request(enqueue("c", "1")),
    )

    assert [result.update.success for result in results] == [True, False, True]
    assert list(results[1].update.enqueue_status) == [pb.ABORTED]
    assert list(results[1].update.dequeue_status) == [pb.NOT_FOUND]
    assert tm.names() == [b"a", b"c"]


def test_an_operation_with_a_fault_is_an_error_in_its_place(tm):
    results = tm.batch(
        tm.update_request(enqueue("q", "1")),
        tm.update_request(enqueue("", "1")),
        tm.update_request(enqueue("q", bytes(4097))),
        tm.update_request(enqueue("q", "x", if_exists=99)),
        tm.update_request(enqueue("q", "x"), request_id=bytes(65)),
        lease_request(selector(tm.name)),
        tm.lease_request("q", max_tasks=10_001),
        tm.lease_request("q", lease=0),
        tm.lease_request(name_re="("),
        tm.update_request(enqueue("q", "2")),
    )

    assert kinds(results) == ["update"] + ["error"] * 8 + ["update"]
    for result, reason in zip(
        results[1:9],
        [
            "QUEUE_NAME_EMPTY",
            "PID_TOO_LONG",
            "INVALID_FIELD",
            "REQUEST_ID_TOO_LONG",
            "EMPTY_SELECTOR",
            "LEASE_TOO_LARGE",
            "DURATION_OUT_OF_RANGE",
            "BAD_PATTERN",
        ],
        strict=True,
    ):
        is_error(result, reason)
    assert tm.pids("q") == [b"1", b"2"]


@pytest.mark.parametrize("wait", [0.001, 1, 60])
def test_a_lease_that_would_wait_is_refused_in_its_place(tm, wait):
    tm.enqueue("q", "1")

    results = tm.batch(tm.lease_request("q", wait=wait), tm.lease_request("q"))

    is_error(results[0], "WAIT_IN_BATCH", code_pb2.INVALID_ARGUMENT)
    assert [task.pid for task in results[1].lease.tasks] == [b"1"]


def test_an_operation_that_is_nothing_is_an_error_in_its_place(tm):
    request = pb.BatchRequest(operations=[pb.BatchRequest.Operation(), pb.BatchRequest.Operation()])
    request.operations[1].update.CopyFrom(tm.update_request(enqueue("q", "1")))

    results = tm.stub.Batch(request, timeout=60).results

    is_error(results[0], "INVALID_FIELD")
    assert results[1].update.success


def test_a_batch_of_nothing_has_no_results(tm):
    assert tm.batch() == []


def test_a_batch_reaches_over_groups(tm):
    groups = [tm.other(f"-{i}") for i in range(30)]

    results = tm.batch(
        *[group.update_request(enqueue("q", "pid", group.name)) for group in groups],
        *[group.lease_request("q") for group in groups],
    )

    assert all(result.update.success for result in results[:30])
    assert [[task.data for task in result.lease.tasks] for result in results[30:]] == [[group.name] for group in groups]


def test_a_batch_may_lease_over_all_groups(tm, unique):
    tm.enqueue(unique, "1")
    tm.other("-2").enqueue(unique, "2")

    [result] = tm.batch(tm.lease_request(unique, all_groups=True, max_tasks=9))

    assert sorted(task.pid for task in result.lease.tasks) == [b"1", b"2"]


def test_first_in_first_out_holds_over_a_batch(tm):
    results = tm.batch(*[tm.update_request(enqueue("log", data=str(i))) for i in range(100)])

    pids = [result.update.assigned_pid[0] for result in results]
    assert pids == sorted(set(pids))
    assert [int(task.data) for task in tm.lease("log", max_tasks=100)] == list(range(100))


def test_a_request_id_counts_in_a_batch(tm):
    results = tm.batch(
        tm.update_request(enqueue("log"), request_id="r"),
        tm.update_request(enqueue("log"), request_id="other"),
        tm.update_request(enqueue("log"), request_id="r"),
    )

    assert results[2] == results[0]
    assert tm.update(enqueue("log"), request_id="r") == results[0].update
    assert tm.sizes("log") == (2, 0, 0)


def test_a_worker_finishes_and_leases_anew_in_one_call(tm):
    tm.enqueue("q", *[f"{i:02}" for i in range(20)])
    done, tasks = [], tm.lease("q", max_tasks=3)
    while tasks:
        done += [task.pid for task in tasks]
        finished, leased = tm.batch(
            tm.update_request(*[dequeue(task) for task in tasks]), tm.lease_request("q", max_tasks=3)
        )
        assert finished.update.success
        tasks = list(leased.lease.tasks)

    assert done == [f"{i:02}".encode() for i in range(20)]
    assert tm.names() == []


def test_a_batch_of_as_many_operations_as_there_may_be(tm):
    def batch(operations):
        operation = pb.BatchRequest.Operation(update=tm.update_request(enqueue("q")))
        return tm.stub.Batch(pb.BatchRequest(operations=[operation] * operations), timeout=120)

    with refused("BATCH_TOO_LARGE"):
        batch(10_001)
    assert tm.names() == []

    results = batch(10_000).results
    assert len(results) == 10_000
    assert all(result.update.success for result in results)
    assert tm.sizes("q") == (10_000, 0, 0)


def test_a_batch_of_as_many_bytes_as_there_may_be(tm):
    def batch(size):
        operation = pb.BatchRequest.Operation(update=tm.update_request(enqueue("q", data=bytes(8 << 20))))
        last = pb.BatchRequest.Operation(update=tm.update_request(enqueue("q")))
        request = pb.BatchRequest(operations=[operation] * 3 + [last])
        filler = request.operations[3].update.enqueue[0]
        while missing := size - request.ByteSize():
            filler.data = bytes(len(filler.data) + missing)
        return tm.stub.Batch(request, timeout=120)

    with refused("BATCH_TOO_LARGE"):
        batch((32 << 20) + 1)
    assert tm.names() == []

    def is_taken():
        tm.delete("q")
        results = batch(32 << 20).results
        # Behind a slow store there may be room for some of it only.
        assert all(result.update.success or result.error.reason == "OVERLOADED" for result in results)
        return all(result.update.success for result in results)

    eventually(is_taken)
    assert tm.sizes("q") == (4, 0, 0)
    tm.delete("q")
