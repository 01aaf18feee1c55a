"""`ballcourt tournament`: play the remaining matches of a tournament, then show its table."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.clusters import Machines
from ballcourt.cli.flags import (
    Advance,
    Blocks,
    Ca,
    Cert,
    ClockFlags,
    Cluster,
    Cpus,
    FailOnFault,
    FaultFlags,
    Focus,
    Format,
    Groups,
    Json,
    Key,
    LimitFlags,
    Matches,
    Options,
    ReadableFlags,
    Rounds,
    SandboxFlag,
    StopFlags,
    StrictFlag,
    Workers,
)
from ballcourt.cli.output import NONE, confinement, dump, one_or_several, say, ways_of_play
from ballcourt.cli.running import play_and_show, report, say_confinement

if TYPE_CHECKING:
    from ballcourt.arena.tournament.folder.plan import Plan


def tournament(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A tournament file (TOML).", show_default=False)
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The game; `ballcourt games` lists them. Repeat it to play several."),
    ] = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="A bot: a name, a folder, or LABEL=BOT; repeat for each.")
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="The seats at a table; by default as many as possible. May be repeated."),
    ] = None,
    format: Format = None,  # the flag is called like this
    focus: Focus = None,
    groups: Groups = None,
    advance: Advance = None,
    rounds: Rounds = None,
    blocks: Blocks = None,
    matches: Matches = None,
    stop: StopFlags = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of all chance; by default drawn, kept, and secret.")
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(
            metavar="match|block",
            help="Whether every match has its own deal, or all rotations of a table the same one, to compare bots of "
            "your own: then every bot gets a fresh process for every match.",
        ),
    ] = None,
    option: Options = None,
    clock: ClockFlags = None,
    fault: FaultFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    workers: Workers = None,
    cpus: Cpus = None,
    cluster: Cluster = None,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
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
        str | None,
        typer.Option(metavar="URL", help="Keep the results in this database too (SQLAlchemy URL); none: in no other."),
    ] = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Only say what the tournament will take: matches, time, processes, precision; start nothing."
        ),
    ] = False,
    times: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="For --plan: an output folder whose records tell how long matches of the bots take."
        ),
    ] = None,
    fail_on_fault: FailOnFault = False,
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
      ballcourt tournament cup.toml --blocks 5000 --plan
      ballcourt tournament cup.toml --cluster tls://head.example.org:8786 --ca ca.pem --cert mine.pem --key mine.key
    """
    from ballcourt.arena.bots.entries import resolve_entry
    from ballcourt.arena.tournament.event.reading import event_from, output_folder
    from ballcourt.arena.tournament.playing.play import plan_in, workers_of

    said = {
        "game": one_or_several(game), "bots": bot or None, "seats": one_or_several(seats), "format": format,
        "focus": focus or None, "groups": groups, "advance": advance,
        "rounds": rounds, "blocks": blocks, "matches": matches, "stop": stop or None, "seed": seed,
        "seeds": seeds,
        **ways_of_play(option, clock, fault), "workers": workers, "cpus": cpus,
        "sandbox": confinement(sandbox, limit, readable),
        "lifetime": lifetime,
        "output": str(output) if output else None, "database": None if database == NONE else database,
    }  # fmt: skip
    settings = event_from(file, said, "the command line")
    if database == NONE:
        settings = settings.replaced(database=None)
    folder = output_folder(file, settings)
    machines = Machines(cluster, ca, cert, key)
    machines.check(workers)
    if times and not plan:
        raise typer.BadParameter("it is for --plan only", param_hint="--times")
    if plan:
        _show_plan(plan_in(folder, settings, build=False), folder, times, workers_of(settings), as_json=as_json)
        return
    replan = partial(plan_in, folder, settings, cache(resolve_entry), build=not machines.is_cluster)
    planned = replan(before_builds=partial(say_confinement, strict=strict and not machines.is_cluster))
    with machines.starting(planned, settings, strict=strict) as (start, tables):
        results = play_and_show(planned, folder, settings.database, start, tables, replan)
    report(planned, folder, results, as_json=as_json, fail_on_fault=fail_on_fault or strict)


def _show_plan(planned: Plan, folder: Path, times: Path | None, workers: int, *, as_json: bool) -> None:
    from ballcourt.cli.forecast import forecast

    found = forecast(planned, folder, times, workers)
    if as_json:
        dump(found.to_json())
    else:
        say(found.lines())
