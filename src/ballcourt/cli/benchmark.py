"""`ballcourt benchmark`: plays a suite, and prints the number of a bot."""

from collections import Counter
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import BotPath, MachineFlags, PrintFlags, SandboxFlag, StrictFlag
from ballcourt.cli.output import document, dump, note, say
from ballcourt.cli.running import play_and_show
from ballcourt.cli.setting_up import demand_walls
from ballcourt.evaluation.benchmark import BenchmarkResult, PlayedSuite, result_of
from ballcourt.evaluation.suites.suite import CANDIDATE, Suite, find_suite
from ballcourt.leaderboard.model.results import MatchResult

FORMS = ("card", "markdown", "latex")


def benchmark(
    bot: BotPath,
    suite: Annotated[str, option("The suite, such as maya-1; a wrong name lists all.", "NAME", "--suite")],
    machines: MachineFlags,
    printed: PrintFlags,
    rounds: Annotated[
        int | None, option("Only the first N rounds, for a first impression.", "N", panel="Length", min=1)
    ] = None,
    form: Annotated[str, option("What is printed.", "card|markdown|latex", panel="Output")] = "card",
    sandbox: SandboxFlag = None,
    strict: StrictFlag = False,
) -> None:
    """Measure a bot by a fixed field on fixed deals, for a number that can be cited.

    A suite says which bots it meets, at which table sizes, on which deals, with which budgets and rules. It never
    changes: what should be otherwise is a new suite. The number is the share of opponents that the bot was placed
    above, in percent; its interval holds the truth with 95 %, however often you look. The same command continues.

    \b
    Suites: tzolkin-1, maya-1, ahau-1, and all-1 for the three games together.
    Examples:
      ballcourt benchmark ./mine --suite maya-1
      ballcourt benchmark ./mine --suite all-1 --rounds 10
      ballcourt benchmark ./mine --suite maya-1 --form latex
    """
    if form not in FORMS:
        raise typer.BadParameter(f"it is '{form}'; it must be one of {', '.join(FORMS)}", param_hint="--form")
    chosen = find_suite(suite)
    chosen.check()
    entry = resolve_entry(bot)
    name = entry.bot.name if entry.bot else entry.entrant.bot.name
    tier = {} if sandbox is None else {"sandbox": {"tier": sandbox}}
    demand_walls(tier, strict=strict)
    settings = chosen.event(
        bot, rounds=_rounds(rounds, chosen), workers=machines.workers, output=printed.folder, **tier
    )
    used = Machines.of(machines.cluster, {})
    used.check(machines.workers)
    folder = settings.output or Path("runs") / f"benchmark-{suite}-{name}-{entry.entrant.bot.version}"
    replan = partial(plan, settings, folder=folder, build=not used.is_cluster)
    planned = replan()
    note(f"{suite}: {chosen.file.title}; {planned.matches} matches")
    with used.starting(planned, settings, strict=strict) as (start, tables):
        results = play_and_show(planned, folder, None, start, tables, replan)
    found = _result(chosen, planned, results.results, name)
    _print(found, form, as_json=printed.as_json)
    if strict and found.faults:
        raise typer.Exit(CHECK_FAILED)


def _rounds(asked: int | None, suite: Suite) -> int:
    """Return how many rounds are played: all, or the first ones. Raises BadParameter."""
    if asked is not None and asked > suite.rounds:
        raise typer.BadParameter(f"it is {asked}; {suite.name} has {suite.rounds}", param_hint="--rounds")
    return asked or suite.rounds


def _result(suite: Suite, planned: Plan, matches: Collection[MatchResult], name: str) -> BenchmarkResult:
    size = planned.schedule.round_size
    round_of = {match.key: (block_index(match.key) or 0) // size for match in matches}
    whole = planned.schedule.matches_in(size)
    sizes = Counter(round_of.values())
    counted = {key: number for key, number in round_of.items() if sizes[number] == whole}
    file = suite.file
    played = PlayedSuite(suite.name, file.title, suite.digest, file.rules, suite.rounds)
    return result_of(played, matches, CANDIDATE, name, counted)


def _print(found: BenchmarkResult, form: str, *, as_json: bool) -> None:
    if as_json:
        dump(found.to_json())
    elif form == "card":
        say(found.lines())
    else:
        document(found.latex() if form == "latex" else found.markdown())
