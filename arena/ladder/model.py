"""The file of a ladder; the keys that it shares with a tournament file are in `Conditions`."""

from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from ballcourt.arena.bots.contents import MOST_BYTES
from ballcourt.arena.ladder.divisions import DivisionRule
from ballcourt.arena.models import LAX, Model, Must, OneOrSeveral
from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.arena.tournament.event.model import Conditions, SettingsError, Stop
from ballcourt.arena.tournament.event.reading import read_table
from ballcourt.arena.tournament.event.tables import EntrantName, Place, SandboxTable, SetUpTable
from ballcourt.arena.tournament.schedules.stop import UNITS_S, After, Rule, parse_time

TIME: Final = "a time, such as '12 h' or '7 d'"
LEAST_ACROSS, MOST_ACROSS = 0.1, 0.9
"""With fewer tables across the field, ratings shrink, and their intervals hold the truth too seldom."""


def _seconds(value: object) -> float:
    seconds = parse_time(value) if isinstance(value, str) else value
    if not isinstance(seconds, float):
        raise ValueError(f"it must be {TIME}")  # pydantic wants this one
    return seconds


def _sized(rule: DivisionRule) -> DivisionRule:
    if rule.size is None:
        raise ValueError("it must be a table with a size, such as { size = 50 }")
    return rule


def _lasting(rules: tuple[Rule, ...] | None) -> tuple[Rule, ...] | None:
    """A ladder has no end, and so no time after which it is over."""
    if any(isinstance(rule, After) for rule in rules or ()):
        raise ValueError("it must be 'top 3 separated at 95%' or '±1.0' (rating points); --hours ends a run by time")
    return rules


def _closed(sandbox: SandboxTable) -> SandboxTable:
    """Bots that come by themselves are of strangers: builds reach only registries unless other hosts are named."""
    if not sandbox.tier or sandbox.build.hosts is not None:
        return sandbox
    return sandbox.model_copy(update={"build": sandbox.build.model_copy(update={"hosts": ()})})


Divisions = Annotated[DivisionRule, AfterValidator(_sized), Must("a table with a size, such as { size = 50 }")]


Seconds = Annotated[float, PlainValidator(_seconds, json_schema_input_type=str), Must(TIME)]


class AdmissionTable(Model):
    """`[admission]`: how bots that arrive are checked, so that none of them holds up the others or the matches."""

    checks: Annotated[int, Field(ge=1, le=64)] = 2
    """How many bots are checked at once."""
    owners: Literal["folder", "user"] = "folder"
    """Whose a bot is: each folder's own, or that of the account that owns the folder."""
    per_owner: Annotated[int, Field(ge=1, le=64)] = 1
    """How many bots of one owner are checked at once."""
    bots: Annotated[int, Field(ge=1, le=10_000)] = 8
    """How many bots of one owner play, each in all its versions."""
    folder_mb: Annotated[int, Field(ge=1, le=MOST_BYTES >> 20)] = MOST_BYTES >> 20
    """What the files of a bot may have together."""
    longest: Seconds = 1.0 * UNITS_S["h"]
    """How long a check may take, with the copy and the build before it."""
    first_match: Seconds = 10.0 * UNITS_S["min"]
    """How long the first match waits for bots that are in the watched folder at the start."""
    pause: Seconds = 10.0
    """How long a bot waits after it was refused; twice as long after each further time, up to an hour."""


class LadderFile(Conditions):
    """A ladder as its organiser asked for it."""

    output: Place = Path("runs")
    sandbox: Annotated[SandboxTable, AfterValidator(_closed)] = SandboxTable()
    """How bots are confined; builds reach no host besides registries unless `hosts` names it."""
    bots: Annotated[Place, Must("the folder from which bots join")]
    """The watched folder, relative to the file: bots join from the folders in it."""
    residents: Annotated[tuple[EntrantName, ...], LAX, Must("a list of names; `ballcourt bots` lists them")] = ()
    """Bots of this machine that always play, as a yardstick."""
    versions: Annotated[int, Field(ge=1, le=1000)] = 2
    """How many versions of a bot play, the newest ones."""
    missing: Seconds = 7.0 * UNITS_S["d"]
    """After this time without its folder, such as "7 d", a bot is retired."""
    provisional: Annotated[int, Field(ge=0, le=1_000_000)] = 20
    """A new version first plays this number of matches, against bots of the whole field."""
    across: Annotated[float, Field(ge=LEAST_ACROSS, le=MOST_ACROSS)] = LEAST_ACROSS
    """The share of tables that are drawn across the field."""
    stage: Seconds = 10.0 * UNITS_S["min"]
    """How long a stage begins blocks; what it has not begun then is chosen again."""
    stop: Annotated[OneOrSeveral[Stop] | None, AfterValidator(_lasting)] = None
    """Rest once 'top 3 separated at 95%' or '±1.0' (rating points, 95% intervals) holds and no bot is new."""
    pace: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Play at most this number of matches an hour; by default as many as the machine can."""
    retention: Annotated[Seconds, Field(gt=0)] | None = None
    """How long records, logs and faults are kept, such as "30 d"; results stay. By default all are kept for ever."""
    reserve_mb: Annotated[int, Field(ge=0, le=1_000_000_000)] = 256
    """While less than this is free on the disk of the output folder, no match begins; 0: play until it is full."""
    divisions: Divisions = DivisionRule()
    """Divisions by strength: { size = 50, moves = 3, season = 20 }; by default there is one."""
    admission: AdmissionTable = AdmissionTable()
    """How bots that arrive are checked."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not all(table.game for table in self.played):
            raise ValueError("it lacks 'game'; give the name of a game")
        return self

    @property
    def tables(self) -> tuple[SetUpTable, ...]:
        """What everybody plays, as the file asks for it."""
        return tuple(table.with_defaults(SetUpTable()) for table in self.played)

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the games that everybody plays."""
        return tuple(dict.fromkeys(game for table in self.played for game in table.game or ()))


def read_ladder(path: Path, *, unconfined: bool = False) -> LadderFile:
    """Read the file of a ladder; with `unconfined`, without its sandbox on a machine that has none.

    Raises SettingsError.
    """
    values = {"output": f"runs/{path.stem}"} | read_table(path)
    found = LadderFile.read(values, str(path), SettingsError, base=path.parent)
    if unconfined and unavailable(found.sandbox.tier or 0) and unavailable(1):
        return found.model_copy(update={"sandbox": found.sandbox.opened()})
    return found
