"""What happens in a running tournament: one frozen class for each kind of event, in the order in which they occur.

An event is also a line of the log: the names and types of its fields are those of the JSON, and of its schema, which
`make schemas` writes. What is for this process alone is not part of a line, nor of the event's `repr`.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import Field, GetCoreSchemaHandler, computed_field
from pydantic_core import CoreSchema, core_schema

from ballcourt.arena.records.decisions import termination
from ballcourt.arena.tournament.decisions.certificate import SetUpForm
from ballcourt.arena.tournament.decisions.trail import Decision, Halt
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.queue import WorkerChange
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-events-1"
"""The format of the log, which its first line names."""

T = TypeVar("T")


class _Unwritten:
    """Marks a field that no line has, of any type."""

    def __get_pydantic_core_schema__(self, kind: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.any_schema()


Here = Annotated[T, _Unwritten(), Field(exclude=True)]
"""What is for this process alone."""
Key = Annotated[str, Field(min_length=1)]
Match = Annotated[Key, Field(serialization_alias="match")]
Matches = Annotated[tuple[Key, ...], Field(serialization_alias="matches")]
Bot = Annotated[str, Field(serialization_alias="bot")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]


def _now() -> str:
    return f"{datetime.now(UTC).isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"


@dataclass(frozen=True, slots=True)
class _Happening:
    at: Annotated[str, Field(json_schema_extra={"format": "date-time"})] = field(
        default_factory=_now, init=False, repr=False, compare=False
    )
    """When it happened, in UTC."""


@dataclass(frozen=True, slots=True)
class Planned(_Happening):
    """The tournament is about to be played. Always the first event."""

    event: Literal["planned"] = field(default="planned", init=False, repr=False)
    game: str
    """The names of all games."""
    bots: tuple[str, ...]
    matches: Count
    """All expected, those of earlier runs included; for a ladder, the number at which its run ends, or 0."""
    is_exact: Annotated[bool, Field(serialization_alias="exact")]
    """Whether there will be exactly this number of matches if no bot is suspended; if not, it is the most."""
    folder: Here[Path]
    tournament: Here[Plan] = field(repr=False, compare=False)

    @computed_field
    def log(self) -> Literal["ballcourt-events-1"]:
        """The format of the log."""
        return FORMAT

    @computed_field
    def format(self) -> str:
        """The format of the schedule."""
        return self.tournament.design.format

    @computed_field
    def seats(self) -> Positive:
        """Those of the largest tables."""
        return self.tournament.seats

    @computed_field
    def setups(self) -> Annotated[list[SetUpForm], Field(min_length=1)]:
        """What is played at the tables."""
        return [
            SetUpForm(setup.game, setup.rules_version, setup.seats, dict(setup.options))
            for setup in self.tournament.setups
        ]


@dataclass(frozen=True, slots=True)
class MatchStarted(_Happening):
    """A match is being played. It ends with its `MatchPlayed`, or does not count if its block is voided."""

    event: Literal["started"] = field(default="started", init=False, repr=False)
    key: Match
    game: str
    bots: tuple[str, ...]
    """In seat order."""


@dataclass(frozen=True, slots=True)
class MatchPlayed(_Happening):
    """A match counts: its record is in the folder."""

    event: Literal["played"] = field(default="played", init=False, repr=False)
    key: Match
    bots: tuple[str, ...]
    """In seat order, like all fields that follow."""
    placements: tuple[Positive, ...]
    scores: tuple[float, ...]
    path: Here[Path]
    is_new: Annotated[bool, Field(serialization_alias="new")]
    """Whether this run played it."""
    record: Here[MatchRecord] = field(repr=False, compare=False)

    @computed_field
    def terminations(self) -> list[str]:
        """OK, or the fault that cost the bot its seat, such as TIMEOUT."""
        return [termination(self.record, seat) for seat in range(len(self.bots))]


@dataclass(frozen=True, slots=True)
class RecordUnreadable(_Happening):
    """A record of an earlier run cannot be read, so its match is played again."""

    event: Literal["unreadable"] = field(default="unreadable", init=False, repr=False)
    key: Match
    reason: str


@dataclass(frozen=True, slots=True)
class Resumed(_Happening):
    """An earlier run played this number of matches. Comes once, before the first new match or at the end."""

    event: Literal["resumed"] = field(default="resumed", init=False, repr=False)
    matches: Count


@dataclass(frozen=True, slots=True)
class BlockVoided(_Happening):
    """The arena failed in a block; its matches do not count and are played again. Their records are moved next."""

    event: Literal["voided"] = field(default="voided", init=False, repr=False)
    keys: Matches
    """All matches of the block, including those that had not been played."""
    reason: str
    records: Here[tuple[MatchRecord, ...]] = field(repr=False, compare=False)
    """The records of those that had been played."""


@dataclass(frozen=True, slots=True)
class EntrantJudged(_Happening):
    """An entrant has to sit out because of its faults in the rounds so far."""

    event: Literal["judged"] = field(default="judged", init=False, repr=False)
    name: Bot
    version: str
    sentence: str
    """Such as "is disqualified: 8 of its 8 matches had a fault"."""


@dataclass(frozen=True, slots=True)
class WorkerChanged(_Happening):
    """A worker of a cluster came or went, or stands out among the others."""

    event: Literal["worker"] = field(default="worker", init=False, repr=False)
    worker: str
    news: WorkerChange
    sentence: str
    """About the worker, without its name."""


@dataclass(frozen=True, slots=True)
class MatchesSkipped(_Happening):
    """Matches are not played because an entrant sits out or the organiser decided so.

    Any records of them are moved next.
    """

    event: Literal["skipped"] = field(default="skipped", init=False, repr=False)
    keys: Matches
    records: Here[tuple[MatchRecord, ...]] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class OrganiserDecided(_Happening):
    """The organiser's decisions change the tournament from now on.

    What no longer counts is announced as skipped or void. Matches that are left out for any reason are announced again.
    """

    event: Literal["decided"] = field(default="decided", init=False, repr=False)
    decisions: tuple[Decision, ...]
    matches: Count
    """How many matches are expected now, those played before included."""
    tournament: Here[Plan | None] = field(default=None, repr=False, compare=False)
    """The plan with these decisions."""


@dataclass(frozen=True, slots=True)
class EventPaused(_Happening):
    """No match is played until the organiser decides that the event goes on."""

    event: Literal["paused"] = field(default="paused", init=False, repr=False)
    decision: Here[Halt]

    @computed_field
    def sentence(self) -> str:
        """What was decided, by whom and why."""
        return self.decision.sentence


@dataclass(frozen=True, slots=True)
class BotRefused(_Happening):
    """A bot that has arrived at a ladder may not join."""

    event: Literal["refused"] = field(default="refused", init=False, repr=False)
    place: Annotated[str, Field(serialization_alias="folder")]
    """Its folder in the watched folder; OWNER/NAME if another program handed it over, or if it dials in."""
    sentence: str
    report: Path | None
    """The file for its author; null for a bot that dials in, whose owner learns it by the connection."""


@dataclass(frozen=True, slots=True)
class DivisionChanged(_Happening):
    """A bot of a ladder has gone up or down; divisions are counted from 1, the highest."""

    event: Literal["moved"] = field(default="moved", init=False, repr=False)
    name: Bot
    version: str
    before: Positive
    after: Positive


@dataclass(frozen=True, slots=True)
class LadderWaits(_Happening):
    """A ladder has fewer bots than a table has seats, still checks those with which it is to begin, or lacks space."""

    event: Literal["waiting"] = field(default="waiting", init=False, repr=False)
    sentence: str


@dataclass(frozen=True, slots=True)
class LadderRests(_Happening):
    """A ladder plays nothing until a bot arrives: ratings are as precise as was asked, or its contest is over."""

    event: Literal["resting"] = field(default="resting", init=False, repr=False)
    sentence: str


@dataclass(frozen=True, slots=True)
class Finished(_Happening):
    """The tournament is over; this number of matches count. Always the last event."""

    event: Literal["finished"] = field(default="finished", init=False, repr=False)
    matches: Count
    folder: Here[Path]
    placing: tuple[str, ...]
    """The bots from first to last by the rules of the format; empty if it leaves that to ratings."""
    reason: str = ""
    """Why it ended before its length was reached, such as "6 h have passed"; empty if that was reached."""
    tournament: Here[Plan | None] = field(default=None, repr=False, compare=False)
    """The plan with all that its organiser has decided; None for a ladder."""


@dataclass(frozen=True, slots=True)
class Stopped(_Happening):
    """The run ended before the tournament was over. Only the log has this event."""

    event: Literal["stopped"] = field(default="stopped", init=False, repr=False)
    reason: str


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
    | LadderRests
    | Finished
)

_LOG: Final = """A line of events.jsonl, the log of a tournament's run.

The first line is `planned`; matches that earlier runs played come next, with `new` false. A ladder begins a new log now
and then, and lists only the last of these matches. Later versions may add kinds of events and properties.
"""
Line = Annotated[RunEvent | Stopped, Field(discriminator="event", description=_LOG)]
