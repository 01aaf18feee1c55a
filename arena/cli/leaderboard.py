"""`ballcourt leaderboard`: shows the table of a tournament or of a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.flags import Json
from ballcourt.arena.cli.output import console, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ballcourt.leaderboard.results import MatchResult
    from ballcourt.leaderboard.tables import Boards

RUNS = Path("runs")


def leaderboard(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="FOLDER|URL",
            help="A tournament's output folder or a database URL; the newest tournament in ./runs by default.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild the database from the folder's records.")] = False,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="With --rebuild: rebuild this database instead of the folder's.")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Make the mean rating of these bots 25, so that tables of several tournaments share a scale.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show ratings and how certain they are.

    There is one table per game, rules version, number of seats and options. The rating is TrueSkill's, solved over all
    matches at once, so their order does not matter; 25 is the mean of the field, or of the bots named by --anchor.
    The interval leaves out each block of matches in turn. `ballcourt docs ratings` derives all numbers.

    \b
    Examples:
      ballcourt leaderboard runs/demo
      ballcourt leaderboard postgresql://host/name --csv
      ballcourt leaderboard runs/demo --rebuild
    """
    from ballcourt.leaderboard.tables import to_csv, to_json

    if as_json and as_csv:
        raise typer.BadParameter("give one of --json and --csv")
    if database and not rebuild:
        raise typer.BadParameter("--database goes with --rebuild; to read a database, give its URL as the argument")
    where = place or str(_newest())
    matches = _rebuild(Path(where), database) if rebuild else _read(where)
    boards = boards_of(matches, Path(where), anchor or ())
    if as_json:
        typer.echo(to_json(boards))
    elif as_csv:
        typer.echo(to_csv(boards))
    else:
        show(boards)


def boards_of(matches: Sequence[MatchResult], place: Path, anchors: Sequence[str] = ()) -> Boards:
    """Return the tables; mark who sits out if the place is the output folder of a tournament."""
    from ballcourt.arena.tournament.manifest import kept_statuses
    from ballcourt.arena.tournament.schedule import SeatOutcome
    from ballcourt.leaderboard.standings import board, by_ladder, marked

    outcomes = {
        match.key: [SeatOutcome(seat.placement, seat.score, seat.fault) for seat in match.seats] for match in matches
    }
    kept = kept_statuses(place, outcomes) if place.is_dir() else {}
    entrants = {seat.entrant for match in matches for seat in match.seats}
    statuses = {bot: kept.get((f"{bot.name} {bot.version}", bot.content_hash), "") for bot in entrants}
    return {ladder: marked(board(played, anchors), statuses) for ladder, played in by_ladder(matches).items()}


def show(boards: Boards) -> None:
    """Draw the tables on stdout."""
    from ballcourt.leaderboard.explanation import explanation
    from ballcourt.leaderboard.tables import to_table

    terminal = console()
    for ladder, board in boards.items():
        terminal.print(to_table(ladder, board.rows, terminal.width))
        for paragraph in explanation(board, terminal.width):
            terminal.print(paragraph, style="dim", highlight=False)
    if not boards:
        typer.echo("no match has been played yet")


def _newest() -> Path:
    from ballcourt.arena.tournament.folder import DATABASE
    from ballcourt.leaderboard.results import LeaderboardError

    found = sorted(RUNS.glob(f"*/{DATABASE}"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise LeaderboardError("there is no tournament in ./runs; name the output folder of one, or a database URL")
    note(f"{found[-1].parent}:")
    return found[-1].parent


def _read(where: str) -> list[MatchResult]:
    from ballcourt.arena.tournament.folder import DATABASE, RECORDS, record_files
    from ballcourt.leaderboard.database import open_database
    from ballcourt.leaderboard.results import LeaderboardError

    path = Path(where)
    place = where if "://" in where else path / DATABASE if path.is_dir() else path
    if (path / RECORDS).is_dir() and not (path / DATABASE).exists():
        raise LeaderboardError(
            f"{path} has records but no {DATABASE}; make it with: ballcourt leaderboard {path} --rebuild"
        )
    with open_database(place) as opened:
        found = opened.results()
    kept = len(record_files(path))
    if kept > len(found):
        note(f"not in the table: {kept - len(found)} of {kept} records; run the tournament again, or give --rebuild")
    return found


def _rebuild(folder: Path, url: str | None) -> list[MatchResult]:
    """Rebuild the folder's database, whatever state it is in, or refill the one at the URL."""
    from ballcourt.arena.files import in_place_of
    from ballcourt.arena.tournament.folder import DATABASE, RECORDS, hold, kept_records
    from ballcourt.arena.tournament.manifest import FolderError
    from ballcourt.leaderboard.database import discard_journals
    from ballcourt.leaderboard.results import from_record

    if not (folder / RECORDS).is_dir():
        raise FolderError(f"{folder} is not the output folder of a tournament: it has no records")
    with hold(folder):
        matches, unreadable = kept_records(folder, from_record)
        for sentence in unreadable:
            note(f"left out: {sentence}")
        if url:
            return _refill(url, matches)
        with in_place_of(folder / DATABASE) as new:
            rebuilt = _refill(new, matches)
            discard_journals(folder / DATABASE)
        return rebuilt


def _refill(place: str | Path, matches: Sequence[MatchResult]) -> list[MatchResult]:
    from ballcourt.leaderboard.database import open_database

    with open_database(place, create=True) as opened:
        opened.replace(matches)
        return opened.results()
