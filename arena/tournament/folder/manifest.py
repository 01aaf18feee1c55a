"""The manifest of a tournament's folder: what is played there, written at the start and compared on resumption."""

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Final, cast

from ballcourt.arena.bots.entries import REMOTE, split_label
from ballcourt.arena.files import read_regular, read_toml, write_atomically
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.match.spec import ARENA, Clock
from ballcourt.arena.tournament.decisions.changes import changes_of
from ballcourt.arena.tournament.decisions.trail import TRAIL, Decision, TrailError, read_trail
from ballcourt.arena.tournament.event.bot_tables import TABLE, BotTable
from ballcourt.arena.tournament.event.rerun import as_settings
from ballcourt.arena.tournament.event.seeds import Deals, Seed, opened
from ballcourt.arena.tournament.event.settings import parse_settings
from ballcourt.arena.tournament.event.setups import TABLE as SETUP
from ballcourt.arena.tournament.event.setups import SetUp, table_sizes_of
from ballcourt.arena.tournament.event.stages import LADDER, WrittenSchedule, ladder_field
from ballcourt.arena.tournament.folder.kept import KeptTournament
from ballcourt.arena.tournament.folder.plan import Tournament
from ballcourt.arena.tournament.schedules.schedule import (
    Design,
    Field,
    FormatOptions,
    Length,
    Outcomes,
)
from ballcourt.arena.tournament.schedules.stop import parse_rule
from ballcourt.engine.core import WrongInput

MANIFEST: Final = "tournament.toml"
SEED: Final = "seed"
"""The file of a seed that was drawn. Only its owner may read it, as it reveals the deals that are still to come."""
MOST_SEED: Final = 1 << 10
"""Bytes of that file."""

MAY_CHANGE: Final = ("blocks", "length", "stop", "bots", "bot")
"""Entries that may differ when a tournament is resumed: its length may differ, and its bots may have moved."""

RERUN_FILE: Final = "event.toml"
"""A tournament file that plays an event again, in its signed bundle."""
HEAD: Final = "# what is played in this folder; ballcourt wrote it and compares it when the tournament is resumed"

Table = dict[str, object]
TABLES: Final = (SETUP, TABLE)
"""Keys whose values are lists of tables."""


class FolderError(WrongInput):
    """The output folder is in use, or belongs to another tournament; the sentence says what to do."""


def _described(tournament: Tournament) -> Table:
    """Return everything about a tournament that decides its results, without the changes of its organiser."""
    founders = tournament.entrants[: tournament.founders]
    return {
        **_played(tournament.setups),
        "format": tournament.design.format,
        **_options_table(tournament.design.options),
        "blocks": tournament.began.blocks,
        "length": f"{tournament.design.length.number} {tournament.design.length.unit}",
        **({"stop": list(map(str, tournament.stop))} if tournament.stop else {}),
        "seed": tournament.seed.commitment if tournament.seed.is_secret else tournament.seed.number,
        "seeds": str(tournament.deals),
        "lifetime": str(tournament.lifetime),
        **_named(tournament.tables[: tournament.founders]),
        "clock": asdict(tournament.clock),
        "faults": tournament.policy.table(),
        "sandbox": tournament.sandbox.to_table(),
        "entrants": {bot.identity: bot.content_hash for bot in founders},
        **_differences(tournament, founders),
    }


def _played(setups: Sequence[SetUp]) -> Table:
    """Return what is played: the entries of the only set-up, or a table for each."""
    return setups[0].to_table() if len(setups) == 1 else {SETUP: [setup.to_table() for setup in setups]}


def _kept_setups(table: Table) -> tuple[SetUp, ...]:
    """Return the set-ups that `_played` wrote. Raises TypeError, ValueError or KeyError for anything else."""
    tables = table.get(SETUP, [table])
    if not isinstance(tables, list) or not tables:
        raise TypeError(f"{tables!r} is not a list of tables")
    return tuple(
        SetUp(str(one["game"]), str(one["rules_version"]), int(str(one["seats"])), _strings(one["options"]))
        for one in tables
    )


def _named(tables: Sequence[BotTable]) -> Table:
    """Return the entrants as a tournament file would name them."""
    if all(table.is_plain for table in tables):
        return {"bots": [table.written for table in tables]}
    return {"bot": [table.to_table() for table in tables]}


def _differences(tournament: Tournament, founders: Sequence[Entrant]) -> Table:
    """Return the owners of entrants and their own clocks, where there are any."""
    clocks = {
        bot.identity: asdict(tournament.clocks[index])
        for index, bot in enumerate(founders)
        if index in tournament.clocks
    }
    owners = {bot.identity: bot.owner for bot in founders if bot.owner}
    return {name: table for name, table in (("owners", owners), ("clocks", clocks)) if table}


def write_manifest(path: Path, tournament: Tournament) -> None:
    """Write the manifest into the tournament's folder, and a drawn seed into a file of its own. Raises OSError."""
    if tournament.seed.is_secret:
        write_atomically(path / SEED, f"{tournament.seed.opening}\n".encode(), 0o600)
    write_atomically(path / MANIFEST, _to_toml(_described(tournament)).encode())


def check_same(path: Path, tournament: Tournament) -> None:
    """Raise FolderError if another tournament was begun in the folder, or the same one with more blocks."""
    before = _read_manifest(path)
    if not before:
        return
    now = _described(tournament)
    bots, bots_now = _taken_entrants(path, before), _taken_entrants(path, now)
    if differences := [*_other_settings(before, now), *_other_bots(bots, bots_now)]:
        raise FolderError(
            f"{path} holds another tournament: {'; '.join(differences)}; choose another output folder, or remove this "
            "one to start over"
        )
    _check_same_files(path, bots, bots_now)
    _check_length(path, before.get("blocks"), tournament)


def kept_seed(path: Path) -> Seed | None:
    """Return the seed of the tournament begun in a folder; None if there is none. Raises FolderError."""
    seed = _read_manifest(path).get("seed")
    if not isinstance(seed, str):
        return Seed(seed) if isinstance(seed, int) else None
    file = path / SEED
    try:
        drawn = opened(read_regular(file, MOST_SEED).decode())
    except OSError as error:
        raise FolderError(f"cannot read {file}, the seed that was drawn: {error.strerror or error}") from error
    except ValueError as error:
        raise FolderError(f"{file} is damaged; restore it, or choose another output folder") from error
    if drawn.commitment != seed:
        raise FolderError(f"{file} is not the seed of {path / MANIFEST}; restore it, or choose another output folder")
    return drawn


def kept_statuses(path: Path, outcomes: Outcomes) -> dict[tuple[str, str], str]:
    """Return which entrants of the tournament in a folder sit out, given how its matches ended so far.

    The keys are "name version" and content hash; the values are "disqualified", "on probation" or "withdrawn". Raises
    FolderError, or TrailError.
    """
    kept = kept_tournament(path)
    if kept is None or not (kept.policy.judges or kept.changes.withdrawn):
        return {}
    course = kept.course()
    course.follow(outcomes)
    statuses = {
        entrant: "withdrawn" if index in kept.changes.withdrawn else course.suspensions.status(index)
        for index, entrant in enumerate(kept.entrants)
    }
    return {entrant: status for entrant, status in statuses.items() if status}


def kept_tournament(path: Path) -> KeptTournament | None:
    """Read the manifest of a folder; return None if it has none. Raises FolderError."""
    table = _read_manifest(path)
    if not table:
        return None
    decisions = read_trail(path)
    seed = None
    with suppress(FolderError):  # readers of the table may not be allowed to know it
        seed = kept_seed(path)
    try:
        return _kept(path, table, seed, decisions)
    except TrailError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, WrongInput) as error:
        raise _damaged(path, error) from error


def kept_versions(path: Path, names: Collection[str]) -> dict[str, str]:
    """Return the versions of these bots in the tournament begun in a folder, by name. Raises FolderError.

    None of the names may contain a space.
    """
    entrants = _read_manifest(path).get("entrants")
    kept = [entrant.partition(" ") for entrant in entrants] if isinstance(entrants, dict) else []
    return {name: version for name, _, version in kept if name in names}


def rerun_file(path: Path) -> str:
    """Return a tournament file that plays the tournament in a folder again, with its seed, for whoever has the bots.

    Raises FolderError.
    """
    table, seed = _read_manifest(path), kept_seed(path)
    assert seed, "it has been played"
    settings = as_settings(table)
    del settings["output"]
    asked = parse_settings({name: settings.pop(name) for name in ("bots", "bot") if name in settings}, "", Path())
    frozen = zip(asked.entered, _strings(table["entrants"]).values(), strict=True)
    bots = [_frozen(table, digest) for table, digest in frozen]
    lines = [f"# {line}" for line in _about(path, table)]
    return _to_toml(settings | {"seed": seed.number, TABLE: bots}, lines)


def _frozen(table: BotTable, digest: str) -> Table:
    """Return the table of an entrant that must have this content; folders are looked for in `bots`."""
    if table.path.startswith(REMOTE):
        return table.to_table()
    label, written = split_label(table.path)
    path = f"./bots/{Path(written).name}" if os.sep in written else written
    return replace(table, path=path, label=table.label or label, hash=digest).to_table()


def _about(path: Path, table: Table) -> Iterator[str]:
    """Yield what one has to know to play a tournament again."""
    yield f"plays an event again: ballcourt tournament {RERUN_FILE} --output again"
    yield "deterministic bots give the same results; put the folders of bots into bots/, next to this file"
    if (path / TRAIL).exists():
        yield f"its organiser made decisions about it: copy {TRAIL} into the new output folder first"
    rules = dict.fromkeys(f"rules {setup.rules_version} of {setup.game}" for setup in _kept_setups(table))
    yield f"{ARENA}, {', '.join(rules)}; each record says which machine played it"


def _kept(path: Path, table: Table, seed: Seed | None, decisions: Sequence[Decision]) -> KeptTournament:
    entrants, setups = _strings(table["entrants"]), _kept_setups(table)
    policy = parse_policy(_strings(table["faults"]))
    changes = changes_of(decisions, [*entrants])
    entrants = entrants | {joining.identity: joining.content_hash for joining in changes.joined}
    owned = _strings(table.get("owners", {})) | {joining.identity: joining.owner for joining in changes.joined}
    owners = tuple(owned.get(entrant, "") for entrant in entrants) if any(owned.values()) else ()
    design, seats = _design(table, table_sizes_of(setups)), max(setup.seats for setup in setups)
    is_ladder = design.format == LADDER
    field = ladder_field(len(entrants), seats) if is_ladder else Field(len(entrants), seats, owners)
    stages = WrittenSchedule(path, field) if is_ladder else None
    deals = Deals(str(table["seeds"]))
    stop = tuple(map(parse_rule, _list(table.get("stop", []))))
    kept = KeptTournament(setups, tuple(entrants.items()), policy, field, design, changes, seed, deals, stages, stop)
    _ = kept.schedule  # raises ScheduleError
    return kept


def _list(values: object) -> list[str]:
    if not isinstance(values, list):
        raise TypeError(f"{values!r} is not a list")
    return [*map(str, values)]


def _strings(table: object) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(entry, str) for entry in table.values()):
        raise TypeError(f"{table!r} is not a table of strings")
    return table


def _taken_entrants(path: Path, table: Table) -> Mapping[str, str]:
    """Take the entrants out of a manifest and return them. Raises FolderError."""
    entrants = table.pop("entrants", None)
    if not isinstance(entrants, dict):
        raise _damaged(path, TypeError("entrants is not a table"))
    return entrants


def _other_settings(before: Table, now: Table) -> Iterator[str]:
    """Yield how the settings of two tournaments differ, apart from their bots."""
    if before.get(SETUP) != now.get(SETUP):
        yield "it has other set-ups, or has them in another order"
    was, wanted = _flat(_with_clocks(before)), _flat(now)
    keys = dict.fromkeys((*wanted, *(key for key in was if key.partition(".")[0] in ("owners", "clocks"))))
    for key in keys:
        if key not in (*MAY_CHANGE, SETUP) and was.get(key) != wanted.get(key):
            yield f"its {key} is {was.get(key)}, not {wanted.get(key)}"


def _other_bots(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield how the bots of two tournaments differ, and what to do about it."""
    gone, new = ([name for name in these if name not in those] for these, those in ((before, now), (now, before)))
    if gone or new:
        told = [f"{', '.join(gone)} played in it"] * bool(gone) + [f"{', '.join(new)} did not"] * bool(new)
        yield " and ".join(told)
        yield (
            "`ballcourt event` lets bots join and leave; one database can hold several tournaments (--database URL), "
            "and rates all their bots together"
        )
    elif list(before) != list(now):
        yield f"its bots are in another order: {', '.join(before)}"


def _check_same_files(path: Path, before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise FolderError if the content of a bot has changed."""
    if changed := [name for name in now if now[name] != before[name]]:
        raise FolderError(
            f"the files of {', '.join(changed)} have changed since {path} was begun, so the results so far belong to "
            "another bot; restore the files, or give the bot a new version and choose another output folder"
        )


def _options_table(options: FormatOptions) -> Table:
    """Return the options of a format that are set; a bot in focus by its place in the list of entrants, from 0."""
    return {name: list(value) if name == "focus" else value for name, value in asdict(options).items() if value}


def _design(table: Table, table_sizes: tuple[int, ...]) -> Design:
    """Return the design that a manifest describes. Raises ValueError or another error that says it is damaged."""
    number, unit = str(table["length"]).split()
    given = {entry.name: table[entry.name] for entry in fields(FormatOptions) if entry.name in table}
    if isinstance(focus := given.get("focus"), list):
        given["focus"] = tuple(focus)
    length = Length(unit, int(number))  # type: ignore[arg-type]
    return Design(str(table["format"]), length, FormatOptions(**given), table_sizes)  # type: ignore[arg-type]


def _check_length(path: Path, before: object, tournament: Tournament) -> None:
    asked = tournament.began
    closed = tournament.changes.closed
    if closed and before != asked.blocks:
        raise FolderError(f"{path} cannot be longer: {closed.sentence}; choose another output folder")
    if before != asked.blocks and not asked.can_be_extended:
        raise FolderError(
            f"{path} has {before} blocks, not {asked.blocks}, and this format has a fixed end; "
            "choose another output folder"
        )
    if isinstance(before, int) and asked.blocks < before:
        raise FolderError(
            f"{path} was begun with {asked.matches_in(before)} matches, more than the "
            f"{asked.matches_in(asked.blocks)} asked for; a tournament can be made longer but not shorter: "
            "choose another output folder"
        )


def _with_clocks(table: Table) -> Table:
    """Return a manifest with default values for what its clocks lack, as those of older versions of the arena do."""
    default = asdict(Clock())
    whole = dict(table)
    if isinstance(clock := table.get("clock"), dict):
        whole["clock"] = default | clock
    if isinstance(clocks := table.get("clocks"), dict):
        whole["clocks"] = {name: default | clock for name, clock in clocks.items() if isinstance(clock, dict)}
    return whole


def _flat(table: Table) -> Table:
    """Return the table with the entries of inner tables under the names `outer.inner`."""
    flat: Table = {}
    for key, value in table.items():
        flat |= {f"{key}.{name}": entry for name, entry in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def _read_manifest(path: Path) -> Table:
    try:
        table = read_toml(path / MANIFEST)
        if not table:
            raise ValueError("it is empty")
        return table
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FolderError(f"cannot use {path} as the output folder: {error.strerror or error}") from error
    except ValueError as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> FolderError:
    return FolderError(f"{path / MANIFEST} is damaged ({error}); restore it, or choose another output folder")


def _to_toml(table: Table, head: Sequence[str] = (HEAD,)) -> str:
    """Return numbers, strings, tables of these, and the tables of set-ups and bots as TOML.

    A JSON string is a valid TOML string.
    """
    plain = {key: value for key, value in table.items() if key not in TABLES and not isinstance(value, dict)}
    lines = [*head]
    lines += [f"{key} = {_value(value)}" for key, value in plain.items()]
    headed = [(f"[[{key}]]", entry) for key in TABLES for entry in _tables(table, key)]
    headed += [(f"[{key}]", value) for key, value in table.items() if isinstance(value, dict)]
    for head, entries in headed:
        lines += ["", head, *(f"{_value(key)} = {_value(value)}" for key, value in entries.items())]
    return "\n".join(lines) + "\n"


def _tables(table: Table, key: str) -> list[Table]:
    return cast("list[Table]", table.get(key, []))


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_value(key)} = {_value(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
