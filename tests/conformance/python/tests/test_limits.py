"""Every limit: what is just within it is served, what is one over it is refused with its reason, and leaves no trace."""

import grpc
import pytest

from support.contract import pb
from support.elements import dequeue, duration, enqueue, octets, release, renew, selector
from support.group import DEADLINE, Group
from support.refusals import refused

KIB = 1 << 10
MIB = 1 << 20
DAY = 24 * 3600


def headers(entries, size):
    """So many headers of so many bytes together."""
    made = {f"{i:03}": "" for i in range(entries)}
    made["000"] = "v" * (size - 3 * entries)
    return made


# What is asked, at the limit and over it; the reason over it.
UPDATES = {
    "PID of an enqueue": (lambda n: enqueue("q", bytes(n)), 4 * KIB, "PID_TOO_LONG"),
    "PID of a dequeue": (lambda n: dequeue("q", bytes(n)), 4 * KIB, "PID_TOO_LONG"),
    "PID of a renewal": (lambda n: renew("q", pid=bytes(n), lease_id=1), 4 * KIB, "PID_TOO_LONG"),
    "PID of a release": (lambda n: release("q", bytes(n)), 4 * KIB, "PID_TOO_LONG"),
    "queue of an enqueue": (lambda n: enqueue(b"q" * n, "pid"), KIB, "NAME_TOO_LONG"),
    "queue of a dequeue": (lambda n: dequeue(b"q" * n, "pid"), KIB, "NAME_TOO_LONG"),
    "queue of a renewal": (lambda n: renew(b"q" * n, pid="pid", lease_id=1), KIB, "NAME_TOO_LONG"),
    "queue of a release": (lambda n: release(b"q" * n, "pid"), KIB, "NAME_TOO_LONG"),
    "entries of headers": (lambda n: enqueue("q", "pid", headers=headers(n, 4 * KIB)), 64, "HEADERS_TOO_LARGE"),
    "bytes of headers": (lambda n: enqueue("q", "pid", headers=headers(3, n)), 8 * KIB, "HEADERS_TOO_LARGE"),
    "bytes of one header": (lambda n: enqueue("q", "pid", headers=headers(1, n)), 8 * KIB, "HEADERS_TOO_LARGE"),
    "length of a renewal in ms": (
        lambda n: renew("q", n / 1000, pid="pid", lease_id=1),
        7 * DAY * 1000,
        "DURATION_OUT_OF_RANGE",
    ),
}

LEASES = {
    "tasks": (lambda n: {"max_tasks": n}, 10_000, "LEASE_TOO_LARGE"),
    "bytes": (lambda n: {"max_bytes": n}, 32 * MIB, "LEASE_TOO_LARGE"),
    "length in ms": (lambda n: {"lease": n / 1000}, 7 * DAY * 1000, "DURATION_OUT_OF_RANGE"),
    "wait in ms": (lambda n: {"wait": n / 1000}, 60_000, "DURATION_OUT_OF_RANGE"),
    "filter": (lambda n: {"max_pid": b"\xff" * n}, 4 * KIB, "PID_TOO_LONG"),
    "worker": (lambda n: {"worker": "w" * n}, KIB, "NAME_TOO_LONG"),
    "worker in bytes": (lambda n: {"worker": "ü" * (n // 2) + "u" * (n % 2)}, KIB, "NAME_TOO_LONG"),
    "pattern": (lambda n: {"name_re": "x" * n}, KIB, "BAD_PATTERN"),
}

ALMOST_TWO_TO_THE_32 = (1 << 32) - 1


@pytest.mark.parametrize("limit", UPDATES)
def test_updates(tm, limit):
    make, most, reason = UPDATES[limit]

    with refused(reason):
        tm.update(enqueue("trace", "pid"), make(most + 1))
    assert tm.names() == []

    reply = tm.update(make(most))
    # It was judged: nobody holds what is renewed, released or dequeued here.
    statuses = [*reply.enqueue_status, *reply.dequeue_status, *reply.renew_status, *reply.release_status]
    assert statuses in ([pb.OK], [pb.NOT_FOUND])


@pytest.mark.parametrize("limit", LEASES)
def test_leases(tm, limit):
    make, most, reason = LEASES[limit]
    tm.enqueue("q", "pid")

    with refused(reason):
        tm.lease("q", **make(most + 1))
    assert tm.sizes("q") == (1, 0, 0)

    assert [task.pid for task in tm.lease("q", **make(most))] == [b"pid"]


@pytest.mark.parametrize("field", ["max_tasks", "max_bytes"])
def test_numbers_are_unsigned(tm, field):
    tm.enqueue("q", "pid")

    with refused("LEASE_TOO_LARGE"):
        tm.lease("q", **{field: ALMOST_TWO_TO_THE_32})


@pytest.mark.parametrize("length", [0, -0.000000001, -1, -315_576_000_000, 315_576_000_000])
def test_a_lease_of_no_length_is_refused(tm, length):
    tm.enqueue("q", "pid")
    task = tm.lease_one("q")

    with refused("DURATION_OUT_OF_RANGE"):
        tm.lease("q", lease=length)
    with refused("DURATION_OUT_OF_RANGE"):
        tm.update(renew(task, length), dequeue(task))
    assert tm.sizes("q") == (0, 1, 0)


def test_the_shortest_lease_is_a_lease(tm):
    tm.enqueue("q", "pid")

    task = tm.lease_one("q", lease=0.000000001)

    assert tm.lease_one("q", wait=30).lease_id > task.lease_id


@pytest.mark.parametrize("wait", [-0.000000001, -1, 315_576_000_000])
def test_a_wait_below_zero_or_for_ever_is_refused(tm, wait):
    tm.enqueue("q", "pid")

    with refused("DURATION_OUT_OF_RANGE"):
        tm.lease("q", wait=wait)
    assert tm.sizes("q") == (1, 0, 0)


def test_a_duration_that_is_none_is_refused(tm):
    tm.enqueue("q", "pid")
    request = tm.lease_request("q")
    request.lease.CopyFrom(duration(1))
    request.lease.nanos = 1_000_000_000

    with refused("DURATION_OUT_OF_RANGE"):
        tm.stub.LeaseTasks(request, timeout=DEADLINE)


def test_data_of_one_task(tm):
    with refused("TASK_TOO_LARGE"):
        tm.update(enqueue("q", "pid", bytes(16 * MIB + 1)))

    assert tm.names() == []


def test_data_of_one_task_at_the_limit_come_back(tm):
    data = bytes(range(256)) * (16 * MIB // 256)
    tm.enqueue("q", "pid", data=data)

    # At least one task comes, however large.
    assert tm.lease_one("q").data == data
    assert tm.peek("q", with_data=True).tasks[0].data == data
    assert tm.peek("q").tasks[0].data_bytes == len(data)


@pytest.mark.parametrize("kind", ["enqueue", "all four lists"])
def test_elements_of_an_update(tm, kind):
    def elements(count):
        if kind == "enqueue":
            return [enqueue("q", f"{i:05}") for i in range(count)]
        lists = [
            lambda i: enqueue("q", f"{i:05}"),
            lambda i: renew("q", pid="none", lease_id=1),
            lambda i: dequeue("q", f"{i:05}"),
            lambda i: release("q", f"{i:05}"),
        ]
        return [lists[i % 4](i) for i in range(count)]

    with refused("UPDATE_TOO_LARGE"):
        tm.update(*elements(10_001))
    assert tm.names() == []

    reply = tm.update(*elements(10_000))
    assert len(reply.enqueue_status) == (10_000 if kind == "enqueue" else 2_500)
    assert reply.success == (kind == "enqueue")


def test_bytes_of_an_update(tm):
    def request(size):
        made = tm.update_request(*[enqueue("q", f"{i}", bytes(16 * MIB - 5000)) for i in range(2)], enqueue("q", "2"))
        filler = made.enqueue[2]
        while missing := size - made.ByteSize():
            filler.data = bytes(len(filler.data) + missing)
        return made

    with refused("UPDATE_TOO_LARGE"):
        tm.stub.UpdateTasks(request(32 * MIB + 1), timeout=DEADLINE)
    assert tm.names() == []

    assert tm.stub.UpdateTasks(request(32 * MIB), timeout=DEADLINE).success
    assert tm.pids("q") == [b"0", b"1", b"2"]
    tm.delete("q")


def test_a_message_that_is_far_too_large_is_refused_by_grpc_itself(tm):
    request = tm.update_request(*[enqueue("q", f"{i}", bytes(12 * MIB)) for i in range(3)])

    with pytest.raises(grpc.RpcError) as refusal:
        tm.stub.UpdateTasks(request, timeout=DEADLINE)

    assert refusal.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert tm.names() == []


@pytest.mark.parametrize(
    "call",
    [
        lambda group: group.update(enqueue("q", "pid")),
        lambda group: group.lease("q"),
        lambda group: group.list(),
        lambda group: group.describe("q"),
        lambda group: group.peek("q"),
        lambda group: group.delete("q"),
        lambda group: group.configure("q"),
    ],
    ids=["update", "lease", "list", "describe", "peek", "delete", "configure"],
)
def test_names_of_groups(tm, call):
    longest = tm.name + b"\xff" * (KIB - len(tm.name))

    with refused("NAME_TOO_LONG"):
        call(Group(tm.stub, longest + b"x"))
    call(Group(tm.stub, longest))


CALLS_ON_A_QUEUE = {
    "lease": lambda tm, name: tm.lease(name),
    "list": lambda tm, name: tm.list(name),
    "describe": lambda tm, name: tm.describe(name),
    "peek": lambda tm, name: tm.peek(name),
    "delete": lambda tm, name: tm.delete(name),
    "configure": lambda tm, name: tm.configure(name),
}


@pytest.mark.parametrize("call", CALLS_ON_A_QUEUE)
def test_names_of_queues(tm, call):
    tm.enqueue(b"\xff" * KIB, "pid")

    with refused("NAME_TOO_LONG"):
        CALLS_ON_A_QUEUE[call](tm, b"\xff" * (KIB + 1))
    assert tm.sizes(b"\xff" * KIB) == (1, 0, 0)
    CALLS_ON_A_QUEUE[call](tm, b"\xff" * KIB)


def test_a_task_with_the_longest_name_and_priority(tm):
    group = Group(tm.stub, tm.name + b"\x00" * (KIB - len(tm.name)))
    queue, pid = b"\xff" * KIB, b"\x00" * (4 * KIB)
    group.enqueue(queue, pid, data="data", headers=headers(64, 8 * KIB))

    task = group.lease_one(queue, worker="ü" * 512)

    assert (task.group, task.queue, task.pid, task.data) == (group.name, queue, pid, b"data")
    assert dict(task.headers) == headers(64, 8 * KIB)
    [sample] = group.describe(queue, leased_sample=1).queues[0].leased_sample
    assert (sample.pid, sample.worker) == (pid, "ü" * 512)
    assert group.update(dequeue(task)).success


@pytest.mark.parametrize("size", [1, 63, 64])
def test_request_ids_within_their_limit(tm, size):
    reply = tm.update(enqueue("log"), request_id=b"r" * size)

    assert tm.update(enqueue("log"), request_id=b"r" * size) == reply


def test_request_ids_over_their_limit(tm):
    with refused("REQUEST_ID_TOO_LONG"):
        tm.update(enqueue("log"), request_id=b"r" * 65)

    assert tm.names() == []


def test_names_of_a_selector(tm):
    tm.enqueue("00000", "pid")
    names = [f"{i:05}" for i in range(10_000)]
    for call in (tm.lease, tm.names, tm.describe, tm.delete):
        with refused("INVALID_FIELD"):
            call(*names, "one more")

    assert tm.names(*names) == [b"00000"]
    assert len(tm.lease(*names)) == 1
    assert len(tm.describe(*names).queues) == 1
    assert len(tm.delete(*names)) == 1


def test_queues_of_a_page(tm):
    tm.enqueue("q", "pid")
    with refused("INVALID_FIELD"):
        tm.list(max_queues=10_001)

    assert len(tm.list(max_queues=10_000).queues) == 1


def test_queues_and_samples_of_a_description(tm):
    tm.enqueue("q", "pid")
    with refused("INVALID_FIELD"):
        tm.describe(max_queues=1001)
    with refused("INVALID_FIELD"):
        tm.describe(max_queues=1000, leased_sample=101)
    with refused("INVALID_FIELD"):
        tm.describe(max_queues=1, leased_sample=100_001)

    assert len(tm.describe(max_queues=1000, leased_sample=100).queues) == 1
    assert len(tm.describe(max_queues=1, leased_sample=100_000).queues) == 1


def test_tasks_and_bytes_of_a_peek(tm):
    tm.enqueue("q", "pid")
    with refused("INVALID_FIELD"):
        tm.peek("q", max_tasks=10_001)
    with refused("INVALID_FIELD"):
        tm.peek("q", max_bytes=32 * MIB + 1)
    with refused("PID_TOO_LONG"):
        tm.peek("q", bytes(4 * KIB + 1))

    assert len(tm.peek("q", bytes(4 * KIB), max_tasks=10_000, max_bytes=32 * MIB).tasks) == 1


@pytest.mark.parametrize("pattern", ["(?:x{200}){50}", "((a{100}){100}){100}", "(?:" * 300 + "a" + "){9}" * 300])
def test_patterns_that_would_take_too_much_to_match(tm, pattern):
    with refused("BAD_PATTERN"):
        tm.list(name_re=pattern)


def test_a_pattern_at_its_limit_matches(tm):
    name = "x" * KIB
    tm.enqueue(name, "pid")

    assert tm.names(name_re=name) == [octets(name)]
    with refused("BAD_PATTERN"):
        tm.list(name_re="ü" * 513)
    assert tm.names(name_re="ü" * 512) == []


def test_a_stub_with_default_limits_can_take_a_reply_of_default_size(tm, plain_stub):
    tm.enqueue("q", *[str(i) for i in range(6)], data=bytes(MIB - 1000))
    plain = Group(plain_stub, tm.name)

    leased = plain.lease("q", max_tasks=10)
    assert 1 <= len(leased) <= 3
    assert 1 <= len(plain.peek("q", with_data=True).tasks) <= 3
    tm.update(*[dequeue(task) for task in leased])
    while tasks := plain.lease("q", max_tasks=10):
        assert tm.update(*[dequeue(task) for task in tasks]).success
    assert tm.names() == []


def test_a_fifo_priority_without_room_behind_it_is_refused(tm):
    [pid] = tm.enqueue("log").assigned_pid
    form, room = pid[:1], len(pid) - 1

    with refused("PID_OUT_OF_RANGE"):
        tm.enqueue("log", form + b"\xff" * room)

    # Of another form, it is a priority like others.
    tm.enqueue("log", form + b"\xff" * (room + 1))
    tm.enqueue("log", form + b"\xff" * (room - 1))
    [following] = tm.enqueue("log").assigned_pid
    assert pid < following


def test_a_selector_of_a_lease_at_all_its_limits(tm):
    tm.enqueue("q" * KIB, "pid")
    request = pb.LeaseRequest(
        queues=selector(tm.name, ["q" * KIB], name_re="z" * KIB),
        max_tasks=10_000,
        lease=duration(7 * DAY),
        max_pid=b"\xff" * (4 * KIB),
        wait=duration(60),
        max_leased_per_queue=ALMOST_TWO_TO_THE_32,
        worker="w" * KIB,
        service_class=pb.BULK,
        max_bytes=32 * MIB,
    )

    assert len(tm.stub.LeaseTasks(request, timeout=DEADLINE).tasks) == 1


def test_a_pattern_that_costs_too_much_for_the_queues_that_there_are(tm):
    pattern = r"\d*" + "a*" * 500 + "b"
    assert tm.other("few queues").names(name_re=pattern) == []
    for batch in range(15):
        assert tm.update(*[enqueue(b"a" * (KIB - 4) + b"%04d" % (100 * batch + i), "pid") for i in range(100)]).success

    with refused("PATTERN_TOO_COSTLY"):
        tm.names(name_re=pattern)

    assert len(tm.names(name_re="a*0000")) == 1
