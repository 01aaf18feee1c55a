"""The manifest of a tournament's folder: what is played there, written at the start and compared on resumption."""

import json
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Final

from ballcourt.arena.files import read_toml, write_atomically
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.tournament.course import Course
from ballcourt.arena.tournament.formats import find_format
from ballcourt.arena.tournament.plan import Tournament
from ballcourt.arena.tournament.schedule import Field, Length, Outcomes
from ballcourt.arena.tournament.suspensions import Suspensions
from ballcourt.engine.core import WrongInput

MANIFEST: Final = "tournament.toml"

Table = dict[str, object]


class FolderError(WrongInput):
    """The output folder is in use, or belongs to another tournament; the sentence says what to do."""


def _described(tournament: Tournament) -> Table:
    """Return everything about a tournament that decides its results."""
    return {
        "game": tournament.game.name,
        "rules_version": tournament.game.rules_version,
        "seats": tournament.seats,
        "format": tournament.format,
        "blocks": tournament.schedule.blocks,
        "seed": tournament.seed,
        "lifetime": str(tournament.lifetime),
        "options": dict(tournament.options),
        "clock": asdict(tournament.clock),
        "faults": tournament.policy.table(),
        "sandbox": tournament.sandbox.to_table(),
        "entrants": {f"{bot.name} {bot.version}": bot.content_hash for bot in tournament.entrants},
    }


def write_manifest(path: Path, tournament: Tournament) -> None:
    """Write the manifest into the tournament's folder. Raises OSError."""
    write_atomically(path / MANIFEST, _to_toml(_described(tournament)).encode())


def check_same(path: Path, tournament: Tournament) -> None:
    """Raise FolderError if another tournament was begun in the folder, or the same one with more blocks."""
    before = _read_manifest(path)
    if not before:
        return
    now = _described(tournament)
    _check_same_bots(path, before.pop("entrants", None), now.pop("entrants"))
    was, wanted = _flat(before), _flat(now)
    for key in wanted:
        if key != "blocks" and was.get(key) != wanted[key]:
            _refuse(path, f"its {key} is {was.get(key)}, not {wanted[key]}")
    _check_not_fewer(path, was.get("blocks"), tournament)


def kept_seed(path: Path) -> int | None:
    """Return the seed of the tournament begun in a folder; None if there is none. Raises FolderError."""
    seed = _read_manifest(path).get("seed")
    return seed if isinstance(seed, int) else None


def kept_statuses(path: Path, outcomes: Outcomes) -> dict[tuple[str, str], str]:
    """Return who of the tournament in a folder sits out, given how its matches ended so far.

    The keys are "name version" and content hash; the values are "disqualified" or "on probation". Raises FolderError.
    """
    table = _read_manifest(path)
    entrants = table.get("entrants")
    if not isinstance(entrants, dict) or "format" not in table:
        return {}
    try:
        suspensions = _judged(table, len(entrants), outcomes)
        statuses = {entrant: suspensions.status(index) for index, entrant in enumerate(entrants.items())}
    except (ValueError, TypeError, KeyError, AttributeError, WrongInput) as error:
        raise _damaged(path, error) from error
    return {entrant: status for entrant, status in statuses.items() if status}


def kept_versions(path: Path, names: Collection[str]) -> dict[str, str]:
    """Return the versions of these bots in the tournament begun in a folder, by name. Raises FolderError.

    None of the names may contain a space.
    """
    entrants = _read_manifest(path).get("entrants")
    kept = [entrant.partition(" ") for entrant in entrants] if isinstance(entrants, dict) else []
    return {name: version for name, _, version in kept if name in names}


def _judged(table: Table, entrants: int, outcomes: Outcomes) -> Suspensions:
    policy = parse_policy(table["faults"])  # type: ignore[arg-type]  # which an AttributeError will tell
    seats, blocks, seed = (int(str(table[name])) for name in ("seats", "blocks", "seed"))
    schedule = find_format(str(table["format"]))(Field(entrants, seats, seed), Length("blocks", blocks))
    course = Course(schedule, policy, entrants)
    if policy.judges:
        course.follow(outcomes)
    return course.suspensions


def _check_same_bots(path: Path, before: object, now: object) -> None:
    if not isinstance(before, dict) or not isinstance(now, dict) or list(before) != list(now):
        names = [", ".join(bots) if isinstance(bots, dict) else str(bots) for bots in (before, now)]
        _refuse(path, f"its bots are {names[0]}, not {names[1]}")
    elif changed := [name for name in now if now[name] != before[name]]:
        raise FolderError(
            f"the files of bot {changed[0]} have changed since {path} was begun, so its results so far belong to "
            "another bot; restore the files, or give the bot a new version and choose another output folder"
        )


def _check_not_fewer(path: Path, before: object, tournament: Tournament) -> None:
    if isinstance(before, int) and tournament.schedule.blocks < before:
        raise FolderError(
            f"{path} was begun with {before * tournament.field.block_size} matches, more than the "
            f"{tournament.matches} asked for; a tournament can be made longer but not shorter: "
            "choose another output folder"
        )


def _flat(table: Table) -> Table:
    """Return the table with the entries of inner tables under the names `outer.inner`."""
    flat: Table = {}
    for key, value in table.items():
        flat |= {f"{key}.{name}": entry for name, entry in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def _refuse(path: Path, difference: str) -> None:
    raise FolderError(
        f"{path} holds another tournament: {difference}; choose another output folder, or remove this one to start over"
    )


def _read_manifest(path: Path) -> Table:
    try:
        return read_toml(path / MANIFEST)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FolderError(f"cannot use {path} as the output folder: {error.strerror or error}") from error
    except ValueError as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> FolderError:
    return FolderError(f"{path / MANIFEST} is damaged ({error}); restore it, or choose another output folder")


def _to_toml(table: Table) -> str:
    """Return numbers, strings and tables of these as TOML; a JSON string is a valid TOML string."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = ["# what is played in this folder; ballcourt wrote it and compares it when the tournament is resumed"]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in plain.items()]
    for name, entries in ((key, value) for key, value in table.items() if isinstance(value, dict)):
        lines += ["", f"[{name}]"]
        lines += [f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value)}" for key, value in entries.items()]
    return "\n".join(lines) + "\n"
