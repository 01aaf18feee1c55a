"""`ballcourt tournament`: play the remaining matches of a tournament, then show its table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.cli.flags import (
    Blocks,
    ClockFlags,
    FaultFlags,
    Format,
    Json,
    LimitFlags,
    Matches,
    Options,
    ReadableFlags,
    Rounds,
    SandboxFlag,
)
from ballcourt.arena.cli.output import confinement, numbers, pairs
from ballcourt.arena.cli.running import play_and_show, report


def tournament(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A tournament file (TOML).", show_default=False)
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help="The game; `ballcourt games` lists them.")] = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="A bot: a name, a folder, or LABEL=BOT; repeat for each.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="The seats at a table; by default as many as possible.")
    ] = None,
    format: Format = None,  # the flag is called like this
    rounds: Rounds = None,
    blocks: Blocks = None,
    matches: Matches = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of all chance; drawn by default, and kept.")
    ] = None,
    option: Options = None,
    clock: ClockFlags = None,
    fault: FaultFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="The number of worker processes; one per processor by default.")
    ] = None,
    lifetime: Annotated[
        str | None,
        typer.Option(
            metavar="match|tournament",
            help="Whether a bot gets a fresh process for every match, or may remember earlier ones.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The output folder; runs/NAME by default.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Keep the results in this database too (SQLAlchemy URL).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a tournament and show its table.

    The settings come from a file or from flags; a flag overrides the file. Every match is kept as soon as it ends.
    After an interruption of any kind, run the same command again: it plays the remaining matches. A longer tournament
    (more rounds, blocks or matches) continues a shorter one in the same folder.

    \b
    Examples:
      ballcourt tournament cup.toml
      ballcourt tournament --game tzolkin --bot random --bot greedy --bot ./mine --rounds 20
      ballcourt tournament cup.toml --blocks 50 --workers 4
    """
    from ballcourt.arena.tournament.play import plan_in, processors, start_for
    from ballcourt.arena.tournament.settings import output_folder, settings_from

    said = {
        "game": game, "bots": bot or None, "seats": seats, "format": format, "rounds": rounds, "blocks": blocks,
        "matches": matches, "seed": seed,
        "options": pairs("--option", option or []), "clock": numbers("--clock", clock or []),
        "faults": pairs("--fault", fault or []), "sandbox": confinement(sandbox, limit, readable), "workers": workers,
        "lifetime": lifetime,
        "output": str(output) if output else None, "database": database,
    }  # fmt: skip
    settings = settings_from(file, said, "the command line")
    folder = output_folder(file, settings)
    planned = plan_in(folder, settings)
    tables = settings.workers or processors()
    results = play_and_show(planned, folder, settings.database, start_for(settings), tables)
    report(folder, results, as_json=as_json)
