"""`ballcourt compare`: plays two versions of a bot against each other until it is known which is better."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Annotated, TypeVar

import typer

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.durations import duration
from ballcourt.arena.match.policy import counted
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.folder.events import MatchPlayed, Planned
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.run import Start
from ballcourt.cli.announce import Announcer
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import DuelFlags, MachineFlags, PrintFlags, Seed, Treatment
from ballcourt.cli.given import duel_table
from ballcourt.cli.output import columns, dump, note, same_command, say, working
from ballcourt.cli.setting_up import demand_walls
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.comparison import Comparison, default_seats, plan_comparison, played_blocks, versions
from ballcourt.evaluation.evidence import Measure, Method, Weighing
from ballcourt.evaluation.outlook import outlooks, rows, to_json
from ballcourt.evaluation.question import HALF, Question, percent
from ballcourt.evaluation.report import names

Choice = TypeVar("Choice", bound=StrEnum)
LINE_S = 10.0
EVEN = "50%"
WANTED = "55%"


@dataclass(frozen=True, slots=True)
class QuestionFlags:
    """The question that a comparison answers, and how long it may take."""

    effect: Annotated[
        str | None,
        option(
            "The share of duels that NEW should win; smaller effects need more matches. [default: 55%]",
            "SHARE",
            panel="Question",
        ),
    ] = None
    non_inferior: Annotated[
        str | None,
        option(
            "Ask instead whether NEW wins more than this share, below 50%; --effect is then 50% by default.",
            "SHARE",
            panel="Question",
        ),
    ] = None
    alpha: Annotated[str, option('The risk of a wrong "better".', "RISK", panel="Question")] = "5%"
    beta: Annotated[str, option("The risk of missing the effect.", "RISK", panel="Question")] = "5%"
    test: Annotated[
        str,
        option("What weighs the evidence; `ballcourt docs ratings` compares.", "betting|gsprt", panel="Question"),
    ] = "betting"
    by: Annotated[
        str,
        option(
            "What decides: the duels that NEW wins, or the points that it makes. The report has both.",
            "duels|points",
            panel="Question",
        ),
    ] = "duels"
    at_least: Annotated[
        int, option("Play at least N matches, even if it is decided before.", "N", panel="Length", min=0)
    ] = 0
    at_most: Annotated[
        int | None, option("Stop after N matches, even if it is not decided.", "N", panel="Length", min=1)
    ] = None
    plan: Annotated[
        bool, switch("--plan", "Show how many matches it will take, and how often it finds the effect.", panel="Length")
    ] = False


def compare(
    new: Annotated[str, argument("NEW", "The new version: a name or folder.")],
    old: Annotated[str, argument("OLD", "The old version: a name or folder.")],
    duel: DuelFlags,
    treatment: Treatment,
    machines: MachineFlags,
    asked: QuestionFlags,
    printed: PrintFlags,
    seed: Seed = None,
) -> None:
    """Find out whether a new version of a bot is better than the old one.

    Copies of both sit at the same tables. Each deal is played twice, with the seats of the versions exchanged. A duel
    is a pair of a new and an old copy at one table; a tie counts half. Matches are played until the evidence is
    sufficient. Looking at it, interrupting it and playing more with --at-least do not weaken it; the same command
    continues. Choose --effect and --by before you look: each question asked of the same matches has a risk of its own.

    The exit code is 0 if NEW is better, and 1 if that was not shown.

    \b
    Examples:
      ballcourt compare ./mine-2 ./mine-1 --game maya
      ballcourt compare ./mine-2 planner --game tzolkin --seats 2 --effect 52%
      ballcourt compare ./cleaned-up ./mine --game maya --non-inferior 48%
      ballcourt compare ./mine-2 ./mine-1 --game maya --by points --plan
      ballcourt compare ./mine-2 ./mine-1 --game maya --cluster local:4
    """
    question = _question(asked)
    if asked.at_most is not None and asked.at_least > asked.at_most:
        raise typer.BadParameter(
            f"it is {asked.at_least}, more than --at-most {asked.at_most}", param_hint="--at-least"
        )
    method, by = _chosen("--test", Method, asked.test), _chosen("--by", Measure, asked.by)
    given = duel_table(duel, treatment, seed=seed, workers=machines.workers, output=printed.folder)
    used = Machines.of(machines.cluster, given.pop("cluster", {}))
    used.check(machines.workers)
    demand_walls(given, strict=treatment.strict and not used.is_cluster)
    settings = event_from(None, given, "the command line")
    game = find_game(duel.game)
    weighing = Weighing(question, method, game.points_spread, by)
    seats = duel.seats or default_seats(game)
    folder = settings.output or Path("runs") / "-".join(["compare", *_names(new, old), duel.game, str(seats)])
    planned = plan_comparison(folder, new, old, settings, build=not used.is_cluster)
    if asked.plan:
        _show_plan(planned, folder, weighing, as_json=printed.as_json)
        return
    for line in _plan(planned, weighing):
        note(line)
    comparison = Comparison(folder, planned, weighing, asked.at_least, asked.at_most)
    with used.starting(planned, settings, strict=treatment.strict) as (start, tables):
        _play(comparison, planned.schedule.matches_in(1), start, tables)
    report = comparison.report()
    if printed.as_json:
        dump(report.to_json())
    else:
        say(report.lines())
    note(f"records: {folder / RECORDS} ({report.matches} matches); to see a match: ballcourt replay show FILE")
    if not report.decides.is_better or (treatment.strict and comparison.faulty):
        raise typer.Exit(CHECK_FAILED)


def _question(asked: QuestionFlags) -> Question:
    """Read the shares and risks. Raises BadParameter and QuestionError."""
    is_even = asked.non_inferior is None
    floor = _share("--non-inferior", asked.non_inferior or EVEN)
    if not is_even and not 0 < floor < HALF:
        raise typer.BadParameter(
            f"it is '{asked.non_inferior}'; it must be above 0% and below 50%", param_hint="--non-inferior"
        )
    return Question(
        floor=floor,
        effect=_share("--effect", (WANTED if is_even else EVEN) if asked.effect is None else asked.effect),
        alpha=_share("--alpha", asked.alpha),
        beta=_share("--beta", asked.beta),
    )


def _share(flag: str, written: str) -> float:
    number, percent = written.removesuffix("%"), written.endswith("%")
    try:
        share = float(number) / (100 if percent else 1)
        if not -1 <= share <= 1:  # 55 for 55%, or no number
            raise ValueError
    except ValueError as error:
        raise typer.BadParameter(f"'{written}' is not a share, such as 55% or 0.55", param_hint=flag) from error
    return share


def _chosen(flag: str, known: type[Choice], name: str) -> Choice:
    """Return the value of this name. Raises BadParameter."""
    if name not in list(known):
        raise typer.BadParameter(f"it is '{name}'; it must be {' or '.join(known)}", param_hint=flag)
    return known(name)


def _names(*written: str) -> list[str]:
    """Return what tells bots apart: name and version, and where these are the same the folder. Raises BotError."""
    entries = [resolve_entry(one) for one in written]
    names = [f"{entry.entrant.bot.name}-{entry.entrant.bot.version}" for entry in entries]
    if len(set(names)) == len(names):
        return names
    return [f"{name}-{entry.bot.folder.name}" for name, entry in zip(names, entries, strict=True) if entry.bot]


def _show_plan(planned: Plan, folder: Path, weighing: Weighing, *, as_json: bool) -> None:
    """Print what the comparison will take, and start nothing."""
    matches = planned.schedule.matches_in(1)
    with working("simulating comparisons"):
        found = outlooks(weighing, planned.seats, matches, played_blocks(folder))
    if as_json:
        dump(to_json(found, matches))
        return
    say(columns([*rows(found, matches)]))
    recorded = found[0].recorded
    source = f"{counted(recorded, 'block')} in {folder}" if recorded else "an assumption: no block has been played"
    shown = " and ".join(f"{one.variance:.3g} by {one.by}" for one in found)
    say([f"The variance of a block is {shown}, from {source}. Points are those of margins that are normal."])


def _plan(planned: Plan, weighing: Weighing) -> Iterator[str]:
    """Say what is played, and what for."""
    question, asked = weighing.question, weighing.decides_on
    new, old = versions(planned)
    size = planned.schedule.matches_in(1)
    new_name, old_name = names(new, old)
    yield (
        f"{planned.games} with {counted(planned.seats, 'seat')}: new is {new_name}, old is {old_name}; "
        f"each deal is played {size} times, in opposite splits of the seats"
    )
    if new.content_hash and new.content_hash == old.content_hash:
        yield "new and old have the same files: chance alone makes a difference between them"
    yield (
        f"until new is known to {'make' if weighing.by is Measure.POINTS else 'win'} more than "
        f"{weighing.bound_written(asked.floor)} {weighing.unit} (risk {percent(question.alpha)}), or less than "
        f"{weighing.bound_written(asked.effect)} (risk {percent(question.beta)}); "
        "every bot gets a fresh process for every match"
    )


def _play(comparison: Comparison, block_size: int, start: Start, tables: int) -> None:
    """Play until it is decided, and show how it goes."""
    announcer, began, shown, new = Announcer(tables), monotonic(), monotonic(), 0
    try:
        for event in comparison.play(start, tables):
            if not isinstance(event, Planned):  # its length says nothing
                announcer(event)
            new += isinstance(event, MatchPlayed) and event.is_new
            if new and monotonic() - shown >= LINE_S:
                matches = comparison.evidence.blocks_to_go * block_size
                seconds = round(matches * (monotonic() - began) / new)
                note(f"{comparison.line()}; about {matches} matches, {duration(seconds)}, to go")
                shown = monotonic()
    except BaseException:
        note(f"stopped after {comparison.matches} matches")
        note(f"to continue: {same_command()}")
        raise
