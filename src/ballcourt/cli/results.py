"""Where commands about a leaderboard find results: a tournament's folder, a database, a file of another arena."""

from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import in_place_of
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.folder.manifest import FolderError
from ballcourt.arena.tournament.folder.output import DATABASE, RECORDS, hold
from ballcourt.cli.flags import Filters, Form
from ballcourt.cli.given import give_one
from ballcourt.cli.output import document, dump, note
from ballcourt.leaderboard.model.filters import Filter
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult, is_imported
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.store.connecting import discard_journals
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.folder import FolderResults, results_in
from ballcourt.leaderboard.store.imported import imported

Ladders = dict[Ladder, list[MatchResult]]

RUNS = Path("runs")
MOST_SENTENCES = 10
"""How many records that are left out of a table are named."""


def newest() -> Path:
    """Return the output folder of the newest tournament in ./runs. Raises LeaderboardError."""
    found = sorted(RUNS.glob(f"*/{MANIFEST}"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise LeaderboardError("there is no tournament in ./runs; name the output folder of one, or a database URL")
    note(f"{found[-1].parent}:")
    return found[-1].parent


def read(where: str) -> list[MatchResult]:
    """Return the matches in a folder, database or file; name the records that are left out. Raises WrongInput."""
    path = Path(where)
    if is_imported(where):
        return imported(path)
    if "://" not in where and (path / RECORDS).is_dir():
        found = results_in(path)
        _say_left_out(found)
        if found.unused:
            note(
                f"this table was made from the records: {found.unused}; "
                f"to make the database again: ballcourt leaderboard {quote(where)} --rebuild"
            )
        return found.matches
    place = where if "://" in where else path / DATABASE if path.is_dir() else path
    with open_database(place) as opened:
        return opened.results()


def _say_left_out(found: FolderResults) -> None:
    for sentence in found.left_out[:MOST_SENTENCES]:
        note(f"left out: {sentence}")
    if (more := len(found.left_out) - MOST_SENTENCES) > 0:
        note(f"left out: {more} more")


def rebuilt(folder: Path, url: str | None) -> list[MatchResult]:
    """Rebuild the folder's database, whatever state it is in, or refill the one at the URL."""
    if not (folder / RECORDS).is_dir():
        raise FolderError(f"{folder} is not the output folder of a tournament: it has no records")
    with hold(folder):
        found = results_in(folder, from_database=False)
        _say_left_out(found)
        if url:
            return _refill(url, found.matches)
        with in_place_of(folder / DATABASE) as new:
            try:
                kept = _refill(new, found.matches)
            except LeaderboardError as error:
                raise type(error)(str(error).replace(str(new), str(folder / DATABASE))) from error
            discard_journals(folder / DATABASE)
        return kept


def _refill(place: str | Path, matches: Sequence[MatchResult]) -> list[MatchResult]:
    with open_database(place, create=True, rebuild=True) as opened:
        opened.add(matches)
        return opened.results()


def ladders_at(place: str, filters: Filters, form: Form) -> Ladders:
    """Return the matches that a study is about, by ladder. Raises WrongInput and BadParameter."""
    give_one({"--json": form.as_json, "--csv": form.as_csv})
    wanted = Filter(filters.game or "", filters.seats, filters.since or "")
    return by_ladder(wanted.matches(read(place)))


def printed(form: Form, as_json: Callable[[], object], as_csv: Callable[[], str]) -> bool:
    """Print results for programs if that is asked for; return whether they were printed."""
    if form.as_json:
        dump(as_json())
    elif form.as_csv:
        document(as_csv())
    return form.as_json or form.as_csv


def entrants_of(ladders: Ladders) -> set[BotVersion]:
    """Return all bots of the matches."""
    return {seat.entrant for played in ladders.values() for match in played for seat in match.seats}
