"""The folder of a tournament: what is being played, the records so far, and a lock so that only one run writes."""

import fcntl
import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import IO, Final, TypeVar

from arena.files import discard_temporaries, write_atomically
from arena.match.policy import parse_policy
from arena.match.spec import MatchSpec
from arena.records.bundle import FAULTS, write_bundles
from arena.records.store import SUFFIX, RecordError, read_record, write_record
from arena.tournament.bench import Faults, bench_after
from arena.tournament.plan import Tournament
from ballcourt.v1.record_pb2 import MatchRecord
from engine.core import WrongInput

AS_PLAYED: Final = "tournament.toml"
RECORDS: Final = "records"
VOIDED: Final = "voided"
VOIDING: Final = "voiding"
LOCK: Final = "lock"
DATABASE: Final = "leaderboard.sqlite"

Table = dict[str, object]
Taken = TypeVar("Taken")


class FolderError(WrongInput):
    """The output folder is in use, or belongs to another tournament; the sentence says what to do."""


class Folder:
    """The output folder of one tournament, held by this process; `open_folder` makes one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = path / RECORDS

    def add(self, record: MatchRecord) -> Path:
        """Keep a record, and a bundle for each bot that lost its seat. Raises OSError when the disk refuses."""
        write_bundles(self.path / FAULTS, record)  # first, so that a match that counts as played has its bundles
        return write_record(self.records, record)

    def void(self, keys: Iterable[str]) -> None:
        """Put the records of these matches, as far as there are any, where nothing counts; all or, if killed, none.

        Raises OSError when the disk refuses.
        """
        write_atomically(self.path / VOIDING, "\n".join(keys).encode())
        self.finish_voiding()

    def finish_voiding(self) -> None:
        """Go on where a killed run was voiding records, if it was."""
        intent = self.path / VOIDING
        if not intent.exists():
            return
        (self.path / VOIDED).mkdir(exist_ok=True)
        for key in intent.read_text().splitlines():
            with suppress(FileNotFoundError):
                (self.records / (key + SUFFIX)).rename(_free_name(self.path / VOIDED, key))
        intent.unlink()

    def played(
        self, tournament: Tournament, take: Callable[[MatchRecord], Taken]
    ) -> tuple[dict[str, Taken], list[str]]:
        """Read the tournament's records one by one; return what `take` makes of them, by key.

        Beside it comes a sentence for each record that cannot be read. Raises FolderError for a record of another
        match under one of the keys.
        """
        found: dict[str, Taken] = {}
        unreadable: list[str] = []
        for spec in tournament.specs():
            path = self.records / (spec.key + SUFFIX)
            if not path.exists():
                continue
            try:
                record = read_record(path)
            except RecordError as error:
                unreadable.append(str(error))
                continue
            _check_record(path, record, spec)
            found[spec.key] = take(record)
        return found, unreadable


@contextmanager
def open_folder(path: Path, tournament: Tournament) -> Iterator[Folder]:
    """Hold the output folder of a tournament, new or begun before, for this process alone.

    Raises FolderError when another process holds it or when it holds another tournament.
    """
    _check_same(path, tournament)
    _make(path)
    with hold(path):
        _check_same(path, tournament)  # again: somebody may have begun one before we got the lock
        folder = Folder(path)
        folder.records.mkdir(exist_ok=True)
        discard_temporaries(path)
        discard_temporaries(folder.records)
        folder.finish_voiding()
        discard_temporaries(path / FAULTS)
        write_atomically(path / AS_PLAYED, _to_toml(as_played(tournament)).encode())
        yield folder


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Keep other processes from writing to a folder. Raises FolderError when one of them holds it."""
    try:
        lock = (path / LOCK).open("a+")
    except OSError as error:
        raise FolderError(f"cannot write to {path}: {error.strerror or error}") from error
    with lock:
        _take(lock, path)
        yield


def record_files(path: Path) -> list[Path]:
    """List the records in an output folder, by name; none where it has none. Raises FolderError if it does not say."""
    try:
        return sorted(file for file in (path / RECORDS).iterdir() if file.suffix == SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FolderError(f"cannot read {path / RECORDS}: {error.strerror or error}") from error


def kept_records(path: Path, take: Callable[[MatchRecord], Taken]) -> tuple[list[Taken], list[str]]:
    """Read every record of a folder, whatever tournament it is, like `Folder.played`. Raises FolderError."""
    found: list[Taken] = []
    unreadable: list[str] = []
    for file in record_files(path):
        try:
            found.append(take(read_record(file)))
        except RecordError as error:
            unreadable.append(str(error))
    return found, unreadable


def kept_seed(path: Path) -> int | None:
    """Look up the seed of the tournament begun in a folder; None where none was. Raises FolderError."""
    seed = _read_as_played(path).get("seed")
    return seed if isinstance(seed, int) else None


def kept_statuses(path: Path, faults: Faults) -> dict[tuple[str, str], str]:
    """Tell who of the tournament in a folder sits out, as results with these faults have it.

    Returns "disqualified" or "on probation" by name and version, and content hash. Raises FolderError.
    """
    table = _read_as_played(path)
    entrants, seats, blocks, policy = (table.get(name) for name in ("entrants", "seats", "blocks", "faults"))
    if not isinstance(entrants, dict) or not isinstance(policy, dict):
        return {}
    try:
        bench = bench_after(parse_policy(policy), len(entrants), int(str(seats)), int(str(blocks)), faults)
        statuses = {entrant: bench.status(index) for index, entrant in enumerate(entrants.items())}
    except (ValueError, TypeError) as error:
        raise _damaged(path, error) from error
    return {entrant: status for entrant, status in statuses.items() if status}


def kept_versions(path: Path, names: Collection[str]) -> dict[str, str]:
    """Look up which versions of these bots play the tournament begun in a folder, by name. Raises FolderError.

    None of the names may have a space in it.
    """
    entrants = _read_as_played(path).get("entrants")
    kept = [entrant.partition(" ") for entrant in entrants] if isinstance(entrants, dict) else []
    return {name: version for name, _, version in kept if name in names}


def as_played(tournament: Tournament) -> Table:
    """Describe a tournament by what decides its results."""
    return {
        "game": tournament.game.name,
        "rules_version": tournament.game.rules_version,
        "seats": tournament.seats,
        "blocks": tournament.blocks,
        "seed": tournament.seed,
        "lifetime": str(tournament.lifetime),
        "options": dict(tournament.options),
        "clock": asdict(tournament.clock),
        "faults": tournament.policy.table(),
        "sandbox": tournament.sandbox.to_table(),
        "entrants": {f"{bot.name} {bot.version}": bot.content_hash for bot in tournament.entrants},
    }


def _check_same(path: Path, tournament: Tournament) -> None:
    before = _read_as_played(path)
    if not before:
        return
    now = as_played(tournament)
    _check_same_bots(path, before.pop("entrants", None), now.pop("entrants"))
    was, wanted = _flat(before), _flat(now)
    for key in wanted:
        if key != "blocks" and was.get(key) != wanted[key]:
            _refuse(path, f"its {key} is {was.get(key)}, not {wanted[key]}")
    _check_not_fewer(path, was.get("blocks"), tournament)


def _check_same_bots(path: Path, before: object, now: object) -> None:
    if not isinstance(before, dict) or not isinstance(now, dict) or list(before) != list(now):
        names = [", ".join(bots) if isinstance(bots, dict) else str(bots) for bots in (before, now)]
        _refuse(path, f"its bots are {names[0]}, not {names[1]}")
    elif changed := [name for name in now if now[name] != before[name]]:
        raise FolderError(
            f"the files of bot {changed[0]} have changed since {path} was begun, so its results so far are another "
            "bot's; restore them, or give the bot a new version and choose another output folder"
        )


def _check_not_fewer(path: Path, before: object, tournament: Tournament) -> None:
    if isinstance(before, int) and tournament.blocks < before:
        raise FolderError(
            f"{path} was begun with {before * tournament.block_size} matches, more than the {tournament.matches} "
            "asked for; a tournament can be made longer but not shorter: choose another output folder"
        )


def _flat(table: Table) -> Table:
    """Name the entries of inner tables `outer.inner`."""
    flat: Table = {}
    for key, value in table.items():
        flat |= {f"{key}.{name}": entry for name, entry in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def _refuse(path: Path, difference: str) -> None:
    raise FolderError(
        f"{path} holds another tournament: {difference}; choose another output folder, or remove this one to begin anew"
    )


def _check_record(path: Path, record: MatchRecord, spec: MatchSpec) -> None:
    """Refuse a readable record of some other match: it was put there by hand."""
    entrants = [(bot.name, bot.version, bot.content_hash) for bot in spec.entrants]
    recorded = [(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants]
    if (record.key, record.game, record.seed, recorded) != (spec.key, spec.game, spec.seed, entrants):
        raise FolderError(f"{path} is the record of another match; move it out of the folder and run the command again")


def _free_name(folder: Path, key: str) -> Path:
    """Find a name for another voided record of a match, the first being the plain one."""
    names = (f"{key}{SUFFIX}" if number == 1 else f"{key}.{number}{SUFFIX}" for number in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the output folder {path}: {error.strerror or error}") from error


def _take(lock: IO[str], path: Path) -> None:
    """Lock for this process. A POSIX lock: a child does not inherit it, so it ends with us however we end."""
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        raise FolderError(
            f"{path} is in use by another run (process {holder}); wait for it, or choose another output folder"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()


def _read_as_played(path: Path) -> Table:
    try:
        return tomllib.loads((path / AS_PLAYED).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FolderError(f"cannot use {path} as the output folder: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> FolderError:
    return FolderError(f"{path / AS_PLAYED} is damaged ({error}); restore it, or choose another output folder")


def _to_toml(table: Table) -> str:
    """Write numbers, texts and tables of these as TOML; a JSON text is a valid TOML one."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = ["# what this folder holds; written by ballcourt, which compares it when the tournament goes on"]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in plain.items()]
    for name, entries in ((key, value) for key, value in table.items() if isinstance(value, dict)):
        lines += ["", f"[{name}]"]
        lines += [f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value)}" for key, value in entries.items()]
    return "\n".join(lines) + "\n"
