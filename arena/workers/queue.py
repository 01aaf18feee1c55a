"""The queue of a runner: the blocks to be played, and those to be played again.

A failure of the arena in one match voids the whole block, including finished matches: its cause may have affected them,
and an incomplete block favours a seat. The block is played again after a pause, while the others go on.

No bot may end a run, or escape a defeat, by making the arena fail. When a block has failed at every attempt, the bot
that was suspected each time is put out: it loses its seats in the block, which is played without it. If none was, those
bots are put out without which matches went well; and if there are none, the run ends once the other blocks are played.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch

ATTEMPTS = 3
DEATHS = 10
"""How many deaths of worker processes a block survives besides: it may be the kernel, or a person, who kills them."""
PAUSES_S = (1.0, 10.0)
"""The pauses after the first and any later failure but deaths; whatever was wrong with the machine may pass."""
MOST_VOID = 8
"""How many void blocks may wait before no other block is begun: if all fail, the run ends soon."""


class RunnerError(ArenaError):
    """A match failed at every attempt. The exception's notes have the traceback of the last one."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match of a game is being played, by these bots in seat order."""

    key: str
    game: str
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Voided:
    """A block that a failure of the arena spoiled: its matches, with these keys, do not count."""

    keys: tuple[str, ...]
    reason: str


class WorkerChange(StrEnum):
    """What may become of a worker of a cluster."""

    JOINED = "joined"
    LEFT = "left"
    REFUSED = "refused"
    """It has joined, but cannot play here."""
    FLAGGED = "flagged"
    """It stands out among the others."""
    SHUT_OUT = "shut out"
    """It has lied about a match, and gets no more of them."""


@dataclass(frozen=True, slots=True)
class WorkerNews:
    """A worker of a cluster came or went; the sentence about it does not name it."""

    worker: str
    news: WorkerChange
    sentence: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the arena could not play a match."""

    reason: str
    trace: str = ""
    suspect: str = ""
    """The entrant that may have brought it about; empty if nothing points at one."""
    died: bool = False
    """Whether the worker process was killed."""


@dataclass
class Attempt:
    """One attempt to play a block."""

    matches: tuple[PlayableMatch, ...]
    number: int = 1
    suspects: tuple[str, ...] = ()
    """The suspect of every attempt so far."""
    is_void: bool = False
    deaths: int = 0
    """How many attempts ended with the death of the worker process."""

    @property
    def is_last(self) -> bool:
        """Whether the block is given up when this attempt has failed."""
        return self.deaths >= DEATHS or self.number - self.deaths >= ATTEMPTS

    @property
    def names(self) -> set[str]:
        """The names of the entrants that were not put out."""
        return {entrant.bot.name for match in self.matches for entrant in match.spec.entrants} - self.matches[
            0
        ].out.keys()


@dataclass(frozen=True, slots=True)
class QueuedMatch:
    """A match of one attempt to play its block."""

    playable: PlayableMatch
    attempt: Attempt


@dataclass
class _Spoiled:
    """A block that failed at every attempt."""

    match: QueuedMatch
    failure: Failure

    def error(self) -> RunnerError:
        attempts, why = self.match.attempt.number, self.failure.reason
        error = RunnerError(f"match {self.match.playable.key} could not be played in {attempts} attempts: {why}")
        if self.failure.trace:
            error.add_note(self.failure.trace)
        return error


@dataclass
class Queue:
    """The matches to be handed out, in order; those of a voided block come next, after a pause."""

    blocks: Iterable[Sequence[PlayableMatch]]
    done: Container[str]
    """Matches with these keys are left out, unless their block is voided."""
    now: Callable[[], float] = time.monotonic
    _waiting: deque[QueuedMatch] = field(default_factory=deque)
    _later: list[tuple[float, Attempt]] = field(default_factory=list)
    """Attempts, and when they begin; the earliest first."""
    _spoiled: list[_Spoiled] = field(default_factory=list)
    _trusted: set[str] = field(default_factory=set)
    """The entrants with a match that went well."""
    _out: dict[str, str] = field(default_factory=dict)
    """The entrants that were put out, and why."""

    def __post_init__(self) -> None:
        self._upcoming = iter(self.blocks)

    def next(self) -> QueuedMatch | None:
        """Return the next match; None if there is none at the moment."""
        while self._later and self._later[0][0] <= self.now():
            _, attempt = self._later.pop(0)
            self._waiting.extendleft(QueuedMatch(match, attempt) for match in reversed(attempt.matches))
        while not self._waiting:
            if len(self._later) + len(self._spoiled) >= MOST_VOID or (block := next(self._upcoming, None)) is None:
                return None
            self._begin(Attempt(tuple(block)))
        return self._waiting.popleft()

    def next_together(self) -> list[QueuedMatch]:
        """Return the matches that are left of the next block; none if there is none at the moment."""
        first = self.next()
        if first is None:
            return []
        together = [first]
        while self._waiting and self._waiting[0].attempt is first.attempt:
            together.append(self._waiting.popleft())
        return together

    def pause_s(self) -> float | None:
        """Return how long to wait for the next match, in seconds, when none is being played; None if all is done.

        Raises RunnerError for a block that cannot be played.
        """
        if self._later:
            return max(0.0, self._later[0][0] - self.now())
        if not self._spoiled:
            return None
        for spoiled in self._spoiled:
            self._play_without(self._doubtful(spoiled), spoiled.match.attempt, spoiled.failure.reason)
        self._spoiled.clear()
        return 0.0

    def played(self, match: QueuedMatch) -> None:
        """Note that a match went well."""
        self._trusted |= {entrant.bot.name for entrant in match.playable.spec.entrants} - match.playable.out.keys()

    def void(self, match: QueuedMatch, failure: Failure) -> Iterator[Voided]:
        """Void the block of a failed match, and queue it again, for bots that have not seen its deals."""
        attempt = match.attempt
        if attempt.is_void:
            return
        attempt.is_void = True
        attempt.suspects += (failure.suspect,)
        attempt.deaths += failure.died
        self._waiting = deque(waiting for waiting in self._waiting if waiting.attempt is not attempt)
        yield Voided(tuple(match.key for match in attempt.matches), failure.reason)
        if suspect := self._culprit(attempt):
            self._play_without({suspect}, attempt, failure.reason)
        elif attempt.is_last:
            self._spoiled.append(_Spoiled(match, failure))
        else:
            again = tuple(replace(match, lifetime=Lifetime.MATCH) for match in attempt.matches)
            following = Attempt(again, attempt.number + 1, attempt.suspects, deaths=attempt.deaths)
            failures = max(1, attempt.number - attempt.deaths)
            self._play_again(following, PAUSES_S[min(failures, len(PAUSES_S)) - 1])

    def _begin(self, attempt: Attempt) -> None:
        for match in attempt.matches:
            if match.key in self.done:
                self._trusted |= {entrant.bot.name for entrant in match.spec.entrants}
            else:
                self._waiting.append(QueuedMatch(match, attempt))

    def _culprit(self, attempt: Attempt) -> str:
        """Return the entrant that was suspected at every attempt, or now and of an earlier block; empty if none was."""
        suspect = attempt.suspects[-1]
        if suspect in self._out and suspect not in attempt.matches[0].out:
            return suspect
        return suspect if attempt.suspects == (suspect,) * ATTEMPTS else ""

    def _doubtful(self, spoiled: _Spoiled) -> set[str]:
        """Return the entrants of a block that matches fail with. Raises RunnerError if they are unknown.

        These are the entrants that no match went well with, if one went well with the others; or else the one that is
        in more spoiled blocks than any other.
        """
        names = spoiled.match.attempt.names
        doubtful = names - self._trusted
        if doubtful and doubtful != names:
            return doubtful
        spoils = Counter(name for block in self._spoiled for name in block.match.attempt.names)
        ranked = sorted(names, key=lambda name: -spoils[name])
        if len(ranked) < 2 or spoils[ranked[0]] == spoils[ranked[1]]:
            raise spoiled.error()
        return {ranked[0]}

    def _play_without(self, names: set[str], attempt: Attempt, reason: str) -> None:
        """Queue a block without some entrants; it gets all its attempts again, as another may spoil it next."""
        out = dict.fromkeys(names, f"the arena failed whenever it played with this bot: {reason}")
        self._out |= out
        matches = tuple(replace(match, lifetime=Lifetime.MATCH, out={**match.out, **out}) for match in attempt.matches)
        self._play_again(Attempt(matches), 0.0)

    def _play_again(self, attempt: Attempt, pause_s: float) -> None:
        self._later.append((self.now() + pause_s, attempt))
        self._later.sort(key=lambda later: later[0])
