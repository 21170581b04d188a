"""Sections 3.5 and 5.2: deleting a queue starts a new generation in constant time; nothing of the old one comes back."""

from support.contract import pb
from support.elements import dequeue, enqueue, release, renew
from support.group import eventually


def test_delete_tells_what_the_queue_held(tm):
    tm.enqueue("q", "a", "b", "c")
    tm.enqueue("q", "later", not_before=tm.now() + 3600)
    tm.lease_one("q")

    [deleted] = tm.delete("q")

    assert (deleted.group, deleted.name) == (tm.name, b"q")
    assert (deleted.available, deleted.leased, deleted.delayed) == (2, 1, 1)
    assert tm.names() == []
    assert tm.tasks("q") == []
    assert tm.lease("q") == []


def test_delete_leaves_other_queues_alone(tm):
    tm.enqueue("a", "1")
    tm.enqueue("aa", "1")
    tm.other("-2").enqueue("a", "1")

    tm.delete("a")

    assert tm.names() == [b"aa"]
    assert tm.other("-2").names() == [b"a"]


def test_the_name_is_usable_at_once(tm):
    tm.enqueue("q", *[f"{i:04}" for i in range(2000)], data="old")
    tm.delete("q")

    assert list(tm.enqueue("q", "0000", data="new").enqueue_status) == [pb.OK]

    assert [(task.pid, task.data) for task in tm.tasks("q")] == [(b"0000", b"new")]
    assert tm.sizes("q") == (1, 0, 0)
    assert tm.lease_one("q").attempt == 1
    assert tm.lease("q") == []


def test_the_generation_grows_with_every_deletion(tm):
    generations = []
    for _ in range(3):
        tm.enqueue("q", "pid")
        generations.append(tm.describe("q").queues[0].generation)
        tm.delete("q")

    assert generations == sorted(set(generations))


def test_a_lease_of_an_earlier_generation_has_no_say(tm):
    tm.enqueue("q", "pid")
    old = tm.lease_one("q")
    tm.delete("q")

    assert list(tm.update(dequeue(old)).dequeue_status) == [pb.NOT_FOUND]
    assert list(tm.update(release(old)).release_status) == [pb.NOT_FOUND]
    assert list(tm.update(renew(old)).renew_status) == [pb.NOT_FOUND]

    tm.enqueue("q", "pid")
    assert list(tm.update(dequeue(old)).dequeue_status) == [pb.LEASE_LOST]
    new = tm.lease_one("q")
    assert new.lease_id > old.lease_id
    assert list(tm.update(dequeue(old)).dequeue_status) == [pb.LEASE_LOST]
    assert tm.update(dequeue(new)).success


def test_delete_by_pattern_takes_every_queue_that_matches(tm):
    tm.update(*[enqueue(f"site-{i:03}", "a") for i in range(150)], enqueue("site", "a"), enqueue("x-site-1", "a"))

    deleted = tm.delete(name_re="site-[0-9]+")

    assert [queue.name for queue in deleted] == [f"site-{i:03}".encode() for i in range(150)]
    assert tm.names() == [b"site", b"x-site-1"]


def test_delete_takes_the_union_of_names_and_pattern(tm):
    tm.update(*[enqueue(name, "a") for name in ("a", "b", "c1", "c2")])

    deleted = tm.delete("a", "c1", "none", name_re="c.")

    assert sorted(queue.name for queue in deleted) == [b"a", b"c1", b"c2"]
    assert tm.names() == [b"b"]


def test_delete_over_all_groups_by_pattern(tm, unique):
    for i in range(10):
        tm.other(f"-{i}").update(enqueue(unique, "a"), enqueue("keep", "a"))

    deleted = tm.delete(name_re=unique, all_groups=True)

    assert [queue.group for queue in deleted] == sorted(tm.other(f"-{i}").name for i in range(10))
    assert tm.list(unique, all_groups=True).queues == []
    assert tm.other("-3").names() == [b"keep"]


def test_delete_of_what_is_not_there_deletes_nothing(tm):
    assert tm.delete("none") == []
    assert tm.delete(name_re="none.*") == []


def test_first_in_first_out_goes_on_after_a_deletion(tm):
    before = tm.enqueue("log", data="old").assigned_pid[0]
    tm.delete("log")

    pids = [tm.enqueue("log", data=str(i)).assigned_pid[0] for i in range(5)]

    assert pids == sorted(set(pids))
    assert len(pids[0]) == len(before)
    assert [int(task.data) for task in tm.lease("log", max_tasks=9)] == list(range(5))


def test_what_waited_or_was_remembered_is_gone_too(tm):
    tm.enqueue("q", "running", data="old")
    tm.lease_one("q")
    tm.enqueue("q", "running", data="old", if_exists=pb.RERUN)
    due = tm.now() + 0.5
    tm.enqueue("q", "delayed", data="old", not_before=due)

    tm.delete("q")

    tm.enqueue("q", "running", data="new")
    eventually(lambda: tm.now() > due + 0.1)
    assert [(task.pid, task.data) for task in tm.lease("q", max_tasks=9)] == [(b"running", b"new")]
    assert tm.update(dequeue("q", "running")).success
    assert tm.names() == []


def test_workers_that_race_with_a_deletion_never_see_old_tasks_again(tm):
    for generation in range(5):
        tm.enqueue("q", *[f"{i:02}" for i in range(20)], data=str(generation))
        tasks = tm.lease("q", max_tasks=5)
        assert {task.data for task in tasks} == {str(generation).encode()}
        tm.update(release(tasks[0]))
        tm.delete("q")
        assert tm.sizes("q") == (0, 0, 0)
