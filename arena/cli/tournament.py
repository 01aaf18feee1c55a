"""`ballcourt tournament`: play what is missing of a tournament, then show its table."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.flags import ClockFlags, FaultFlags, Json, LimitFlags, Options, SandboxFlag
from arena.cli.output import confinement, note, numbers, pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from arena.bots.bot import Bot
    from arena.cli.ledger import Ledger
    from arena.match.spec import MatchSpec
    from arena.schedule import Seating
    from arena.tournament.folder import Folder
    from arena.tournament.plan import Tournament
    from arena.tournament.settings import Settings
    from arena.workers.runner import Runner
    from leaderboard.database import Database
    from leaderboard.results import MatchResult

    Start = Callable[[int], AbstractContextManager[Runner]]
    """Starts what plays so many matches."""


def tournament(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A tournament file (TOML).", show_default=False)
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help="The game; `ballcourt games` lists them.")] = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="A bot, by name or folder; repeat it for each.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many sit at a table; as many as possible by default.")] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            help="Rounds in which every group of bots plays one seed in all seat rotations, or each bot alone."
        ),
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Instead of --blocks: at least so many, in whole blocks.")] = None,
    seed: Annotated[int | None, typer.Option(help="What decides all chance; drawn by default and kept.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    fault: FaultFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes; one per processor by default.")] = None,
    lifetime: Annotated[
        str | None, typer.Option(metavar="match|tournament", help="How long the process of a bot lives.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The output folder; runs/NAME by default.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Also keep the results in this database (SQLAlchemy URL).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a tournament and show its table.

    What is played comes from a file or from flags that say the same; a flag overrides the file.
    Every match is kept when it ends. After an interruption of any kind, run the same command again: it plays what is
    missing. A longer tournament (more blocks) goes on from a shorter one in the same folder.

    \b
    Examples:
      ballcourt tournament demo.toml
      ballcourt tournament --game tzolkin --bot random --bot greedy --bot ./mine --blocks 20
      ballcourt tournament demo.toml --blocks 50 --workers 4
    """
    said = {
        "game": game, "bots": bot or None, "seats": seats, "blocks": blocks, "matches": matches, "seed": seed,
        "options": pairs("--option", option or []), "clock": numbers("--clock", clock or []),
        "faults": pairs("--fault", fault or []), "sandbox": confinement(sandbox, limit), "workers": workers,
        "lifetime": lifetime,
        "output": str(output) if output else None, "database": database,
    }  # fmt: skip
    settings = settings_from(file, {key: value for key, value in said.items() if value is not None})
    folder = settings.output or default_output(file, settings)
    planned = plan_for(settings, folder)
    workers = settings.workers or processors()
    results = play_planned(planned, folder, settings.database, lambda missing: _runner(min(workers, missing)))
    report(planned, folder, results, as_json=as_json)


def settings_from(file: Path | None, flags: dict[str, object]) -> Settings:
    """Read a tournament file, and flags that override it."""
    from arena.tournament.settings import Settings, parse_settings, read_settings

    written = read_settings(file) if file else Settings()
    return written.overridden_by(parse_settings(flags, "the command line", Path()))


def default_output(file: Path | None, settings: Settings) -> Path:
    """Where a tournament goes that does not say it."""
    return file.parent / "runs" / file.stem if file else Path("runs") / (settings.game or "")


def plan_for(settings: Settings, folder: Path, resolve: Callable[[str], Bot] | None = None) -> Tournament:
    """Plan the tournament; a seed that was drawn when it was begun is taken up again."""
    from dataclasses import replace

    from arena.bots.bot import resolve_bot
    from arena.tournament.folder import kept_seed
    from arena.tournament.plan import plan

    if settings.seed is None:
        settings = replace(settings, seed=kept_seed(folder))
    return plan(settings, resolve or resolve_bot)


def play_planned(
    planned: Tournament, path: Path, url: str | None, start: Start, *, live: bool = True
) -> list[MatchResult]:
    """Play what is missing and bring the databases up to date; return all results."""
    from arena.tournament.folder import DATABASE, open_folder
    from leaderboard.database import open_database

    with ExitStack() as stack:
        shared = [stack.enter_context(open_database(url, create=True))] if url else []
        folder = stack.enter_context(open_folder(path, planned))
        own = stack.enter_context(open_database(path / DATABASE, create=True))
        return _play(planned, folder, [own, *shared], start, live=live)


def _play(
    planned: Tournament, folder: Folder, databases: Sequence[Database], start: Start, *, live: bool
) -> list[MatchResult]:
    from arena.cli.ingest import Ingest
    from arena.cli.ledger import Ledger
    from arena.cli.progress import Progress
    from arena.faults import ArenaError
    from leaderboard.results import from_record

    before, unreadable = folder.played(planned, from_record)
    for sentence in unreadable:
        note(f"played again, because {sentence}")
    _announce(planned, len(before))
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
    from arena.schedule import keyed_seatings
    from arena.tournament.bench import Bench

    missing = planned.matches - len(ledger.played)
    if not missing:
        return
    bench = Bench(planned.policy, len(planned.entrants))
    with start(missing) as runner:
        for stage in planned.stages():
            due = [bench.due(block) for block in stage]
            ledger.skip(_keys(map(keyed_seatings, stage)) - _keys(due))
            _play_blocks(runner, map(planned.specs_of, stage, due), ledger)
            for entrant, sentence in bench.judge(chain.from_iterable(due), ledger.faults(_keys(due))):
                bot = planned.entrants[entrant]
                note(f"{bot.name} {bot.version} {sentence}")


def _keys(blocks: Iterable[Iterable[Seating]]) -> set[str]:
    return {key for matches in blocks for key, _ in matches}


def _play_blocks(runner: Runner, blocks: Iterable[Sequence[MatchSpec]], ledger: Ledger) -> None:
    """Play blocks; keep each match as soon as it has ended."""
    from arena.workers.blocks import Voided

    for event in runner.run_blocks(blocks, ledger.played):
        if isinstance(event, Voided):
            note(f"matches {', '.join(event.keys)} do not count and are played again: {event.reason}")
            ledger.void(event.keys)
        else:
            ledger.enter(event)


def _announce(planned: Tournament, played: int) -> None:
    from arena.match.spec import Lifetime
    from arena.sandbox.tiers import NO_SANDBOX

    bots = ", ".join(bot.name for bot in planned.entrants)
    note(f"{planned.matches} matches of {planned.game.name} with {_seats(planned.seats)}: {bots}")
    note(_balance(planned))
    if planned.lifetime is Lifetime.MATCH:
        note("every bot has a fresh process in every match")
    if planned.policy.judges:
        note(f"rounds, after each of which it is judged who has to sit out: {len([*planned.stages()])}")
    if planned.sandbox != NO_SANDBOX:
        note(planned.sandbox.describe())
    if played:
        note(f"{played} of them have been played before" + ("" if played == planned.matches else "; going on"))


def _seats(count: int) -> str:
    return "1 seat" if count == 1 else f"{count} seats"


def _balance(planned: Tournament) -> str:
    if planned.seats == 1:
        return f"each bot plays the same {planned.blocks} {'seed' if planned.blocks == 1 else 'seeds'} alone"
    counted = planned.balance()
    if counted.even:
        return (
            f"balanced: each bot plays {counted.matches[0]} matches, equally often in every seat and with every other"
        )
    pairs = counted.pairs.values()
    return (
        f"each bot plays {min(counted.matches)} to {max(counted.matches)} matches, equally often in every seat; "
        f"each pair meets {min(pairs)} to {max(pairs)} times"
    )


def report(planned: Tournament, folder: Path, results: list[MatchResult], *, as_json: bool) -> None:
    """Show the table of a tournament that has been played, and where everything is."""
    from arena.cli.leaderboard import boards_of, show
    from arena.records.bundle import FAULTS, bundles_in
    from arena.tournament.folder import DATABASE, RECORDS
    from leaderboard.tables import to_json

    boards = boards_of(results, folder)
    if as_json:
        typer.echo(to_json(boards))
    else:
        show(boards)
    note(f"records: {folder / RECORDS} ({len(results)} matches)   database: {folder / DATABASE}")
    if bundles := bundles_in(folder / FAULTS):
        note(f"seats lost: {len(bundles)}; what the authors of their bots need is in {folder / FAULTS}")
    note(f"this table again: ballcourt leaderboard {folder}")


def _runner(workers: int) -> Runner:
    from arena.workers.runner import Runner

    return Runner(workers)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))
