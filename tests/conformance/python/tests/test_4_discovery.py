"""Section 4: queue names are discovered, filtered by length and pattern; workers do not know them beforehand."""

import pytest

from support.contract import pb
from support.elements import enqueue
from support.group import eventually
from support.refusals import refused


def test_queues_are_listed_in_the_order_of_their_names(tm):
    names = ["b", "a", "ab", "a\x00", "\x00", "ä", "B", "a#1"]
    tm.update(*[enqueue(name, "1") for name in names])

    reply = tm.list()

    assert [queue.name for queue in reply.queues] == sorted(name.encode() for name in names)
    assert {queue.group for queue in reply.queues} == {tm.name}
    assert reply.next_page_token == ""
    assert list(reply.unreachable_nodes) == []


def test_a_listing_shows_sizes(tm):
    tm.enqueue("q", "a", "b", "c")
    tm.enqueue("q", "d", not_before=tm.now() + 3600)
    tm.lease_one("q")

    [queue] = tm.list().queues

    assert (queue.name, queue.available, queue.leased, queue.delayed) == (b"q", 2, 1, 1)


def test_a_worker_discovers_its_queues_by_pattern(tm):
    stages = ["google.com#fetch_stage", "youtube.com#fetch_stage", "google.com#index_stage", "fetch_stage"]
    tm.update(*[enqueue(stage, str(i)) for stage in stages for i in range(6)])
    tm.enqueue("small.com#fetch_stage", "1")

    assert tm.names(name_re="[a-z.]*#fetch_stage", min_tasks=5) == [b"google.com#fetch_stage", b"youtube.com#fetch_stage"]


@pytest.mark.parametrize(
    "pattern, matches",
    [
        ("a", ["a"]),
        ("a.*", ["a", "ab", "abc"]),
        (".", ["a"]),
        ("(?i)AB", ["ab"]),
        ("a|abc", ["a", "abc"]),
        ("a$|^ab", ["a", "ab"]),
        ("[^a]+", ["über"]),
        ("\\pL+", ["a", "ab", "abc", "über"]),
        ("a{2}", []),
        (".*", ["a", "ab", "abc", "über"]),
    ],
)
def test_a_pattern_must_match_the_whole_name(tm, pattern, matches):
    tm.update(*[enqueue(name, "1") for name in ("a", "ab", "abc", "über")], enqueue(b"\xff", "1"), enqueue(b"a\xc3", "1"))

    assert tm.names(name_re=pattern) == [name.encode() for name in matches]


def test_names_that_are_not_text_match_no_pattern(tm):
    tm.enqueue(b"\xff\xfe", "1")
    tm.enqueue("text", "1")

    assert tm.names(name_re="(?s).*") == [b"text"]
    assert tm.names(b"\xff\xfe", name_re=".*") == [b"text", b"\xff\xfe"]


def test_a_pattern_without_all_of_re2_is_not_re2(tm):
    for bad in ("(", "a**", "[z-a]", "(?=a)", "(a)\\1", "\\", "*"):
        with refused("BAD_PATTERN"):
            tm.list(name_re=bad)


def test_names_that_hold_no_tasks_are_not_listed(tm):
    tm.enqueue("here", "1")

    assert tm.names("here", "not here") == [b"here"]


def test_filters_by_size_count_all_tasks_or_only_available_ones(tm):
    tm.enqueue("five", *"12345")
    tm.enqueue("three", *"123")
    tm.enqueue("three delayed", *"123", not_before=tm.now() + 3600)
    tm.lease("five", max_tasks=4)

    assert tm.names(min_tasks=4) == [b"five"]
    assert tm.names(min_tasks=3) == [b"five", b"three", b"three delayed"]
    assert tm.names(min_available=1) == [b"five", b"three"]
    assert tm.names(min_available=2) == [b"three"]
    assert tm.names(min_tasks=4, min_available=2) == []
    assert tm.names(min_tasks=2**64 - 1) == []


def test_expired_leases_count_as_available(tm):
    tm.enqueue("q", *"123")
    tm.lease("q", max_tasks=3, lease=0.1)

    eventually(lambda: tm.names(min_available=3) == [b"q"])


def test_a_long_listing_comes_in_pages(tm):
    names = [f"{i:03}".encode() for i in range(95)]
    tm.update(*[enqueue(name, "1") for name in names])

    found, token, pages = [], "", 0
    while True:
        page = tm.list(max_queues=10, page_token=token)
        assert len(page.queues) <= 10
        found += [queue.name for queue in page.queues]
        token = page.next_page_token
        pages += 1
        if not token:
            break

    assert found == names
    assert pages == 10


def test_pages_go_on_where_they_were_whatever_happened_between(tm):
    tm.update(*[enqueue(name, "1") for name in "abdef"])
    first = tm.list(max_queues=3)
    assert [queue.name for queue in first.queues] == [b"a", b"b", b"d"]

    tm.enqueue("c", "1")
    tm.enqueue("g", "1")
    tm.delete("d")

    second = tm.list(max_queues=3, page_token=first.next_page_token)
    assert [queue.name for queue in second.queues] == [b"e", b"f", b"g"]


def test_a_page_has_a_thousand_queues_if_nobody_says_how_many(tm):
    tm.update(*[enqueue(f"{i:04}", "1") for i in range(1001)])

    first = tm.list()
    second = tm.list(page_token=first.next_page_token)

    assert (len(first.queues), [queue.name for queue in second.queues]) == (1000, [b"1000"])
    assert second.next_page_token == ""


def test_a_listing_over_all_groups_is_ordered_by_group_and_name(tm, unique):
    for i in range(20):
        group = tm.other(f"-{i:02}")
        group.update(enqueue(f"{unique}-b", "1"), enqueue(f"{unique}-a", "1"))
    expected = [(tm.other(f"-{i:02}").name, f"{unique}-{x}".encode()) for i in range(20) for x in "ab"]

    found, token = [], ""
    while True:
        page = tm.list(name_re=f"{unique}-.", all_groups=True, max_queues=7, page_token=token)
        assert len(page.queues) <= 7
        found += [(queue.group, queue.name) for queue in page.queues]
        token = page.next_page_token
        if not token:
            break

    assert found == expected


def test_names_are_looked_for_in_every_group(tm, unique):
    tm.other("-1").enqueue(unique, "1")
    tm.other("-2").enqueue(unique, "1", "2")

    reply = tm.list(unique, all_groups=True)

    assert [(queue.group, queue.available) for queue in reply.queues] == [(tm.other("-1").name, 1), (tm.other("-2").name, 2)]


def test_without_a_selector_the_default_group_is_listed(tm, unique):
    default = tm.other("")
    default.name = b""
    default.enqueue(unique, "1")
    tm.enqueue("elsewhere", "1")

    names, token = [], ""
    while True:
        page = tm.stub.ListQueues(pb.ListRequest(page_token=token), timeout=60)
        assert {queue.group for queue in page.queues} == {b""}
        names += [queue.name for queue in page.queues]
        token = page.next_page_token
        if not token:
            break

    assert unique.encode() in names
    assert b"elsewhere" not in names
    default.delete(unique)


def test_page_tokens_are_those_of_the_page_before_unchanged(tm):
    tm.update(*[enqueue(name, "1") for name in "abc"])
    token = tm.list(max_queues=1).next_page_token

    for bad in ("x", token + "x", token[:-1], token[::-1], "\u20ac" * 10_000):
        with refused("BAD_PAGE_TOKEN"):
            tm.list(page_token=bad)
    with refused("BAD_PAGE_TOKEN"):
        tm.other("-2").list(page_token=token)
