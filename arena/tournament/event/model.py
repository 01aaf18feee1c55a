"""The model of an event: what its file, the flags of a command and the manifest of its folder may say.

All of them are an `Event` with more or less of it filled in. The docstrings of the fields are the help of the flags,
the reference of the file and the descriptions in its JSON schema; their types give the errors.
"""

from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator, model_validator

from ballcourt.arena.models import LAX, Must, OneOrSeveral, Text
from ballcourt.arena.tournament.event.seeds import SEED_LIMIT, Deals
from ballcourt.arena.tournament.event.tables import (
    MOST_ENTRANTS,
    Absent,
    BotName,
    BotTable,
    ClockTable,
    Count,
    FaultsTable,
    Moment,
    Place,
    SandboxTable,
    SetUpTable,
)
from ballcourt.arena.tournament.schedules.formats import known_formats
from ballcourt.arena.tournament.schedules.schedule import FormatOptions, Length, Unit
from ballcourt.arena.tournament.schedules.stop import Rule, parse_rule
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.engine.core import WrongInput, did_you_mean

UNITS: Final[tuple[Unit, ...]] = ("rounds", "blocks", "matches")
"""The fields that say how long an event is; only one of them is given."""


class SettingsError(WrongInput):
    """A tournament file or a flag is wrong; the sentence names key, value and what is allowed."""


def _format(name: str) -> str:
    if name not in (known := known_formats()):
        raise ValueError(f"it must be one of {', '.join(known)}{did_you_mean(name, known)}")
    return name


def _rule(value: object) -> Rule:
    if isinstance(value, Rule):
        return value
    return parse_rule(str(value))


Names = Annotated[tuple[Text, ...], LAX, Must("a list of names of bots in the tournament"), Field(min_length=1)]
Entrants: Final = Field(min_length=1, max_length=MOST_ENTRANTS)
BotNames = Annotated[tuple[BotName, ...], LAX, Must("a list of bot names or folders"), Entrants]
BotTables = Annotated[tuple[BotTable, ...], LAX, Entrants]
Stop = Annotated[
    Rule,
    PlainValidator(_rule, json_schema_input_type=str),
    PlainSerializer(str),
    Must("'top 3 separated at 95%', '±1.0' or '6 h'"),
]


class Conditions(SetUpTable):
    """What a tournament and a ladder have in common: what is played, and how."""

    setup: Annotated[tuple[SetUpTable, ...], LAX, Field(min_length=1)] | None = None
    """What is played, where the combinations of games, seats and options are not meant; what a table leaves out is as
    above."""
    seed: Annotated[int, Field(ge=0, le=SEED_LIMIT - 1)] | None = None
    """The seed of all chance; by default drawn, kept in the output folder, and secret. A short one can be guessed."""
    seeds: Annotated[Deals, LAX] | None = None
    """"match": every match has its own deal; "block": all rotations of a table play the same one, to compare bots of
    one's own, each in a fresh process for every match."""
    output: Place | None = None
    """The output folder; runs/NAME by default."""
    workers: Annotated[int, Field(ge=1, le=1024)] | None = None
    """The number of worker processes; one per processor by default."""
    cpus: Annotated[int, Field(ge=0, le=1024)] | None = None
    """Processors of their own for the bots of each worker; by default they share all with the arena."""
    lifetime: Annotated[Lifetime, LAX] | None = None
    """"match": a bot gets a fresh process for every match; "tournament": it may remember earlier ones."""
    logs: bool = False
    """true: keep what each bot prints in each match, at most the last 16 KiB, in the folder logs/ for its author."""
    database: Text | None = None
    """A database that keeps the results too: any SQLAlchemy URL."""
    clock: ClockTable = ClockTable()
    """Time budgets in milliseconds."""
    faults: FaultsTable = FaultsTable()
    """What is done about faults of bots."""
    sandbox: SandboxTable = SandboxTable()
    """How bots are confined."""

    @property
    def played(self) -> tuple[SetUpTable, ...]:
        """What is played: the `[[setup]]` tables, or what is above them."""
        return tuple(table.with_defaults(self) for table in self.setup) if self.setup else (self,)


class Event(FormatOptions, Conditions):
    """A tournament: a file, the flags of a command, and the manifest of a folder give more or less of it."""

    bots: BotNames | None = None
    """The bots: a name, a folder, LABEL=BOT for a copy under another name, or "remote:NAME" for one that dials in."""
    bot: BotTables | None = None
    """Entrants in addition to those in `bots`, of which more is to be said."""
    format: Annotated[str, AfterValidator(_format)] | None = None
    """How the blocks are chosen: the name of a format. By default round-robin, in large fields balanced."""
    focus: Names | None = None  # type: ignore[assignment]  # the format gets their numbers
    """The bots that meet all others in a gauntlet."""
    rounds: Count | None = None
    """Play this number of rounds; what a round is depends on the format."""
    blocks: Count | None = None
    """Play this number of blocks: tables of bots in all their seat rotations; with one seat, deals for all bots."""
    matches: Count | None = None
    """Play at least this number of matches, rounded up to whole blocks."""
    stop: OneOrSeveral[Stop] | None = None
    """End early: 'top 3 separated at 95%', '±1.0' (rating points, 95% intervals) or '6 h'; of several, the first that
    holds. Without a length, the tournament goes on until then."""

    start_at: Moment | None = None
    """For `ballcourt host`: when play begins without the bots that have not dialled in, such as 2026-12-01T18:00:00Z;
    by default it waits for all of them."""
    absent: Annotated[Absent, LAX] = Absent.FORFEIT
    """What happens to bots that are not there after `start_at`. "forfeit": they lose the matches that they miss;
    "skip": who is absent at the start is withdrawn."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(units := [unit for unit in UNITS if getattr(self, unit) is not None]) > 1:
            raise ValueError(f"it gives {' and '.join(units)}; give only one of {', '.join(UNITS)}")
        return self

    @property
    def asked(self) -> Length | None:
        """How long the event is to be; None if that was left open."""
        given = ((unit, getattr(self, unit)) for unit in UNITS)
        return next((Length(unit, number) for unit, number in given if number is not None), None)

    @property
    def entered(self) -> tuple[BotTable, ...]:
        """The entrants, those in `bots` first."""
        return tuple(BotTable(path=path) for path in self.bots or ()) + (self.bot or ())

    def overridden_by(self, other: Self) -> Self:
        """Return a copy in which every value that is given in `other` is the other's.

        Bots replace all entrants, a game or seats all set-ups, a length the length; tables are merged.
        """
        cleared = (["bot"] if other.bots else []) + (["setup"] if other.game or other.seats else [])
        cleared += UNITS if other.asked else ()
        return super(Event, self.model_copy(update=dict.fromkeys(cleared))).overridden_by(other)
