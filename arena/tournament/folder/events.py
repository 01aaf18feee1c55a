"""What happens in a running tournament: one frozen class for each kind of event, in the order in which they occur.

Records and plans are left out of an event's `repr`, so that events can be printed.
"""

from dataclasses import dataclass, field
from pathlib import Path

from ballcourt.arena.tournament.decisions.trail import Decision
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.queue import WorkerChange
from ballcourt.v1.record_pb2 import MatchRecord


@dataclass(frozen=True, slots=True)
class Planned:
    """The tournament is about to be played. Always the first event."""

    game: str
    """The names of all games."""
    bots: tuple[str, ...]
    matches: int
    """How many matches are expected, those played before included; 0 for a ladder without an end."""
    is_exact: bool
    """Whether there will be exactly this number of matches if nobody is suspended; if not, it is the most."""
    folder: Path
    tournament: Plan = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match is being played. It ends with its `MatchPlayed`, or does not count if its block is voided."""

    key: str
    game: str
    bots: tuple[str, ...]
    """In seat order."""


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match counts: its record is in the folder."""

    key: str
    bots: tuple[str, ...]
    """In seat order, like all fields that follow."""
    placements: tuple[int, ...]
    scores: tuple[float, ...]
    path: Path
    is_new: bool
    """False for a match that an earlier run played."""
    record: MatchRecord = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class RecordUnreadable:
    """A record of an earlier run cannot be read, so its match is played again."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """An earlier run played this number of matches. Comes once, before the first new match or at the end."""

    matches: int


@dataclass(frozen=True, slots=True)
class BlockVoided:
    """The arena failed in a block; its matches do not count and are played again. Their records are moved next."""

    keys: tuple[str, ...]
    """All matches of the block, including those that had not been played."""
    reason: str
    records: tuple[MatchRecord, ...] = field(repr=False, compare=False)
    """The records of those that had been played."""


@dataclass(frozen=True, slots=True)
class EntrantJudged:
    """An entrant has to sit out because of its faults in the rounds so far."""

    name: str
    version: str
    sentence: str
    """Such as "is disqualified: 8 of its 8 matches had a fault"."""


@dataclass(frozen=True, slots=True)
class WorkerChanged:
    """A worker of a cluster came or went, or stands out among the others."""

    worker: str
    news: WorkerChange
    sentence: str
    """About the worker, without its name."""


@dataclass(frozen=True, slots=True)
class MatchesSkipped:
    """Matches are not played because somebody sits out or the organiser decided so.

    Any records of them are moved next.
    """

    keys: tuple[str, ...]
    records: tuple[MatchRecord, ...] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class OrganiserDecided:
    """The organiser's decisions change the tournament from now on.

    What no longer counts is announced as skipped or void. Matches that are left out for any reason are announced again.
    """

    decisions: tuple[Decision, ...]
    matches: int
    """How many matches are expected now, those played before included."""


@dataclass(frozen=True, slots=True)
class EventPaused:
    """No match is played until the organiser decides that the event goes on."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class BotRefused:
    """A bot in the watched folder of a ladder may not join."""

    place: str
    """Its folder in the watched folder."""
    sentence: str
    report: Path
    """The file for its author."""


@dataclass(frozen=True, slots=True)
class DivisionChanged:
    """A bot of a ladder has gone up or down; divisions are counted from 1, the highest."""

    name: str
    version: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class LadderWaits:
    """A ladder has fewer bots than a table has seats, or still checks those with which it is to begin."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The tournament is over; this number of matches count. Always the last event."""

    matches: int
    folder: Path
    placing: tuple[str, ...]
    """The bots from first to last by the rules of the format; empty if it leaves that to ratings."""
    reason: str = ""
    """Why it ended before its length was reached, such as "6 h have passed"; empty if that was reached."""


RunEvent = (
    Planned
    | MatchStarted
    | MatchPlayed
    | RecordUnreadable
    | Resumed
    | BlockVoided
    | EntrantJudged
    | WorkerChanged
    | MatchesSkipped
    | OrganiserDecided
    | EventPaused
    | BotRefused
    | DivisionChanged
    | LadderWaits
    | Finished
)
