"""Requests that can never succeed are refused with the reason, whatever else they hold; and nothing of them is done."""

import pytest

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew, selector, timestamp
from support.group import DEADLINE
from support.refusals import refused

UNKNOWN = 99


@pytest.mark.parametrize(
    "element",
    [
        enqueue("", "pid"),
        enqueue(""),
        dequeue("", "pid"),
        renew("", pid="pid", lease_id=1),
        release("", "pid"),
    ],
    ids=["enqueue", "enqueue FIFO", "dequeue", "renew", "release"],
)
def test_an_element_of_a_queue_without_a_name_refuses_the_update(tm, element):
    with refused("QUEUE_NAME_EMPTY"):
        tm.update(enqueue("q", "pid"), element)

    assert tm.names() == []


@pytest.mark.parametrize("call", ["lease", "list", "describe", "delete", "peek", "configure"])
def test_a_queue_without_a_name_is_refused_everywhere(tm, call):
    with refused("QUEUE_NAME_EMPTY"):
        getattr(tm, call)("")
    if call in ("lease", "list", "describe", "delete"):
        with refused("QUEUE_NAME_EMPTY"):
            getattr(tm, call)("q", "", "r")


@pytest.mark.parametrize("element", range(3))
def test_an_unknown_way_to_enqueue_refuses_the_update(tm, element):
    elements = [enqueue("q", str(i)) for i in range(3)]
    elements[element].if_exists = UNKNOWN

    with refused("INVALID_FIELD"):
        tm.update(*elements)

    assert tm.names() == []


def test_an_unknown_service_class_is_refused(tm):
    with refused("INVALID_FIELD"):
        tm.update(enqueue("q", "pid"), service_class=UNKNOWN)
    assert tm.names() == []

    tm.enqueue("q", "pid")
    with refused("INVALID_FIELD"):
        tm.lease("q", service_class=UNKNOWN)
    assert tm.sizes("q") == (1, 0, 0)


@pytest.mark.parametrize("call", ["lease", "delete"])
@pytest.mark.parametrize("all_groups", [False, True])
def test_what_takes_or_deletes_wants_to_know_of_which_queues(tm, call, all_groups):
    tm.enqueue("q", "pid")

    with refused("EMPTY_SELECTOR"):
        getattr(tm, call)(all_groups=all_groups)

    assert tm.sizes("q") == (1, 0, 0)


@pytest.mark.parametrize("call", ["LeaseTasks", "DeleteQueues"])
def test_a_selector_that_is_missing_is_an_empty_one(tm, call):
    request = {"LeaseTasks": pb.LeaseRequest(), "DeleteQueues": pb.DeleteRequest()}[call]

    with refused("EMPTY_SELECTOR"):
        getattr(tm.stub, call)(request, timeout=DEADLINE)


@pytest.mark.parametrize("call", ["ListQueues", "DescribeQueues", "LeaseTasks", "DeleteQueues"])
def test_one_group_and_all_groups_contradict_each_other(tm, call):
    both = selector(tm.name, ["q"])
    both.all_groups = True
    requests = {
        "ListQueues": pb.ListRequest(queues=both),
        "DescribeQueues": pb.DescribeRequest(queues=both),
        "LeaseTasks": pb.LeaseRequest(queues=both),
        "DeleteQueues": pb.DeleteRequest(queues=both),
    }
    tm.enqueue("q", "pid")

    with refused("INVALID_FIELD"):
        getattr(tm.stub, call)(requests[call], timeout=DEADLINE)

    assert tm.sizes("q") == (1, 0, 0)


@pytest.mark.parametrize("call", ["lease", "list", "describe", "delete"])
def test_a_pattern_that_is_none_is_refused_everywhere(tm, call):
    tm.enqueue("q", "pid")

    with refused("BAD_PATTERN"):
        getattr(tm, call)(name_re="(unclosed")

    assert tm.sizes("q") == (1, 0, 0)


def test_leaving_dead_letters_out_needs_a_pattern(tm):
    tm.enqueue("q.dead", "pid")

    with refused("INVALID_FIELD"):
        tm.lease("q.dead", without_dead_letters=True)
    with refused("INVALID_FIELD"):
        tm.list(without_dead_letters=True)

    assert tm.sizes("q.dead") == (1, 0, 0)


def test_one_fault_anywhere_refuses_the_whole_update(tm):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q", lease=600)

    with refused("PID_TOO_LONG"):
        tm.update(renew(task, 3600), dequeue(task), *[enqueue("new", str(i)) for i in range(500)], enqueue("q", bytes(5000)))

    assert tm.names() == [b"q"]
    assert tm.tasks("q")[0].until == task.lease_expires


@pytest.mark.parametrize("when", ["enqueue", "release"])
@pytest.mark.parametrize("nanos", [-1, 1_000_000_000])
def test_a_time_that_is_none_is_refused(tm, when, nanos):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")
    element = enqueue("new", "pid", not_before=0) if when == "enqueue" else release(task, not_before=0)
    element.not_before.CopyFrom(timestamp(tm.now() + 60))
    element.not_before.nanos = nanos

    with refused("INVALID_FIELD"):
        tm.update(element)

    assert tm.names() == [b"q"]
    assert tm.sizes("q") == (0, 1, 0)


def test_a_refusal_says_what_and_what_was_expected_for_people(tm):
    with refused("QUEUE_NAME_EMPTY") as refusal:
        tm.update(enqueue("q", "pid"), enqueue("", "pid"))

    assert refusal.error.details().startswith("enqueue[1].queue: ")
    assert "(expected: " in refusal.error.details()


def test_a_server_goes_on_after_refusals(tm):
    for _ in range(50):
        with refused("QUEUE_NAME_EMPTY"):
            tm.update(enqueue("", "pid"))
    tm.enqueue("q", "pid")
    assert tm.lease_one("q").pid == b"pid"
