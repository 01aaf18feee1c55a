"""The order in which matches are handed out, and what happens to a block when one of its matches fails."""

from collections.abc import Collection

import pytest

from ballcourt.arena.workers.blocks import ATTEMPTS, Match, Queue, RunnerError
from ballcourt.arena.workers.playable import PlayableMatch
from tests.arena.matches import match_of


def block(name: str) -> list[PlayableMatch]:
    return [match_of(f"{name}{rotation}", "bluff", {}, 1, ()) for rotation in range(3)]


def queue(names: str, done: Collection[str] = ()) -> Queue:
    return Queue([block(name) for name in names], done)


def take(some: Queue) -> Match:
    match = some.next()
    assert match is not None
    return match


def rest(some: Queue) -> list[str]:
    return [match.playable.key for match in iter(some.next, None)]


def test_matches_come_block_by_block_without_those_already_played() -> None:
    assert rest(queue("abc", ["a1", "b0", "b1", "b2"])) == ["a0", "a2", "c0", "c1", "c2"]


def test_a_void_block_is_replayed_in_full_before_the_others() -> None:
    some = queue("ab", ["a0"])
    (voided,) = some.void(take(some), "the roof fell in")
    assert voided.keys == ("a0", "a1", "a2")
    assert rest(some) == ["a0", "a1", "a2", "b0", "b1", "b2"]


def test_a_second_failure_of_the_same_attempt_changes_nothing() -> None:
    some = queue("a")
    first, second = take(some), take(some)
    list(some.void(first, "the roof fell in"))
    assert second.attempt.is_void
    assert not list(some.void(second, "and the walls"))
    assert rest(some) == ["a0", "a1", "a2"]


def test_the_last_attempt_is_voided_before_the_queue_gives_up() -> None:
    some = queue("a")
    for _ in range(ATTEMPTS - 1):
        list(some.void(take(some), "the roof fell in"))
    last = some.void(take(some), "the roof fell in", "line 7")
    assert next(last).keys == ("a0", "a1", "a2")
    with pytest.raises(RunnerError, match="match a0 could not be played in 3 attempts: the roof fell in") as caught:
        next(last)
    assert caught.value.__notes__ == ["line 7"]
