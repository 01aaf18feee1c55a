"""What `ballcourt tournament` and `ballcourt host` have in common: from what was asked for to the table."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ballcourt.arena.cli.output import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ballcourt.arena.bots.entries import Entry
    from ballcourt.arena.cli.ledger import Ledger
    from ballcourt.arena.tournament.folder import Folder
    from ballcourt.arena.tournament.plan import Tournament
    from ballcourt.arena.tournament.schedule import Seating
    from ballcourt.arena.tournament.settings import Settings
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.arena.workers.runner import Runner
    from ballcourt.leaderboard.database import Database
    from ballcourt.leaderboard.results import MatchResult

    Start = Callable[[int], AbstractContextManager[Runner]]
    """Starts what plays so many matches."""


def settings_from(file: Path | None, flags: Mapping[str, object]) -> Settings:
    """Read a tournament file, and flags that override it; those that were not given are None."""
    from ballcourt.arena.tournament.settings import Settings, parse_settings, read_settings

    written = read_settings(file) if file else Settings()
    given = {name: value for name, value in flags.items() if value is not None}
    return written.overridden_by(parse_settings(given, "the command line", Path()))


def output_folder(file: Path | None, settings: Settings) -> Path:
    """Where a tournament goes: where it says, else into a folder named after its file or its game."""
    named = file.parent / "runs" / file.stem if file else Path("runs") / (settings.game or "")
    return settings.output or named


def plan_for(settings: Settings, folder: Path, resolve: Callable[[str], Entry] | None = None) -> Tournament:
    """Plan the tournament; a seed that was drawn when it was begun is taken up again."""
    from dataclasses import replace

    from ballcourt.arena.bots.entries import resolve_entry
    from ballcourt.arena.tournament.manifest import kept_seed
    from ballcourt.arena.tournament.plan import plan

    if settings.seed is None:
        settings = replace(settings, seed=kept_seed(folder))
    return plan(settings, resolve or resolve_entry)


def play_planned(
    planned: Tournament, path: Path, url: str | None, start: Start, *, live: bool = True
) -> list[MatchResult]:
    """Play what is missing and bring the databases up to date; return all results."""
    from ballcourt.arena.tournament.folder import DATABASE, open_folder
    from ballcourt.leaderboard.database import open_database

    with ExitStack() as stack:
        shared = [stack.enter_context(open_database(url, create=True))] if url else []
        folder = stack.enter_context(open_folder(path, planned))
        own = stack.enter_context(open_database(path / DATABASE, create=True))
        return _play(planned, folder, [own, *shared], start, live=live)


def _play(
    planned: Tournament, folder: Folder, databases: Sequence[Database], start: Start, *, live: bool
) -> list[MatchResult]:
    from ballcourt.arena.cli.announce import announce
    from ballcourt.arena.cli.ingest import Ingest
    from ballcourt.arena.cli.ledger import Ledger
    from ballcourt.arena.cli.progress import Progress
    from ballcourt.arena.faults import ArenaError
    from ballcourt.leaderboard.results import from_record

    before, unreadable = folder.played(planned, from_record)
    for sentence in unreadable:
        note(f"played again, because {sentence}")
    announce(planned, len(before))
    ingest = Ingest(databases, before.values())
    ingest.flush()
    progress = Progress(planned.matches, [*before.values()], live=live)
    try:
        with progress:
            _play_missing(planned, Ledger(folder, ingest, progress), start)
    except BaseException:
        note(f"stopped after {len(progress.played)} of {planned.matches} matches; run the same command to go on")
        with suppress(ArenaError):  # what stopped the run is told, not what came of it
            ingest.flush()
        raise
    ingest.flush()
    return [*progress.played.values()]


def _play_missing(planned: Tournament, ledger: Ledger, start: Start) -> None:
    """Play what is missing, stage after stage; whoever has to sit out is left out of later ones."""
    from ballcourt.arena.tournament.schedule import keyed_seatings
    from ballcourt.arena.tournament.suspensions import Suspensions

    missing = planned.matches - len(ledger.played)
    if not missing:
        return
    suspensions = Suspensions(planned.policy, len(planned.entrants))
    with start(missing) as runner:
        for stage in planned.stages():
            due = [suspensions.due(block) for block in stage]
            ledger.skip(_keys(map(keyed_seatings, stage)) - _keys(due))
            _play_blocks(runner, map(planned.playable, stage, due), ledger)
            for entrant, sentence in suspensions.judge(chain.from_iterable(due), ledger.faults(_keys(due))):
                judged = planned.entrants[entrant]
                note(f"{judged.name} {judged.version} {sentence}")


def _keys(blocks: Iterable[Iterable[Seating]]) -> set[str]:
    return {key for matches in blocks for key, _ in matches}


def _play_blocks(runner: Runner, blocks: Iterable[Sequence[PlayableMatch]], ledger: Ledger) -> None:
    """Play blocks; keep each match as soon as it has ended."""
    from ballcourt.arena.workers.blocks import Voided

    for event in runner.run_blocks(blocks, ledger.played):
        if isinstance(event, Voided):
            note(f"matches {', '.join(event.keys)} do not count and are played again: {event.reason}")
            ledger.void(event.keys)
        else:
            ledger.enter(event)


def report(planned: Tournament, folder: Path, results: list[MatchResult], *, as_json: bool) -> None:
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
    note(f"this table again: ballcourt leaderboard {folder}")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))
