"""`ballcourt tournament`: play the remaining matches of a tournament, then show its table."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.flags import (
    Advance,
    Blocks,
    Ca,
    Cert,
    ClockFlags,
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
from ballcourt.arena.cli.output import NONE, confinement, dump, note, one_or_several, say, ways_of_play
from ballcourt.arena.cli.running import Played, play_and_show, report, say_confinement, say_crowding

if TYPE_CHECKING:
    from ballcourt.arena.cluster.addresses import Credentials
    from ballcourt.arena.tournament.plan import Tournament
    from ballcourt.arena.tournament.run import Replan
    from ballcourt.arena.tournament.settings import Settings


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
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play with the workers of a cluster: tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or local:N "
            "for N workers on this machine. `ballcourt worker` starts one elsewhere.",
        ),
    ] = None,
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
    from ballcourt.arena.cluster.addresses import Credentials
    from ballcourt.arena.tournament.play import plan_in, start_for, workers_of
    from ballcourt.arena.tournament.settings import output_folder, settings_from

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
    settings = settings_from(file, said, "the command line")
    if database == NONE:
        settings = replace(settings, database=None)
    folder = output_folder(file, settings)
    tables = workers_of(settings)
    if cluster and workers:
        raise typer.BadParameter(
            "with --cluster, each worker says how many matches it plays (--tables)", param_hint="--workers"
        )
    if not cluster and (ca or cert or key):
        raise typer.BadParameter("--ca, --cert and --key are for --cluster tls://HOST:PORT")
    if times and not plan:
        raise typer.BadParameter("it is for --plan only", param_hint="--times")
    if plan:
        _show_plan(plan_in(folder, settings, build=False), folder, times, tables, as_json=as_json)
        return
    replan = partial(plan_in, folder, settings, cache(resolve_entry), build=not cluster)
    planned = replan(before_builds=partial(say_confinement, strict=strict and not cluster))
    if cluster:
        given = Credentials(ca, cert, key)
        results = _play_in_cluster(planned, folder, settings, cluster, given, replan, strict=strict)
    else:
        say_crowding(planned, settings, strict=strict)
        results = play_and_show(planned, folder, settings.database, start_for(settings, planned), tables, replan)
    report(planned, folder, results, as_json=as_json, fail_on_fault=fail_on_fault)


def _play_in_cluster(
    planned: Tournament,
    folder: Path,
    settings: Settings,
    address: str,
    given: Credentials,
    replan: Replan,
    *,
    strict: bool,
) -> Played:
    from ballcourt.arena.cluster.addresses import local_workers
    from ballcourt.arena.tournament.cluster import cluster_for

    if workers := local_workers(address):
        say_crowding(planned, replace(settings, workers=workers), strict=strict)
    with cluster_for(planned, address, given, settings.cpus or 0, note, strict=strict) as runner:
        start = lambda _: nullcontext(runner)  # noqa: E731
        return play_and_show(planned, folder, settings.database, start, runner.tables, replan)


def _show_plan(planned: Tournament, folder: Path, times: Path | None, workers: int, *, as_json: bool) -> None:
    from ballcourt.arena.cli.forecast import forecast

    found = forecast(planned, folder, times, workers)
    if as_json:
        dump(found.to_json())
    else:
        say(found.lines())
