"""The settings of a ladder: what its file may contain, and their validation.

game = "tzolkin"
bots = "bots"                   # the watched folder, relative to the file: bots join from the folders in it
seats = 4
residents = ["random", "greedy"]  # bots of this machine that always play, as a yardstick; default: none
versions = 2                    # how many versions of a bot play, the newest ones; default: 2
missing = "7 d"                 # after this time without its folder a bot is retired; s, min, h or d
provisional = 20                # a new version first plays this number of matches, against bots of the whole field
across = 0.1                    # the share of tables that are drawn across the field, from 0.1 to 0.9
divisions = { size = 50, moves = 3, season = 20 }  # default: none; see ballcourt.arena.ladder.divisions

Other keys are those of a tournament file, with the same meaning: seed, seeds, output, workers, cpus, lifetime, database
and the tables [options], [sandbox], [clock] and [faults].
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.naming import name_objection
from ballcourt.arena.ladder.divisions import DivisionRule
from ballcourt.arena.tournament.event import kinds
from ballcourt.arena.tournament.event.kinds import Parser, Value, whole
from ballcourt.arena.tournament.event.settings import Settings, SettingsError, output_folder, parse_settings, read_table
from ballcourt.arena.tournament.schedules.stop import UNITS_S, parse_time

SHARED: Final = (
    "game", "seats", "seed", "seeds", "output", "workers", "cpus", "lifetime", "database", "options", "sandbox",
    "clock", "faults",
)  # fmt: skip
"""The keys that a tournament file has too."""
LEAST_ACROSS, MOST_ACROSS = 0.1, 0.9
"""With fewer tables across the field, ratings shrink, and their intervals hold the truth too seldom."""


@dataclass(frozen=True, slots=True)
class LadderSettings:
    """A ladder as its organiser asked for it."""

    shared: Settings
    bots: Path
    """The watched folder."""
    output: Path
    residents: tuple[str, ...] = ()
    """Bots with a name on this machine."""
    versions: int = 2
    missing_s: float = 7 * UNITS_S["d"]
    provisional: int = 20
    across: float = LEAST_ACROSS
    divisions: DivisionRule = field(default_factory=DivisionRule)


def read_ladder(path: Path) -> LadderSettings:
    """Read the file of a ladder. Raises SettingsError."""
    values = read_table(path)
    known = (*SHARED, *_PARSERS)
    for key in values:
        if key not in known:
            raise SettingsError(f"{path} has the unknown key '{key}'; known keys of a ladder: {', '.join(known)}")
    for key in ("game", "bots"):
        if key not in values:
            raise SettingsError(f"{path} lacks '{key}'; a ladder needs a game, and the folder from which bots join")
    shared = parse_settings({key: value for key, value in values.items() if key in SHARED}, str(path), path.parent)
    own = {
        name: parse(f"{path}: {key}", values[key], path.parent)
        for key, (name, parse) in _PARSERS.items()
        if key in values
    }
    return LadderSettings(shared, output=output_folder(path, shared), **own)  # type: ignore[arg-type]


def _names(where: str, value: Value, _base: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and not name_objection(name) for name in value):
        raise SettingsError(f"{where} is {value!r}; it must be a list of names; `ballcourt bots` lists them")
    return tuple(dict.fromkeys(value))


def _time(where: str, value: Value, _base: Path) -> float:
    seconds = parse_time(value) if isinstance(value, str) else None
    if seconds is None:
        raise SettingsError(f"{where} is {value!r}; it must be a time, such as '12 h' or '7 d'")
    return seconds


def _share(where: str, value: Value, _base: Path) -> float:
    if not isinstance(value, int | float) or not LEAST_ACROSS <= value <= MOST_ACROSS:
        raise SettingsError(f"{where} is {value!r}; it must be a number from {LEAST_ACROSS} to {MOST_ACROSS}")
    return float(value)


def _divisions(where: str, value: Value, base: Path) -> DivisionRule:
    known = {"size": whole(2, 10_000), "moves": whole(1, 10_000), "season": whole(1, 1_000_000)}
    if not isinstance(value, Mapping) or "size" not in value:
        raise SettingsError(f"{where} is {value!r}; it must be a table with a size, such as {{ size = 50 }}")
    for name in value:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; known keys: {', '.join(known)}")
    return DivisionRule(**{name: known[name](f"{where}.{name}", entry, base) for name, entry in value.items()})


_PARSERS: Final[Mapping[str, tuple[str, Parser[object]]]] = {
    "bots": ("bots", kinds.path),
    "residents": ("residents", _names),
    "versions": ("versions", whole(1, 1000)),
    "missing": ("missing_s", _time),
    "provisional": ("provisional", whole(0, 1_000_000)),
    "across": ("across", _share),
    "divisions": ("divisions", _divisions),
}
