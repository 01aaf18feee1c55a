"""`ballcourt tournament`: play what is missing of a tournament, then show its table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.cli.flags import ClockFlags, FaultFlags, Json, LimitFlags, Options, ReadableFlags, SandboxFlag
from ballcourt.arena.cli.output import confinement, numbers, pairs
from ballcourt.arena.cli.running import output_folder, plan_for, play_planned, processors, report, settings_from


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
    readable: ReadableFlags = None,
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
      ballcourt tournament cup.toml
      ballcourt tournament --game tzolkin --bot random --bot greedy --bot ./mine --blocks 20
      ballcourt tournament cup.toml --blocks 50 --workers 4
    """
    from ballcourt.arena.workers.runner import Runner

    said = {
        "game": game, "bots": bot or None, "seats": seats, "blocks": blocks, "matches": matches, "seed": seed,
        "options": pairs("--option", option or []), "clock": numbers("--clock", clock or []),
        "faults": pairs("--fault", fault or []), "sandbox": confinement(sandbox, limit, readable), "workers": workers,
        "lifetime": lifetime,
        "output": str(output) if output else None, "database": database,
    }  # fmt: skip
    settings = settings_from(file, said)
    folder = output_folder(file, settings)
    planned = plan_for(settings, folder)
    workers = settings.workers or processors()
    results = play_planned(planned, folder, settings.database, lambda missing: Runner(min(workers, missing)))
    report(planned, folder, results, as_json=as_json)
