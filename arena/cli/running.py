"""What `ballcourt tournament` and `ballcourt host` have in common: they play a tournament, show it and keep it."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

import typer

from ballcourt.arena.cli.output import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ballcourt.arena.tournament.events import Event
    from ballcourt.arena.tournament.plan import Tournament
    from ballcourt.arena.tournament.run import Start
    from ballcourt.leaderboard.database import Database
    from ballcourt.leaderboard.results import MatchResult


def play_and_show(
    planned: Tournament, path: Path, url: str | None, start: Start, tables: int, *, live: bool = True
) -> list[MatchResult]:
    """Play the remaining matches and bring the databases up to date; return all results."""
    from ballcourt.arena.tournament.folder import DATABASE, open_folder
    from ballcourt.arena.tournament.run import run_tournament
    from ballcourt.leaderboard.database import open_database

    with ExitStack() as stack:
        shared = [stack.enter_context(open_database(url, create=True))] if url else []
        folder = stack.enter_context(open_folder(path, planned))
        own = stack.enter_context(open_database(path / DATABASE, create=True))
        events = stack.enter_context(closing(run_tournament(planned, folder, start)))
        return _follow(events, [own, *shared], tables, live=live)


def _follow(events: Iterable[Event], databases: Sequence[Database], tables: int, *, live: bool) -> list[MatchResult]:
    """Give every event to all subscribers; return the results that count in the end."""
    from ballcourt.arena.cli.announce import Announcer
    from ballcourt.arena.cli.progress import Progress
    from ballcourt.leaderboard.feed import DatabaseFeed

    announcer = Announcer(tables)
    progress = Progress(live=live)
    try:
        with _database_failures(), DatabaseFeed(databases) as feed, progress:
            for event in events:
                announcer(event)
                progress(event)
                feed(event)
    except BaseException:
        note(f"stopped after {len(progress.played)} of {progress.expected} matches; run the same command to continue")
        raise
    return [*progress.played.values()]


@contextmanager
def _database_failures() -> Iterator[None]:
    """Turn what a database refuses now into a failure of the arena: it was fit for use when it was opened."""
    from ballcourt.arena.faults import ArenaError
    from ballcourt.leaderboard.results import LeaderboardError

    try:
        yield
    except LeaderboardError as error:
        raise ArenaError(f"{error}; what has been played is safe in its records") from error


def report(folder: Path, results: list[MatchResult], *, as_json: bool) -> None:
    """Show the table of a tournament that has been played, and where everything is."""
    from ballcourt.arena.cli.leaderboard import boards_of, show
    from ballcourt.arena.records.bundle import FAULTS, bundles_in
    from ballcourt.arena.tournament.folder import DATABASE, RECORDS
    from ballcourt.leaderboard.tables import to_json

    boards = boards_of(results, folder)
    if as_json:
        typer.echo(to_json(boards))
    else:
        show(boards)
    note(f"records: {folder / RECORDS} ({len(results)} matches)   database: {folder / DATABASE}")
    if bundles := bundles_in(folder / FAULTS):
        note(f"seats lost: {len(bundles)}; what the authors of their bots need is in {folder / FAULTS}")
    note(f"to see this table again: ballcourt leaderboard {folder}")
