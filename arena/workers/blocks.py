"""The queue of a runner: the blocks to be played, and those to be played again.

A failure of the arena in one match voids the whole block, including finished matches: its cause may have affected them,
and an incomplete block favours a seat.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.workers.playable import PlayableMatch

ATTEMPTS = 3


class RunnerError(ArenaError):
    """A match failed at every attempt. The exception's notes have the traceback of the last one."""


@dataclass(frozen=True, slots=True)
class Voided:
    """A block that a failure of the arena spoiled: its matches, with these keys, do not count."""

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
    """The matches to be handed out, in order; those of a voided block come next."""

    def __init__(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str]) -> None:
        """Leave out matches whose keys are in `done`, unless their block is voided."""
        self._upcoming = iter(blocks)
        self._done = done
        self._waiting: deque[Match] = deque()

    def next(self) -> Match | None:
        """Return the next match; None if there is none at the moment."""
        while not self._waiting:
            block = next(self._upcoming, None)
            if block is None:
                return None
            attempt = Attempt(block)
            self._waiting.extend(Match(match, attempt) for match in block if match.key not in self._done)
        return self._waiting.popleft()

    def void(self, match: Match, reason: str, trace: str = "") -> Iterator[Voided]:
        """Void the block of a failed match, and queue it again.

        Raises RunnerError, after the block is voided, if this was the last attempt.
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
