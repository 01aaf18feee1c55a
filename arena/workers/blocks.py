"""Blocks on their way through a runner: what is still to be handed out, and what has to be played again.

A match that fails by a fault of ours voids its whole block, finished matches included: what made it fail may have
touched the others, and a block with a hole favours a seat.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.workers.playable import PlayableMatch

ATTEMPTS = 3


class RunnerError(ArenaError):
    """A match could not be played, however often it was tried. Its notes hold the trace of the last attempt."""


@dataclass(frozen=True, slots=True)
class Voided:
    """A block that failed by a fault of ours: what was played of it under these keys does not count."""

    keys: tuple[str, ...]
    reason: str


class Attempt:
    """One attempt to play a block."""

    def __init__(self, matches: Sequence[PlayableMatch], number: int = 1) -> None:
        self.matches = tuple(matches)
        self.number = number
        self.is_void = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match of one attempt to play its block."""

    playable: PlayableMatch
    attempt: Attempt


class Queue:
    """The matches to be handed out, in order; those of a block that is played again come next."""

    def __init__(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str]) -> None:
        """Leave out matches whose keys are `done`, until their block has to be played again."""
        self._upcoming = iter(blocks)
        self._done = done
        self._waiting: deque[Match] = deque()

    def next(self) -> Match | None:
        """Take the next match; None when there is none at the moment."""
        while not self._waiting:
            block = next(self._upcoming, None)
            if block is None:
                return None
            attempt = Attempt(block)
            self._waiting.extend(Match(match, attempt) for match in block if match.key not in self._done)
        return self._waiting.popleft()

    def void(self, match: Match, reason: str, trace: str = "") -> Iterator[Voided]:
        """Void the block of a match that failed, and put it in the queue again.

        Raises RunnerError, after the block is voided, when this was the last attempt allowed.
        """
        attempt = match.attempt
        if attempt.is_void:
            return
        attempt.is_void = True
        yield Voided(tuple(match.key for match in attempt.matches), reason)
        if attempt.number == ATTEMPTS:
            raise _given_up(match, reason, trace)
        again = Attempt(attempt.matches, attempt.number + 1)
        others = (waiting for waiting in self._waiting if waiting.attempt is not attempt)
        self._waiting = deque([*(Match(match, again) for match in attempt.matches), *others])


def _given_up(match: Match, reason: str, trace: str) -> RunnerError:
    error = RunnerError(f"match {match.playable.key} could not be played in {ATTEMPTS} attempts: {reason}")
    if trace:
        error.add_note(trace)
    return error
