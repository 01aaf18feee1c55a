"""The order in which matches are handed out, and what happens to a block when one of its matches fails."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.arena.workers.queue import ATTEMPTS, DEATHS, MOST_VOID, Failure, Queue, QueuedMatch, RunnerError
from tests.arena.conftest import LOWEST
from tests.arena.matches import match_of

ROOF = Failure("the roof fell in")
SUSPECTED = Failure("the roof fell in", suspect="x")


class Hours:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def match(key: str, *names: str) -> PlayableMatch:
    bots = [replace(LOWEST, name=name, content_hash=name) for name in names]
    return match_of(key, "bluff", {}, 1, bots)


def block(name: str, *names: str) -> list[PlayableMatch]:
    return [match(f"{name}{rotation}", *names) for rotation in range(3)]


def queue(names: str, done: Collection[str] = ()) -> Queue:
    return Queue([block(name) for name in names], done, Hours())


def take(some: Queue) -> QueuedMatch:
    match = some.next()
    assert match is not None
    return match


def rest(some: Queue) -> list[str]:
    return [match.playable.key for match in iter(some.next, None)]


def wait(some: Queue) -> float:
    """Wait until there is another match; return how long that took."""
    pause_s = some.pause_s()
    assert pause_s is not None
    assert isinstance(some.now, Hours)
    some.now.now += pause_s
    return pause_s


def fail(some: Queue, failure: Failure = ROOF) -> None:
    """Fail the next match at all its attempts."""
    for attempt in range(ATTEMPTS):
        list(some.void(take(some), failure))
        if attempt < ATTEMPTS - 1:
            wait(some)


def test_matches_come_block_by_block_without_those_already_played() -> None:
    assert rest(queue("abc", ["a0", "a2", "b0", "b1", "b2"])) == ["a1", "c0", "c1", "c2"]


def test_a_void_block_is_replayed_in_full_after_a_pause_while_the_others_go_on() -> None:
    some = queue("abcd", ["a0"])
    (voided,) = some.void(take(some), ROOF)
    assert voided.keys == ("a0", "a1", "a2")
    assert [take(some).playable.key for _ in range(4)] == ["b0", "b1", "b2", "c0"]
    wait(some)
    assert rest(some) == ["a0", "a1", "a2", "c1", "c2", "d0", "d1", "d2"]
    assert some.pause_s() is None


def test_the_pauses_between_attempts_grow() -> None:
    some = queue("a")
    list(some.void(take(some), ROOF))
    first = wait(some)
    list(some.void(take(some), ROOF))
    assert 0 < first < wait(some)


def test_a_block_is_replayed_by_processes_that_have_not_seen_its_deals() -> None:
    some = queue("a")
    first = take(some)
    assert first.playable.lifetime is Lifetime.TOURNAMENT
    list(some.void(first, ROOF))
    wait(some)
    assert {match.playable.lifetime for match in iter(some.next, None)} == {Lifetime.MATCH}


def test_a_second_failure_of_the_same_attempt_changes_nothing() -> None:
    some = queue("a")
    first, second = take(some), take(some)
    list(some.void(first, ROOF))
    assert second.attempt.is_void
    assert not list(some.void(second, Failure("and the walls")))
    wait(some)
    assert rest(some) == ["a0", "a1", "a2"]


def test_the_queue_gives_up_when_the_other_blocks_are_played() -> None:
    some = Queue([block("a", "x", "y"), block("b", "x", "y")], (), Hours())
    fail(some, Failure("the roof fell in", "line 7"))
    assert rest(some) == ["b0", "b1", "b2"]
    with pytest.raises(RunnerError, match="match a0 could not be played in 3 attempts: the roof fell in") as caught:
        some.pause_s()
    assert caught.value.__notes__ == ["line 7"]


def test_a_block_whose_worker_died_does_not_wait_longer_each_time() -> None:
    some = queue("a")
    pauses = set()
    for _ in range(DEATHS - 1):
        list(some.void(take(some), Failure("its worker process died", died=True)))
        pauses.add(wait(some))
    assert len(pauses) == 1


def test_a_block_survives_more_deaths_of_its_worker_than_other_failures() -> None:
    some = Queue([block("a", "x", "y")], (), Hours())
    killed = Failure("its worker process died", died=True)
    for failure in (*[killed] * (DEATHS - 1), *[ROOF] * (ATTEMPTS - 1)):
        list(some.void(take(some), failure))
        wait(some)
    list(some.void(take(some), killed))
    with pytest.raises(RunnerError, match=f"a0 could not be played in {DEATHS + ATTEMPTS - 1} attempts"):
        some.pause_s()


def test_no_other_block_is_begun_when_many_are_void() -> None:
    some = queue("abcdefghijklm")
    for _ in range(MOST_VOID):
        list(some.void(take(some), ROOF))
    assert some.next() is None
    wait(some)
    assert take(some).playable.key[0] in "abcdefgh"


def out(some: Queue) -> dict[str, str]:
    """Return the matches to come, and who is put out of them."""
    return {match.playable.key: " ".join(match.playable.out) for match in iter(some.next, None)}


def test_a_bot_suspected_at_every_attempt_is_put_out_of_its_block_only() -> None:
    some = Queue([block("a", "x", "y"), block("b", "x", "y")], (), Hours())
    fail(some, SUSPECTED)
    assert wait(some) == 0
    assert out(some) == dict.fromkeys(("a0", "a1", "a2"), "x") | dict.fromkeys(("b0", "b1", "b2"), "")


def test_a_bot_that_was_put_out_is_put_out_at_once_the_next_time() -> None:
    some = Queue([block("a", "x", "y"), block("b", "x", "z")], (), Hours())
    fail(some, SUSPECTED)
    wait(some)
    for _ in range(3):
        some.played(take(some))
    list(some.void(take(some), SUSPECTED))
    wait(some)
    assert out(some) == dict.fromkeys(("b0", "b1", "b2"), "x")


def test_a_bot_suspected_now_and_then_is_not_put_out() -> None:
    some = Queue([block("a", "x", "y")], (), Hours())
    for failure in (SUSPECTED, ROOF):
        list(some.void(take(some), failure))
        wait(some)
    list(some.void(take(some), SUSPECTED))
    with pytest.raises(RunnerError):
        some.pause_s()


@pytest.mark.parametrize("order", ["success first", "success last"])
def test_the_only_bot_that_no_match_goes_well_with_is_put_out(order: str) -> None:
    blocks = [block("a", "x", "y"), [match("b0", "y", "z")]]
    some = Queue(blocks[:: 1 if order == "success last" else -1], (), Hours())
    if order == "success first":
        some.played(take(some))
    fail(some)
    if order == "success last":
        some.played(take(some))
    wait(some)
    assert out(some) == dict.fromkeys(("a0", "a1", "a2"), "x")


def test_the_bot_in_most_spoiled_blocks_is_put_out() -> None:
    some = Queue([[match("a0", "x", "y", "z")], block("b", "x", "y"), block("c", "z", "x")], (), Hours())
    some.played(take(some))
    fail(some)
    fail(some)
    wait(some)
    assert out(some) == dict.fromkeys(("b0", "b1", "b2", "c0", "c1", "c2"), "x")


def test_a_block_that_fails_even_without_the_bot_ends_the_run() -> None:
    some = Queue([block("a", "x", "y")], (), Hours())
    fail(some, SUSPECTED)
    wait(some)
    fail(some)
    with pytest.raises(RunnerError):
        some.pause_s()
