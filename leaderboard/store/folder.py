"""The results in the output folder of a tournament: what its records say, whatever its database says.

The database saves the work of parsing: a match whose record still has the checksum of its row is taken from there.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ballcourt.arena.records.store import SUFFIX, RecordError, read_checksum, read_record
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.tournament.folder.dropped import RESULTS
from ballcourt.arena.tournament.folder.log import finished_with
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.output import DATABASE, RECORDS, played_keys, record_files
from ballcourt.arena.tournament.folder.placing import FolderField, kept_field
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.balance import Balance, balance
from ballcourt.arena.tournament.schedules.schedule import Block, Seating, SeatOutcome, block_index
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult, deal, from_record
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.retention import dropped_results
from ballcourt.v1.record_pb2 import MatchRecord

SAID: Final = 500


@dataclass(frozen=True, slots=True)
class FolderResults:
    """The results of a tournament so far, and why anything in its folder is not among them."""

    matches: list[MatchResult]
    """In canonical order."""
    left_out: list[str]
    """A sentence for each record that is damaged or of another tournament, and one if others are missing."""
    unused: str = ""
    """Why the database was not used; empty if it was."""


def results_in(
    folder: Path, *, from_database: bool = True, report: Callable[[str], None] = lambda _: None
) -> FolderResults:
    """Read the results of a tournament from its folder, with the help of its database unless that is unusable.

    `report` gets how many records have been read, after every `SAID` of them.

    Raises FolderError if the folder or its manifest cannot be read.
    """
    kept = kept_plan(folder)
    rows, unused = _rows(folder / DATABASE) if from_database else ({}, "")
    files = {file.stem: file for file in record_files(folder)}
    found: dict[str, MatchResult] = {}
    unreadable: dict[str, str] = {}
    left_out = [*filter(None, [lost_in(folder)])]
    for number, (key, file) in enumerate(files.items()):
        if not number % SAID:
            report(f"{number} of {len(files)} records have been read")
        try:
            found[key] = _result(file, rows)
        except RecordError as error:
            unreadable[key] = str(error)
    dropped, damaged = dropped_results(folder)  # after the records, of which some may be dropped just now
    found |= {match.key: match for match in dropped if match.key not in found}
    left_out += [*(sentence for key, sentence in unreadable.items() if key not in found), *damaged]
    own, out = _own(kept, found)
    strange = (key for key in found if key not in own and key not in out)
    left_out += [f"{files.get(key) or folder / RESULTS / key} is the record of another match" for key in strange]
    return FolderResults(sorted(own.values(), key=lambda match: match.order), left_out, unused)


def lost_in(folder: Path) -> str:
    """Say how many records of an event that is over are no longer in its folder; empty if none is missing."""
    counted = finished_with(folder)
    with suppress(RecordError):  # a file of results is damaged, which readers are told
        if counted and (here := len(played_keys(folder))) < counted:
            return (
                f"{folder.absolute().name}/{RECORDS} has {here} of {counted} matches; put the missing records back, or "
                "run the command that played them again"
            )
    return ""


def add_missing(database: Database, folder: Path, announced: int) -> int:
    """Add the matches of a folder that a database lacks; return how many.

    No record is read if it lacks only some of the last `announced`, which the next run announces again. Raises
    LeaderboardError and FolderError.
    """
    known = {name.removesuffix(SUFFIX) for name in database.names_in((folder / RECORDS).absolute())}
    keys = sorted(played_keys(folder))
    if known.issuperset(keys[: max(0, len(keys) - announced)]):
        return 0
    return database.add(results_in(folder).matches)


def counted_in(kept: Plan, matches: Iterable[MatchResult]) -> list[Balance]:
    """Count the matches of an event that were played and count, by set-up."""
    indices = {entrant.bot: index for index, entrant in enumerate(kept.entrants)}
    tables: dict[Hashable, list[tuple[int, ...]]] = {_kind(setup): [] for setup in kept.setups}
    for match in matches:
        tables[_kind(match.ladder)].append(tuple(indices[seat.entrant] for seat in match.seats))
    return [balance(len(kept.entrants), own) for own in tables.values()]


def outcomes_of(matches: Iterable[MatchResult]) -> dict[str, list[SeatOutcome]]:
    """Return how matches ended, by key, as schedules need it."""
    return {
        match.key: [SeatOutcome(seat.placement, seat.score, seat.fault, seat.vacated) for seat in match.seats]
        for match in matches
    }


def field_in(folder: Path, matches: Iterable[MatchResult]) -> FolderField:
    """Return the field of the tournament in a folder; an empty one if there is none.

    Raises FolderError and TrailError.
    """
    kept = kept_plan(folder)
    return field_of(kept, matches, folder) if kept else FolderField()


def field_of(plan: Plan, matches: Iterable[MatchResult], folder: Path) -> FolderField:
    """Return the field of a tournament that has this plan now."""
    if plan.leaves_all_to_ratings:
        return FolderField(dict.fromkeys((one.bot for one in plan.entrants), ""))
    return kept_field(plan, outcomes_of(matches), folder)


def _kind(of: SetUp | Ladder) -> Hashable:
    """Return what the matches of a set-up, and of a table of the leaderboard, have in common."""
    return of.game, of.rules_version, of.seats, tuple(sorted(dict(of.options).items()))


def _rows(database: Path) -> tuple[dict[str, MatchResult], str]:
    """Return the matches in a database by the checksums of their records, or why it cannot be read."""
    try:
        with open_database(database) as opened:
            return {match.checksum: match for match in opened.results()}, ""
    except LeaderboardError as error:
        return {}, str(error)


def _result(file: Path, rows: Mapping[str, MatchResult]) -> MatchResult:
    """Return the result of a recorded match. Raises RecordError."""
    checksum = read_checksum(file)
    result = rows.get(checksum) or from_record(_rateable(file))
    return replace(result, record=str(file.absolute()), checksum=checksum)


def _rateable(file: Path) -> MatchRecord:
    """Read the record of a match that its players played from the beginning. Raises RecordError."""
    record = read_record(file)
    if record.HasField("branched_from"):
        origin = record.branched_from
        raise RecordError(
            f"{file} branched off from match {origin.key} at decision {origin.decision}; it does not count"
        )
    return record


def _own(kept: Plan | None, found: Mapping[str, MatchResult]) -> tuple[dict[str, MatchResult], set[str]]:
    """Return the matches that the tournament in the folder plays; without a manifest, all under their own names.

    The second value has the keys of those that do not count, or are to be played again, by the organiser's decisions.
    """
    if kept is None:
        return {key: match for key, match in found.items() if match.key == key}, set()
    last = max((index for key in found if (index := block_index(key)) is not None), default=-1)
    own: dict[str, MatchResult] = {}
    out: set[str] = set()
    outcomes: dict[str, list[SeatOutcome]] = {}
    for due in kept.course().blocks(outcomes):
        if due.block.index > last:
            break
        out.update(due.skipped)
        for key, table in due.matches:
            match = found.get(key)
            if match and _is_planned(match, kept, due.block, (key, table)):
                own[key] = match
                outcomes |= outcomes_of([match])
            elif kept.changes.repeats(key):
                out.add(key)
    return own, out


def _is_planned(match: MatchResult, kept: Plan, block: Block, planned: Seating) -> bool:
    """Whether a match is the one that the tournament plays under a key, judged by its result."""
    key, table = planned
    setup = kept.setups[block.setup]
    if _kind(match.ladder) != _kind(setup):
        return False
    if [seat.entrant for seat in match.seats] != [kept.entrants[index].bot for index in table]:
        return False
    seed = kept.deal(block.index, key)
    expected = None if seed is None else deal(setup.game, setup.rules_version, dict(setup.options), seed)
    return match.key == key and expected in (None, match.deal)
