"""What a tournament file, or the flags that say the same, may contain, and its validation.

game = "tzolkin"
bots = ["random", "./mine"]     # names, or folders, told by a slash, relative to the file; "remote:NAME" dials in;
                                # "twin=./mine" enters a copy of the bot under the name twin
seats = 4                       # default: as many as there are bots, up to what the game takes
blocks = 3                      # rounds in which every group of bots plays one seed in all seat rotations, with
                                # one seat every bot alone; or matches = 48: the fewest whole blocks that hold so many
seed = 7                        # default: drawn, and kept in the output folder
output = "runs/mine"            # relative to the file
workers = 2                     # default: one per processor
lifetime = "match"              # a bot has a fresh process in every match; default: "tournament", it may remember
database = "sqlite:///all.sqlite"  # any SQLAlchemy URL; keeps the results too, beside the output folder's own

[options]                       # of the game; `ballcourt games NAME` lists them
[sandbox]                       # of the bots: tier (0 or 1), readable = [paths], and limits: memory_mb, processes,
                                # file_mb, tmp_mb, cpu_s
[clock]                         # milliseconds: startup_ms, match_start_ms, bank_ms, increment_ms, cap_ms, grace_ms;
                                # work = 1000: units per decision, for bots that count their work;
                                # ponder = true: bots may think while others decide
[faults]                        # what is done about faults of bots: see ballcourt.arena.match.policy
illegal = "retry 2"             # so often a match, then as by default "forfeit"; or "substitute N"
timeout = "substitute 1"
failed_to_start = "retry 1"
disqualify = "above 10% of 20 matches"                # default: "never"
probation = "2 rounds after 3 faults in 10 matches"  # default: "never"
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from ballcourt.arena.bots.entries import split_label
from ballcourt.arena.files import read_toml
from ballcourt.arena.match.policy import PolicyError, parse_entry
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import MOST, TIERS, Limits
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.engine.core import WrongInput

Value = object
SEED_LIMIT = 1 << 63  # what a TOML integer can hold


class SettingsError(WrongInput):
    """A tournament file or a flag is wrong; the sentence names key, value and what is allowed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A tournament as somebody asked for it; None where nothing was said."""

    game: str | None = None
    bots: tuple[str, ...] | None = None
    seats: int | None = None
    blocks: int | None = None
    matches: int | None = None
    seed: int | None = None
    output: Path | None = None
    workers: int | None = None
    lifetime: str | None = None
    database: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    clock: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    sandbox: Mapping[str, object] = field(default_factory=dict)

    def overridden_by(self, other: "Settings") -> "Settings":
        """Take everything the other says, and from self what it leaves open."""
        said = {entry.name: getattr(other, entry.name) for entry in fields(self)}
        given = {name: value for name, value in said.items() if value is not None}
        if other.blocks is not None or other.matches is not None:
            given |= {"blocks": other.blocks, "matches": other.matches}
        for table in ("options", "clock", "faults", "sandbox"):
            given[table] = {**getattr(self, table), **getattr(other, table)}
        return replace(self, **given)


def read_settings(path: Path) -> Settings:
    """Read a tournament file. Raises SettingsError."""
    try:
        values = read_toml(path)
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error
    return parse_settings(values, str(path), path.parent)


def parse_settings(values: Mapping[str, Value], source: str, base: Path) -> Settings:
    """Validate values from `source`; paths among them are relative to `base`. Raises SettingsError."""
    for key in values:
        if key not in _PARSERS:
            raise SettingsError(f"{source} has the unknown key '{key}'; allowed are {', '.join(_PARSERS)}")
    if "blocks" in values and "matches" in values:
        raise SettingsError(f"{source} gives both blocks and matches; give one of them")
    return Settings(**{key: _PARSERS[key](f"{source}: {key}", value, base) for key, value in values.items()})  # type: ignore[arg-type]


def _text(where: str, value: Value, _base: Path) -> str:
    if not isinstance(value, str) or not value or "\0" in value:  # which no path can have
        raise SettingsError(f"{where} is {value!r}; it must be a text that is not empty, without null characters")
    return value


def _lifetime(where: str, value: Value, _base: Path) -> str:
    if value not in list(Lifetime):
        raise SettingsError(f'{where} is {value!r}; it must be "match" or "tournament"')
    return str(value)


def _path(where: str, value: Value, base: Path) -> Path:
    return base / Path(_text(where, value, base)).expanduser()


def _bots(where: str, value: Value, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise SettingsError(f"{where} is {value!r}; it must be a list of bot names or folders")
    return tuple(_bot(_text(where, entry, base), base) for entry in value)


def _bot(entry: str, base: Path) -> str:
    label, name = split_label(entry)
    looks_like_a_path = os.sep in name or name.startswith((".", "~"))
    resolved = str((base / Path(name).expanduser()).resolve()) if looks_like_a_path else name
    return f"{label}={resolved}" if label else resolved


def _whole(low: int, high: int) -> Callable[[str, Value, Path], int]:
    def parse(where: str, value: Value, _base: Path) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise SettingsError(f"{where} is {value!r}; it must be a whole number from {low} to {high}")
        return value

    return parse


def _options(where: str, value: Value, base: Path) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [options]")
    return {name: _option(f"{where}.{name}", entry) for name, entry in value.items()}


def _option(where: str, value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int):
        raise SettingsError(f"{where} is {value!r}; it must be a text or a whole number")
    return str(value)


def _clock(where: str, value: Value, base: Path) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [clock]")
    known = {entry.name: _budget(entry.name, entry.type) for entry in fields(Clock)}
    for name in value:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; allowed are {', '.join(known)}")
    return {name: known[name](f"{where}.{name}", entry, base) for name, entry in value.items()}


def _budget(name: str, kind: object) -> Callable[[str, Value, Path], int]:
    day_ms = 24 * 3600 * 1000
    return _flag if kind is bool else _whole(0, day_ms if name.endswith("_ms") else SEED_LIMIT - 1)


def _flag(where: str, value: Value, _base: Path) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{where} is {value!r}; it must be true or false")
    return value


def _faults(where: str, value: Value, base: Path) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [faults]")
    for name, entry in value.items():
        try:
            parse_entry(name, _text(f"{where}.{name}", entry, base))
        except PolicyError as error:
            raise SettingsError(f"{where}.{error}") from error
    return dict(value)


def _sandbox(where: str, value: Value, base: Path) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{where} is {value!r}; it must be a table, [sandbox]")
    known = ["tier", *(entry.name for entry in fields(Limits)), "readable"]
    for name in value:
        if name not in known:
            raise SettingsError(f"{where} has the unknown key '{name}'; allowed are {', '.join(known)}")
    return {name: _sandbox_entry(name)(f"{where}.{name}", entry, base) for name, entry in value.items()}


def _sandbox_entry(name: str) -> Callable[[str, Value, Path], object]:
    if name == "readable":
        return _readable
    return _whole(0, max(TIERS)) if name == "tier" else _whole(0, MOST)


def _readable(where: str, value: Value, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SettingsError(f"{where} is {value!r}; it must be a list of paths")
    return tuple(str(_path(where, entry, base).resolve()) for entry in value)


_PARSERS: dict[str, Callable[[str, Value, Path], object]] = {
    "game": _text,
    "bots": _bots,
    "seats": _whole(1, 64),
    "blocks": _whole(1, 1_000_000),
    "matches": _whole(1, 1_000_000),
    "seed": _whole(0, SEED_LIMIT - 1),
    "output": _path,
    "workers": _whole(1, 1024),
    "lifetime": _lifetime,
    "database": _text,
    "options": _options,
    "clock": _clock,
    "faults": _faults,
    "sandbox": _sandbox,
}
