"""Match records on disk, and the proof that a record is what the rules make of its decisions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from google.protobuf.message import DecodeError

from arena.faults import short_name
from arena.files import write_atomically
from arena.match.results import rival_results, seat_results
from ballcourt.v1.protocol_pb2 import SeatResult
from ballcourt.v1.record_pb2 import MatchRecord, RivalResult
from engine.core import EngineError, Game, IllegalAction, State, WrongInput, digest
from engine.registry import find_game

FORMAT: Final = "ballcourt-match-1"
SUFFIX: Final = ".match"
HASH_BYTES: Final = 8

_FAMILY: Final = "ballcourt-match-"
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class RecordError(WrongInput):
    """A record cannot be written, read or executed here; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of executing a record again: how many decisions agree, and the first thing that does not."""

    decisions: int
    difference: str = ""

    @property
    def agrees(self) -> bool:
        """Whether everything the record says follows from its decisions."""
        return not self.difference


def check_writable(folder: Path) -> None:
    """Make a folder for records that are still to be played. Raises RecordError when none could be written to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RecordError(
            f"no record can be written to {folder}: {error.strerror or error}; name another folder"
        ) from error


def write_record(folder: Path, record: MatchRecord) -> Path:
    """Write a record as `<key>.match` into a folder, which is made if need be; return its path.

    Raises RecordError for a key that cannot name a file, OSError when the disk refuses.
    """
    if not _KEY.fullmatch(record.key):
        raise RecordError(
            f"the key '{record.key}' cannot name a file; it must be 1 to 100 letters, digits, dots, dashes "
            "and underscores, the first a letter or digit"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (record.key + SUFFIX)
    write_atomically(path, record.SerializeToString(deterministic=True))
    return path


def read_record(path: Path) -> MatchRecord:
    """Read a record file. Raises RecordError when it is missing, damaged, or none of this format."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or error}") from error
    record = MatchRecord()
    try:
        record.ParseFromString(data)
    except DecodeError as error:
        if _FAMILY.encode() in data[:32]:
            raise RecordError(f"{path} is damaged or cut short after {len(data)} bytes") from error
        raise RecordError(f"{path} is not a match record") from error
    _check_format(path, record)
    _check_shape(path, record)
    return record


def verify(record: MatchRecord) -> Verification:
    """Execute a record again and compare every position and the results with what it says.

    Raises RecordError when the game or its rules version is not installed.
    """
    if len(record.decisions.hashes) != HASH_BYTES * len(record.decisions.seats):
        return Verification(0, "the hash chain is not as long as the list of decisions")
    game, state = opening(record)
    chain = digest(state)
    if chain != record.opening_hash:
        return Verification(0, f"the opening position differs: {_hashes(chain, record.opening_hash)}")
    for number, (seat, action) in enumerate(zip(record.decisions.seats, record.decisions.actions, strict=True)):
        try:
            state.apply(seat, action)
        except IllegalAction as error:
            return Verification(number, f"decision {number} differs: {error}")
        chain = digest(state, chain)
        recorded = record.decisions.hashes[HASH_BYTES * number :][:HASH_BYTES]
        if chain != recorded:
            named = f"decision {number} (seat {seat}, {_action_name(game, action)})"
            return Verification(number, f"{named} differs: {_hashes(chain, recorded)}")
    return Verification(len(record.decisions.seats), _difference_at_the_end(record, state))


def opening(record: MatchRecord) -> tuple[Game, State]:
    """Set up a record's match as it began.

    Raises RecordError when the game, its rules version or the options are not those installed here.
    """
    try:
        game = find_game(record.game)
        if record.rules_version != game.rules_version:
            raise RecordError(
                f"match {record.key} was played by rules version {record.rules_version} of {record.game}; "
                f"installed is {game.rules_version}, which cannot execute it"
            )
        return game, game.initial_state(len(record.entrants), record.seed, record.options)
    except EngineError as error:
        raise RecordError(f"match {record.key} cannot be executed here: {error}") from error


def positions(record: MatchRecord) -> Iterator[State]:
    """Yield the position before each decision, then the last one: one state, changed in place.

    Raises RecordError where the record cannot be executed.
    """
    _, state = opening(record)
    yield state
    for number, (seat, action) in enumerate(zip(record.decisions.seats, record.decisions.actions, strict=True)):
        try:
            state.apply(seat, action)
        except IllegalAction as error:
            raise RecordError(f"decision {number} of match {record.key} cannot be executed: {error}") from error
        yield state


def _check_format(path: Path, record: MatchRecord) -> None:
    if record.format == FORMAT:
        return
    if record.format.startswith(_FAMILY):
        raise RecordError(f"{path} is a record of format '{record.format}'; this version reads '{FORMAT}'")
    raise RecordError(f"{path} is not a match record")


def _check_shape(path: Path, record: MatchRecord) -> None:
    decisions = record.decisions
    seats, count = len(record.entrants), len(decisions.seats)
    whole = (
        record.whole
        and seats > 0
        and len(record.results) == seats
        and len(record.opening_hash) == HASH_BYTES
        and len(decisions.actions) == len(decisions.think_us) == count
        and len(decisions.hashes) == HASH_BYTES * count
        and len(record.cpu_us) in (0, seats)
        and len(record.work) in (0, seats)
        and all(seat < seats for seat in decisions.seats)
        and all(fault.seat < seats for fault in record.faults)
        and all(fault.seat < seats for fault in record.tolerated)
    )
    if not whole:
        raise RecordError(f"{path} is damaged or cut short: its parts do not fit together")


def _difference_at_the_end(record: MatchRecord, state: State) -> str:
    if state.pending_seats():
        return f"the match is not over after the last decision; it waits for seats {state.pending_seats()}"
    vacated = {fault.seat: (fault.decision, fault.termination) for fault in record.faults}
    for seat, (executed, recorded) in enumerate(zip(seat_results(state, vacated), record.results, strict=True)):
        if executed != recorded:
            return (
                f"the result of seat {seat} differs: {_result(executed)} executed again, {_result(recorded)} recorded"
            )
    rivals = rival_results(state, vacated)
    if rivals != list(record.rivals):
        return f"the rivals differ: {_rivals(rivals)} executed again, {_rivals(record.rivals)} recorded"
    return ""


def _result(result: SeatResult) -> str:
    return f"place {result.placement} with {result.score:g} ({short_name(result.termination)})"


def _rivals(rivals: Iterable[RivalResult]) -> str:
    return ", ".join(f"{rival.name} at place {rival.placement} with {rival.score:g}" for rival in rivals) or "none"


def _hashes(executed: bytes, recorded: bytes) -> str:
    return f"its position hashes to {executed.hex()} executed again, {recorded.hex()} in the record"


def _action_name(game: Game, action: int) -> str:
    return game.action_names[action] if action < len(game.action_names) else f"action {action}"
