"""`ballcourt tournament` and `demo`: play the remaining matches of a tournament, then show its table."""

from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena import files
from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.reading import event_from, output_folder
from ballcourt.arena.tournament.folder import planning
from ballcourt.arena.tournament.playing.play import workers_of
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.flags import EventFlags, Json, LengthFlags, MachineFlags, OutcomeFlags, Treatment
from ballcourt.cli.given import event_table, settings_table
from ballcourt.cli.output import note
from ballcourt.cli.running import play_and_show, report, say_confinement, tables_of

NONE = "none"
"""What --set database may be, to keep the results in no other database than the folder's."""


def tournament(
    event: EventFlags,
    length: LengthFlags,
    treatment: Treatment,
    machines: MachineFlags,
    outcome: OutcomeFlags,
    file: Annotated[Path | None, argument("FILE", "A tournament file (TOML).")] = None,
    plan: Annotated[
        bool,
        switch(
            "--plan",
            "Only say what the tournament will take: matches, time, processes, precision; start nothing.",
            panel="Output",
        ),
    ] = False,
    times: Annotated[
        Path | None,
        option(
            "For --plan: an output folder whose records show how long matches of the bots take.",
            "FOLDER",
            panel="Output",
        ),
    ] = None,
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
      ballcourt tournament cup.toml --set stop='6 h' --set database=sqlite:///all.sqlite
      ballcourt tournament cup.toml --blocks 5000 --plan
      ballcourt tournament cup.toml --cluster tls://head.example.org:8786
    """
    keys = {**event_table(event), **asdict(length), "workers": machines.workers, "output": outcome.folder}
    given = settings_table(treatment, (), **keys)
    used = Machines.of(machines.cluster, given.pop("cluster", {}))
    used.check(machines.workers)
    strict = treatment.strict
    drops_database = given.get("database") == NONE
    if drops_database:
        del given["database"]
    settings = event_from(file, given, "the command line")
    if drops_database:
        settings = settings.replaced(database=None)
    if settings.start_at:
        raise SettingsError("start_at is a time until which `ballcourt host` waits for bots that dial in; leave it out")
    folder = output_folder(file, settings)
    if times and not plan:
        raise typer.BadParameter("it is for --plan only", param_hint="--times")
    if plan:
        from ballcourt.cli.forecast import show_plan  # NumPy and SciPy take half a second

        planned = planning.plan(settings, folder=folder, build=False)
        show_plan(planned, folder, times, workers_of(settings), as_json=outcome.as_json)
        return
    replan = partial(planning.plan, settings, cache(resolve_entry), folder=folder, build=not used.is_cluster)
    planned = replan(before_builds=partial(say_confinement, strict=strict and not used.is_cluster))
    with used.starting(planned, settings, strict=strict) as (start, tables):
        results = play_and_show(planned, folder, settings.database, start, tables, replan)
    fails = outcome.fail_on_fault or strict
    report(planned, folder, results, tables_of(results, folder), as_json=outcome.as_json, fail_on_fault=fails)


def demo(
    output: Annotated[Path, option("The output folder.", "FOLDER")] = Path("runs/demo"),
    as_json: Json = False,
) -> None:
    """Play a tournament of the four reference bots.

    They play Tzolk'in for about half a minute, then you see their table. Run it again to see the table again.

    \b
    Examples:
      ballcourt demo
      ballcourt demo --output /tmp/demo --json
    """
    file = files.PACKAGE / "demo.toml"
    outcome = OutcomeFlags(output, as_json)
    tournament(EventFlags(), LengthFlags(), Treatment(), MachineFlags(), outcome, file, plan=False, times=None)
    note(f"its settings, to copy and change: {file}")
