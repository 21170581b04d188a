"""Section 2: a task is a (queue, priority, data) triple of binary strings; a queue name is a pair (consistency group, name)."""

from support.contract import pb
from support.elements import dequeue, seconds

# In the order of unsigned bytes, the shorter first where one begins the other. Zero bytes and 0xff are bytes like others.
IN_ORDER = [
    b"",
    b"\x00",
    b"\x00\x00",
    b"\x00\x01",
    b"\x00\xff",
    b"\x00\xff\x00",
    b"\x01",
    b"0",
    b"A",
    b"A\x00",
    b"A\x00A",
    b"AA",
    b"a",
    b"\x7f",
    b"\x80",
    b"\xc3\xa4",
    b"\xfe\xff\xff",
    b"\xff",
    b"\xff\x00",
    b"\xff\xfe",
    b"\xff\xff",
    b"\xff\xff\x00",
]


def test_a_task_comes_back_as_it_was_given(tm):
    before = tm.now()
    tm.enqueue("fetch", "http://www.google.com", data="fetch document", headers={"traceparent": "00-ab-cd-01", "ü": "€"})
    after = tm.now()

    task = tm.lease_one("fetch")

    assert (task.group, task.queue, task.pid) == (tm.name, b"fetch", b"http://www.google.com")
    assert task.data == b"fetch document"
    assert dict(task.headers) == {"traceparent": "00-ab-cd-01", "ü": "€"}
    assert before - 1 <= seconds(task.enqueued) <= after + 1
    assert task.attempt == 1
    assert task.lease_id > 0


def test_data_are_not_interpreted(tm):
    every_byte = bytes(range(256)) * 40
    tm.enqueue("q", "bytes", data=every_byte)
    tm.enqueue("q", "none", data=b"")

    assert [task.data for task in tm.lease("q", max_tasks=2)] == [every_byte, b""]


def test_priorities_are_ordered_as_unsigned_bytes(tm):
    scattered = IN_ORDER[1::2] + IN_ORDER[-2::-2]
    assert sorted(scattered) == IN_ORDER
    tm.enqueue("q", *scattered)

    assert tm.pids("q") == IN_ORDER
    assert [task.pid for task in tm.lease("q", max_tasks=100)] == IN_ORDER


def test_the_empty_priority_is_the_smallest_and_a_priority_like_others(tm):
    tm.enqueue("q", b"\x00")
    reply = tm.enqueue("q", b"", data="empty")

    assert list(reply.assigned_pid) == [b""]
    first = tm.lease_one("q")
    assert (first.pid, first.data) == (b"", b"empty")
    assert tm.update(dequeue(first)).success
    assert tm.pids("q") == [b"\x00"]


def test_priorities_of_any_bytes_identify_their_tasks(tm):
    tm.enqueue("q", *IN_ORDER)

    for pid in IN_ORDER:
        reply = tm.update(dequeue("q", pid))
        assert list(reply.dequeue_status) == [pb.OK], pid
        assert pid not in tm.pids("q")
    assert tm.sizes("q") == (0, 0, 0)


def test_a_priority_is_unique_within_its_queue_only(tm):
    tm.enqueue("fetch", "page", data="here")
    tm.enqueue("index", "page", data="there")
    tm.other("-2").enqueue("fetch", "page", data="elsewhere")

    assert tm.lease_one("fetch").data == b"here"
    assert tm.lease_one("index").data == b"there"
    assert tm.other("-2").lease_one("fetch").data == b"elsewhere"


def test_without_a_group_the_default_group_is_used(tm, unique):
    default = tm.other("")
    default.name = b""
    default.enqueue(unique, "pid")

    task = default.lease_one(unique)
    assert task.group == b""
    assert tm.names(unique) == []
    assert default.names(unique) == [unique.encode()]
    default.delete(unique)


def test_names_of_queues_are_any_bytes_but_none_at_all(tm):
    names = [b"\x00", b"\x00\x00", b"\xff\xfe", b"a", b"a\x00", b"a\x00b", b"ab", b"\xc3\x28"]
    for name in names:
        tm.enqueue(name, "pid", data=name)

    for name in names:
        task = tm.lease_one(name)
        assert (task.queue, task.data) == (name, name)
        assert [queue.summary.name for queue in tm.describe(name).queues] == [name]
    assert tm.names() == sorted(names)


def test_names_of_groups_are_any_bytes(tm):
    groups = [tm.other(suffix) for suffix in (b"\x00", b"\x00\x00", b"\xff", b"\xff\x00", b"\xc3\x28")]
    for group in groups:
        group.enqueue("q", "pid", data=group.name)

    for group in groups:
        task = group.lease_one("q")
        assert (task.group, task.data) == (group.name, group.name)


def test_group_queue_and_priority_do_not_run_into_each_other(tm):
    places = [("-a", "b", "c"), ("-a", "bc", ""), ("-ab", "c", "c"), ("-ab", "cc", ""), ("-a", "b\0", "c"), ("-a\0", "b", "c")]
    for suffix, queue, pid in places:
        tm.other(suffix).enqueue(queue, pid, data=repr((suffix, queue, pid)))

    for suffix, queue, pid in places:
        tasks = tm.other(suffix).tasks(queue)
        assert [(task.pid, task.data) for task in tasks] == [(pid.encode(), repr((suffix, queue, pid)).encode())]


def test_a_queue_exists_only_while_it_holds_tasks(tm):
    assert tm.names() == []
    tm.enqueue("ephemeral", "pid")
    assert tm.names() == [b"ephemeral"]

    assert tm.update(dequeue("ephemeral", "pid")).success

    assert tm.names() == []
    assert tm.lease("ephemeral") == []
    assert not tm.peek("ephemeral").tasks
    assert [queue.summary.available for queue in tm.describe("ephemeral").queues] in ([], [0])


def test_a_leased_task_still_holds_its_queue(tm):
    tm.enqueue("q", "pid")
    tm.lease_one("q")

    assert tm.names("q") == [b"q"]
    assert tm.sizes("q") == (0, 1, 0)


def test_an_update_of_nothing_succeeds(tm):
    reply = tm.update()

    assert reply == pb.UpdateReply(success=True)


def test_tasks_are_kept_however_many_there_are(tm):
    pids = [f"{i:06}" for i in range(5000)]
    tm.enqueue("many", *pids)
    assert tm.sizes("many") == (5000, 0, 0)

    taken = []
    while tasks := tm.lease("many", max_tasks=700):
        taken += [task.pid.decode() for task in tasks]
        assert tm.update(*[dequeue(task) for task in tasks]).success

    assert sorted(taken) == pids
    assert tm.sizes("many") == (0, 0, 0)
