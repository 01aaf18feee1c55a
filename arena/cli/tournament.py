"""`ballcourt tournament`: play what is missing of a tournament, then show its table."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import INTERRUPTED
from arena.cli.flags import ClockFlags, Json, Options
from arena.cli.output import note, numbers, pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from arena.folder import Folder
    from arena.settings import Settings
    from arena.tournament import Tournament
    from leaderboard.database import Database
    from leaderboard.results import MatchResult


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
        int | None, typer.Option(help="Rounds in which every group of bots plays one seed in all seat rotations.")
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Instead of --blocks: at least so many, in whole blocks.")] = None,
    seed: Annotated[int | None, typer.Option(help="What decides all chance; drawn by default and kept.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes; one per processor by default.")] = None,
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
        "options": pairs("--option", option or []), "clock": numbers("--clock", clock or []), "workers": workers,
        "output": str(output) if output else None, "database": database,
    }  # fmt: skip
    settings = _settings(file, {key: value for key, value in said.items() if value is not None})
    folder = settings.output or _default_output(file, settings)
    planned = _plan(settings, folder)
    results = _run(planned, folder, settings.workers or _processors(), settings.database)
    _report(planned, folder, results, as_json=as_json)


def _settings(file: Path | None, flags: dict[str, object]) -> Settings:
    from arena.settings import Settings, parse_settings, read_settings

    written = read_settings(file) if file else Settings()
    return written.overridden_by(parse_settings(flags, "the command line", Path()))


def _default_output(file: Path | None, settings: Settings) -> Path:
    return file.parent / "runs" / file.stem if file else Path("runs") / (settings.game or "")


def _plan(settings: Settings, folder: Path) -> Tournament:
    """Plan the tournament; a seed that was drawn when it was begun is taken up again."""
    from dataclasses import replace

    from arena.folder import kept_seed
    from arena.tournament import plan

    if settings.seed is None:
        settings = replace(settings, seed=kept_seed(folder))
    return plan(settings)


def _run(planned: Tournament, path: Path, workers: int, url: str | None) -> list[MatchResult]:
    """Play what is missing and bring the databases up to date; return all results."""
    from arena.folder import DATABASE, open_folder
    from leaderboard.database import open_database

    with ExitStack() as stack:
        shared = [stack.enter_context(open_database(url, create=True))] if url else []
        folder = stack.enter_context(open_folder(path, planned))
        own = stack.enter_context(open_database(path / DATABASE, create=True))
        return _play(planned, folder, [own, *shared], workers)


def _play(planned: Tournament, folder: Folder, databases: Sequence[Database], workers: int) -> list[MatchResult]:
    from arena.cli.ingest import Ingest
    from arena.cli.progress import Progress
    from leaderboard.results import from_record

    before, unreadable = folder.played(planned, from_record)
    for sentence in unreadable:
        note(f"played again, because {sentence}")
    _announce(planned, len(before))
    ingest = Ingest(databases)
    ingest.flush([*before.values()])
    progress = Progress(planned.matches, [*before.values()])
    try:
        with progress:
            _play_missing(planned, folder, before.keys(), workers, [progress.add, ingest.add])
    except KeyboardInterrupt:
        note(f"stopped after {len(progress.played)} of {planned.matches} matches; run the same command to go on")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        ingest.flush()
    return progress.played


def _play_missing(
    planned: Tournament,
    folder: Folder,
    done: Collection[str],
    workers: int,
    listeners: Sequence[Callable[[MatchResult], None]],
) -> None:
    """Play the matches whose keys are not done; keep each as soon as it has ended, then tell the listeners."""
    from arena.runner import Runner
    from leaderboard.results import from_record

    missing = planned.matches - len(done)
    if not missing:
        return
    with Runner(workers=min(workers, missing)) as runner:
        for record in runner.run(spec for spec in planned.specs() if spec.key not in done):
            folder.add(record)
            for listen in listeners:
                listen(from_record(record))


def _announce(planned: Tournament, played: int) -> None:
    bots = ", ".join(bot.name for bot in planned.entrants)
    note(f"{planned.matches} matches of {planned.game.name} with {planned.seats} seats: {bots}")
    note(_balance(planned))
    if played:
        note(f"{played} of them have been played before" + ("" if played == planned.matches else "; going on"))


def _balance(planned: Tournament) -> str:
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


def _report(planned: Tournament, folder: Path, results: list[MatchResult], *, as_json: bool) -> None:
    from arena.cli.leaderboard import show
    from arena.folder import DATABASE, RECORDS
    from leaderboard.standings import by_ladder, standings
    from leaderboard.tables import to_json

    boards = {ladder: standings(played) for ladder, played in by_ladder(results).items()}
    if as_json:
        typer.echo(to_json(boards))
    else:
        show(boards)
    note(f"records: {folder / RECORDS} ({planned.matches} matches)   database: {folder / DATABASE}")
    note(f"this table again: ballcourt leaderboard {folder}")


def _processors() -> int:
    return len(os.sched_getaffinity(0))
