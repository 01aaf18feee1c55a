"""The settings of a tournament: what its file, or the flags that say the same, may contain, and their validation.

game = "tzolkin"                # or a list of games: all bots play each of them
bots = ["random", "./mine"]     # names, or folders relative to the file, recognised by a slash; "remote:NAME" dials
                                # in; "twin=./mine" enters a copy of the bot under the name twin
                                # or [[bot]] tables, which can say more: see below
seats = 4                       # default: as many as there are bots, up to what the game takes; or a list: [2, 3, 4]
format = "round-robin"          # default; which blocks are played: see below
rounds = 3                      # every group of bots plays this number of blocks; default: 1. Or instead:
blocks = 20                     # tables of bots in all their seat rotations; with one seat, deals that all bots play
matches = 48                    # the fewest whole blocks that hold this number of matches
stop = "top 3 separated at 95%" # ends it after the first round that shows this, with or without a length; also "±1.0"
                                # (rating points), "6 h" after it began, or a list of these, of which the first decides
seed = 7                        # default: drawn, and kept in the output folder; a short one can be guessed by bots
seeds = "block"                 # all rotations of a table play the same deal, to compare bots of one's own, and
                                # lifetime is "match"; default: "match", every match has its own deal
output = "runs/mine"            # relative to the file
workers = 2                     # default: one per processor
cpus = 1                        # processors of their own for the bots of each worker; default: 0, they share all
lifetime = "match"              # a bot gets a fresh process for every match; default: "tournament", it may remember
database = "sqlite:///all.sqlite"  # any SQLAlchemy URL; keeps the results in addition to the output folder's database

[options]                       # of the game; `ballcourt games NAME` lists them; a list of values plays each of them
[sandbox]                       # of the bots: tier (0, 1 or 2), readable = [paths], and limits: memory_mb, processes,
                                # file_mb, tmp_mb, cpu_s
[clock]                         # milliseconds: startup_ms, match_start_ms, bank_ms, increment_ms, cap_ms, grace_ms;
                                # work = 1000: units per decision, for bots that count their work;
                                # ponder = true: bots may think while others decide;
                                # scale = "reference": times are for the reference machine, and a machine of half its
                                # speed gives twice the time; default: "none"
[faults]                        # what is done about faults of bots: see ballcourt.arena.match.policy
illegal = "retry 2"             # this often in a match, then the default "forfeit"; or "substitute N"
timeout = "substitute 1"
failed_to_start = "retry 1"
disqualify = "above 10% of 20 matches"                # default: "never"
probation = "2 rounds after 3 faults in 10 matches"  # default: "never"

[[bot]]                         # an entrant; several tables, in addition to those in `bots`
path = "./mine"                 # as in `bots`
label = "mine-fast"             # the name it plays under; two entrants have two names
args = ["--depth", "2"]         # added to its command; its content hash then covers them too
clock = { bank_ms = 5000 }      # what differs from [clock]
owner = "ann"                   # bots of one owner are kept apart where the format allows
hash = "9f86d081..."            # the content hash that it must have, 64 digits; `ballcourt bots --json` shows it

[[setup]]                       # a game with its own seats and options, where several are played; what it leaves out
game = "ahau"                   # is as above. Every combination of games, seats and options is a set-up, with a table
seats = [3, 5]                  # of its own; all bots play in all of them, in the same number of rounds
options = { mode = "family" }

Formats, and what a round is:
- round-robin: every group of bots that fits a table plays one block.
- balanced: bots play with those whom they have met least; as many blocks as it takes for everybody to play one.
- gauntlet: each bot in focus meets every other bot once; the others meet only at its tables.
- adaptive: as balanced, but half of the blocks are played by those who may be the best, as far as is known.
- swiss: every bot plays one block with bots that stand alike; no pair meets twice while that can be avoided.
- single-elimination, double-elimination: the lower half of each table loses, and who has lost once or twice is out.
- groups-final: in each group every bot plays one block; as many rounds again among the best of the groups.
- comparison: the first half of the bots are copies of one version, the others of another; each block is two opposite
  splits of the seats. `ballcourt compare` plays it until it is known which version is better.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.entries import split_label
from ballcourt.arena.bots.naming import command_objection, line_objection
from ballcourt.arena.files import read_toml
from ballcourt.arena.match.policy import PolicyError, parse_entry
from ballcourt.arena.match.spec import Clock, Scale, least_budget
from ballcourt.arena.sandbox.tiers import MOST, TIERS, Limits
from ballcourt.arena.tournament.event import kinds
from ballcourt.arena.tournament.event.bot_tables import KEYS, BotTable
from ballcourt.arena.tournament.event.kinds import SettingsError as SettingsError
from ballcourt.arena.tournament.event.kinds import Value
from ballcourt.arena.tournament.event.rerun import as_settings, is_manifest
from ballcourt.arena.tournament.event.seeds import SEED_LIMIT, Deals
from ballcourt.arena.tournament.event.setups import Choice, SetUpTable
from ballcourt.arena.tournament.schedules.formats import check_format
from ballcourt.arena.tournament.schedules.schedule import Length, ScheduleError
from ballcourt.arena.tournament.schedules.stop import Rule, StopError, parse_rule
from ballcourt.arena.workers.playable import Lifetime

UNITS: Final = ("rounds", "blocks", "matches")
"""The settings that say how long a tournament is; only one of them is given."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A tournament as its organiser asked for it; None for whatever was left open."""

    game: Choice | None = None
    bots: tuple[str, ...] | None = None
    bot: tuple[BotTable, ...] | None = None
    seats: int | tuple[int, ...] | None = None
    setup: tuple[SetUpTable, ...] | None = None
    format: str | None = None
    focus: tuple[str, ...] | None = None
    groups: int | None = None
    advance: int | None = None
    rounds: int | None = None
    blocks: int | None = None
    matches: int | None = None
    stop: tuple[Rule, ...] | None = None
    seed: int | None = None
    seeds: str | None = None
    output: Path | None = None
    workers: int | None = None
    cpus: int | None = None
    lifetime: str | None = None
    database: str | None = None
    options: Mapping[str, Choice] = field(default_factory=dict)
    clock: Mapping[str, int | str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    sandbox: Mapping[str, object] = field(default_factory=dict)

    @property
    def length(self) -> Length | None:
        """How long the tournament is to be; None if that was left open."""
        if self.rounds is not None:
            return Length("rounds", self.rounds)
        if self.blocks is not None:
            return Length("blocks", self.blocks)
        return None if self.matches is None else Length("matches", self.matches)

    @property
    def entered(self) -> tuple[BotTable, ...]:
        """The entrants, those in `bots` first."""
        return tuple(map(BotTable, self.bots or ())) + (self.bot or ())

    @property
    def played(self) -> tuple[SetUpTable, ...]:
        """What is played: the `[[setup]]` tables, or one that says the same as the settings themselves."""
        general = SetUpTable(self.game, self.seats, self.options)
        return tuple(table.with_defaults(general) for table in self.setup) if self.setup else (general,)

    def overridden_by(self, other: "Settings") -> "Settings":
        """Return a copy with every value that is set in `other` replaced."""
        said = {entry.name: getattr(other, entry.name) for entry in fields(self)}
        given = {name: value for name, value in said.items() if value is not None}
        if other.bots:
            given.setdefault("bot", None)
        if other.game or other.seats:
            given.setdefault("setup", None)
        if other.length:
            given |= {unit: said[unit] for unit in UNITS}
        for table in ("options", "clock", "faults", "sandbox"):
            given[table] = {**getattr(self, table), **getattr(other, table)}
        return replace(self, **given)


def read_table(path: Path) -> dict[str, Value]:
    """Read a TOML file. Raises SettingsError."""
    try:
        return read_toml(path)
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error


def read_settings(path: Path) -> Settings:
    """Read a tournament file, or the manifest of an output folder. Raises SettingsError."""
    values = read_table(path)
    if is_manifest(values):
        try:
            values = as_settings(values)
        except ValueError as error:
            raise SettingsError(
                f"{path} is the manifest of an output folder, but it cannot be run: {error}; "
                "run the tournament file that it came from"
            ) from error
    return parse_settings(values, str(path), path.parent)


def parse_settings(values: Mapping[str, Value], source: str, base: Path) -> Settings:
    """Validate values; error messages name `source`, paths are relative to `base`. Raises SettingsError."""
    for key in values:
        if key not in _PARSERS:
            raise SettingsError(f"{source} has the unknown key '{key}'; known keys: {', '.join(_PARSERS)}")
    if len(units := [unit for unit in UNITS if unit in values]) > 1:
        raise SettingsError(f"{source} gives {' and '.join(units)}; give only one of {', '.join(UNITS)}")
    return Settings(**{key: _PARSERS[key](f"{source}: {key}", value, base) for key, value in values.items()})  # type: ignore[arg-type]


def settings_from(file: Path | None, given: Mapping[str, Value], source: str) -> Settings:
    """Read a tournament file, if there is one, and override it with what was given; None is not given.

    Raises SettingsError; messages about what was given name `source`.
    """
    written = read_settings(file) if file else Settings()
    said = {name: value for name, value in given.items() if value is not None}
    return written.overridden_by(parse_settings(said, source, Path()))


def output_folder(file: Path | None, settings: Settings) -> Path:
    """Return the output folder: the one in the settings, else one in `runs` named after the file or the game."""
    games = settings.game if isinstance(settings.game, tuple) else (settings.game or "",)
    named = file.parent / "runs" / file.stem if file else Path("runs") / "-".join(games)
    return settings.output or named


def _format(where: str, value: Value, base: Path) -> str:
    name = kinds.text(where, value, base)
    try:
        check_format(name)
    except ScheduleError as error:
        raise SettingsError(f"{where}: {error}") from error
    return name


def _bots(where: str, value: Value, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise SettingsError(f"{where} is {value!r}; it must be a list of bot names or folders")
    return tuple(_bot(kinds.text(where, entry, base), base) for entry in value)


def _bot_tables(where: str, value: Value, base: Path) -> tuple[BotTable, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(table, Mapping) for table in value):
        raise SettingsError(f"{where} is {value!r}; it must be tables, [[bot]] each")
    return tuple(_bot_table(f"{where} {number}", table, base) for number, table in enumerate(value, start=1))


def _bot_table(where: str, table: Mapping[str, Value], base: Path) -> BotTable:
    for name in table:
        if name not in KEYS:
            raise SettingsError(f"{where} has the unknown key '{name}'; known keys: {', '.join(KEYS)}")
    if "path" not in table:
        raise SettingsError(f"{where} lacks 'path'; give the name or the folder of a bot")
    path = _bot(kinds.text(f"{where}: path", table["path"], base), base)
    label, owner = (kinds.name(f"{where}: {name}", table.get(name, ""), base) for name in ("label", "owner"))
    if label and split_label(path)[0]:
        raise SettingsError(f"{where}: path is {table['path']!r} and label is {label!r}; give the label only once")
    clock = _clock(f"{where}: clock", table.get("clock", {}), base)
    if "scale" in clock:
        raise SettingsError(f"{where}: clock has scale, which holds for all bots; give it in [clock]")
    return BotTable(
        path, label, _args(f"{where}: args", table.get("args", [])),
        clock, owner, _hash(f"{where}: hash", table.get("hash", "")),
    )  # fmt: skip


def _hash(where: str, value: Value) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"([0-9a-f]{64})?", value):
        raise SettingsError(f"{where} is {value!r}; it must be 64 hexadecimal digits in lower case")
    return value


def _args(where: str, value: Value) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise SettingsError(f"{where} is {value!r}; it must be a list of strings")
    if objection := command_objection(value):
        raise SettingsError(f"{where} is {value!r}; {objection}")
    return tuple(value)


def _stop(where: str, value: Value, base: Path) -> tuple[Rule, ...]:
    entries = value if isinstance(value, list) else [value]
    if not entries:
        raise SettingsError(f"{where} is an empty list; leave it out if nothing is to end the tournament early")
    try:
        return tuple(parse_rule(kinds.text(where, entry, base)) for entry in entries)
    except StopError as error:
        raise SettingsError(f"{where}: {error}") from error


def _focus(where: str, value: Value, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise SettingsError(f"{where} is {value!r}; it must be a list of names of bots in the tournament")
    return tuple(kinds.text(where, entry, base) for entry in value)


def _bot(entry: str, base: Path) -> str:
    label, name = split_label(entry)
    looks_like_a_path = os.sep in name or name.startswith((".", "~"))
    resolved = os.path.realpath(kinds.placed(name, base)) if looks_like_a_path else name
    return f"{label}={resolved}" if label else resolved


def _options(where: str, value: Value, base: Path) -> dict[str, Choice]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [options]")
    parse = kinds.one_or_several(_option)
    return {name: parse(f"{where}.{name}", entry, base) for name, entry in value.items()}


def _option(where: str, value: Value, _base: Path) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int):
        raise SettingsError(f"{where} is {value!r}; it must be a string or a whole number")
    if objection := line_objection(str(value)):
        raise SettingsError(f"{where} is {value!r}; {objection}")
    return str(value)


def _setups(where: str, value: Value, base: Path) -> tuple[SetUpTable, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(table, Mapping) for table in value):
        raise SettingsError(f"{where} is {value!r}; it must be tables, [[setup]] each")
    return tuple(_setup(f"{where} {number}", table, base) for number, table in enumerate(value, start=1))


def _setup(where: str, table: Mapping[str, Value], base: Path) -> SetUpTable:
    known = [entry.name for entry in fields(SetUpTable)]
    for name in table:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; known keys: {', '.join(known)}")
    return SetUpTable(**{name: _PARSERS[name](f"{where}: {name}", entry, base) for name, entry in table.items()})  # type: ignore[arg-type]


def _clock(where: str, value: Value, base: Path) -> dict[str, int | str]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [clock]")
    known = {entry.name: _budget(entry.name, entry.type) for entry in fields(Clock)}
    for name in value:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; known keys: {', '.join(known)}")
    return {name: known[name](f"{where}.{name}", entry, base) for name, entry in value.items()}


def _budget(name: str, kind: object) -> Callable[[str, Value, Path], int | str]:
    if kind is Scale:
        return kinds.one_of(Scale)
    if kind is bool:
        return kinds.flag
    day_ms = 24 * 3600 * 1000
    return kinds.whole(least_budget(name), day_ms if name.endswith("_ms") else SEED_LIMIT - 1)


def _faults(where: str, value: Value, base: Path) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [faults]")
    for name, entry in value.items():
        try:
            parse_entry(name, kinds.text(f"{where}.{name}", entry, base))
        except PolicyError as error:
            raise SettingsError(f"{where}.{error}") from error
    return dict(value)


def _sandbox(where: str, value: Value, base: Path) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [sandbox]")
    known = ["tier", *(entry.name for entry in fields(Limits)), "readable"]
    for name in value:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; known keys: {', '.join(known)}")
    return {name: _sandbox_entry(name)(f"{where}.{name}", entry, base) for name, entry in value.items()}


def _sandbox_entry(name: str) -> Callable[[str, Value, Path], object]:
    if name == "readable":
        return _readable
    return kinds.whole(0, max(TIERS)) if name == "tier" else kinds.whole(0, MOST)


def _readable(where: str, value: Value, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SettingsError(f"{where} is {value!r}; it must be a list of paths")
    return tuple(os.path.realpath(kinds.path(where, entry, base)) for entry in value)


_PARSERS: dict[str, Callable[[str, Value, Path], object]] = {
    "game": kinds.one_or_several(kinds.text),
    "bots": _bots,
    "bot": _bot_tables,
    "seats": kinds.one_or_several(kinds.whole(1, 64)),
    "setup": _setups,
    "format": _format,
    "focus": _focus,
    "groups": kinds.whole(1, 1000),
    "advance": kinds.whole(1, 1000),
    "rounds": kinds.whole(1, 1_000_000),
    "blocks": kinds.whole(1, 1_000_000),
    "matches": kinds.whole(1, 1_000_000),
    "stop": _stop,
    "seed": kinds.whole(0, SEED_LIMIT - 1),
    "seeds": kinds.one_of(Deals),
    "output": kinds.path,
    "workers": kinds.whole(1, 1024),
    "cpus": kinds.whole(0, 1024),
    "lifetime": kinds.one_of(Lifetime),
    "database": kinds.text,
    "options": _options,
    "clock": _clock,
    "faults": _faults,
    "sandbox": _sandbox,
}
