"""`ballcourt evaluate`: how good programs are against fixed opponents, and which of several is the best."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final

import typer

from ballcourt.arena.processes.cache import cache_folder
from ballcourt.arena.tournament.playing.cluster import cluster_of, demands_of
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json, MachineFlags, Options, Seed, Treatment
from ballcourt.cli.given import OF_BOTS, pairs, settings_table
from ballcourt.cli.output import dump, note, say
from ballcourt.cli.setting_up import demand_walls
from ballcourt.evaluation.assessment import Assessment, Conclusion
from ballcourt.evaluation.evaluator import CONFINED, Evaluator, usual_seats
from ballcourt.evaluation.evidence import Measure
from ballcourt.evaluation.question import HALF
from ballcourt.evaluation.rungs.climb import climb, find_rungs
from ballcourt.evaluation.terms import FORMAT, Terms

LINE_S: Final = 10.0
FILE: Final = "evaluations.sqlite"


@dataclass(frozen=True, slots=True)
class MeetingFlags:
    """What candidates play, and against whom."""

    game: Annotated[str, option("The game to play.", "NAME", "--game", panel="Event")]
    against: Annotated[
        list[str] | None,
        option(
            "An opponent: the name or folder of a bot, a folder of bots, or ladder:NAME for those of a ladder; may be "
            "repeated.",
            "BOTS",
            panel="Event",
        ),
    ] = None
    rungs: Annotated[
        bool,
        switch(
            "--rungs",
            "Find the highest of the game's rungs that the candidate is above: fixed opponents, each above the one "
            "below.",
            panel="Event",
        ),
    ] = False
    seats: Annotated[
        int | None, option("The number of seats; 2 by default, where the game allows it.", "N", panel="Event", min=1)
    ] = None
    option: Options = None


@dataclass(frozen=True, slots=True)
class AnswerFlags:
    """How much is played, and for which answer."""

    budget: Annotated[
        str,
        option(
            "The most that is played: 'N matches', 'N cpu-seconds' of all bots, or 'N minutes'.",
            "BUDGET",
            panel="Length",
        ),
    ] = "200 matches"
    half_width: Annotated[
        float | None, option("Stop when half the interval is this narrow, such as 0.05.", "SHARE", panel="Length")
    ] = None
    better_than: Annotated[
        float | None,
        option(
            "Stop when a test knows whether the candidate wins more than this share of its duels, at most 0.5; the "
            "exit code is 1 if it does not.",
            "SHARE",
            panel="Length",
        ),
    ] = None
    fresh: Annotated[
        bool, switch("--fresh", "Play deals that no other candidate meets, for a final answer.", panel="Length")
    ] = False
    by: Annotated[str, option("What decides: who wins the 'duels', or their 'points'.", "MEASURE", panel="Length")] = (
        Measure.DUELS
    )
    weak: Annotated[
        bool,
        switch("--weak", "Go on when it is known to be hopeless, as with --half-width.", panel="Length"),
    ] = False
    again: Annotated[
        bool, switch("--again", "Forget what is known of the candidates, and play it again.", panel="Length")
    ] = False
    keep: Annotated[int, option("How many of several candidates to find.", "N", panel="Length", min=1)] = 1


def evaluate(
    candidates: Annotated[
        list[str], argument("CANDIDATE...", "Programs: folders or names of bots, or files in Python with a Bot.")
    ],
    meeting: MeetingFlags,
    answer: AnswerFlags,
    treatment: Treatment,
    machines: MachineFlags,
    feedback: Annotated[
        bool,
        switch("--feedback", "Say what to learn from it: faults, costly decisions, sources of points.", panel="Output"),
    ] = False,
    cache: Annotated[
        Path | None,
        option("The file that keeps what is found out; by default one in the cache.", "FILE", panel="Output"),
    ] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Find out how good a program is against fixed opponents, or which of several is the best.

    Candidates are confined (sandbox tier 1) and take every seat of every deal. The interval holds at any time, however
    often you look. A program that is broken or hopeless ends at once. What was played before is not played again: the
    same command continues after an interruption, or with a larger budget. Several candidates race on the same deals for
    one budget; the best are evaluated again on fresh deals.

    The exit code is 1 if a candidate is broken, or not known to be better than --better-than.

    \b
    Examples:
      ballcourt evaluate ./mine --game maya --against greedy
      ballcourt evaluate idea.py --game maya --against greedy --against planner --better-than 0.5 --json
      ballcourt evaluate ideas/*.py --game maya --against ladder:club --keep 3 --budget '2000 matches'
      ballcourt evaluate ./mine --game maya --rungs --seats 4
    """
    if bool(meeting.against) == meeting.rungs:
        raise typer.BadParameter("name opponents by --against, or give --rungs alone", param_hint="--against")
    given = settings_table(treatment, (*OF_BOTS, "cluster"))
    used = Machines.of(machines.cluster, given.pop("cluster", {}))
    used.check(machines.workers)
    sandbox = given.get("sandbox", {})
    demand_walls({"sandbox": {"tier": CONFINED, **sandbox}}, strict=treatment.strict and not used.is_cluster)
    start = partial(
        Evaluator,
        meeting.game,
        seats=meeting.seats,
        options=pairs("--option", meeting.option or ()),
        sandbox=sandbox,
        workers=machines.workers,
        seed=seed,
        cache=cache or cache_folder() / FILE,
        machines=(lambda terms: _cluster(used, terms, strict=treatment.strict)) if used.is_cluster else None,
    )
    if meeting.rungs:
        if (
            len(candidates) > 1
            or answer.half_width
            or answer.better_than
            or answer.weak
            or feedback
            or given.get("clock")
        ):
            raise typer.BadParameter(
                "--rungs takes one candidate, has a clock, and asks whether it wins more than half of its duels; leave "
                "out other candidates, --half-width, --better-than, --weak, --feedback and --clock"
            )
        _climb(start, meeting, candidates[0], answer, as_json=as_json)
        return
    arena = start(opponents=meeting.against or (), clock=given.get("clock"))
    with closing(arena):  # not `with arena`, which starts workers even if nothing is to be played
        if len(candidates) > 1:
            _race(arena, candidates, answer, as_json=as_json)
        else:
            _one(arena, candidates[0], answer, feedback=feedback, as_json=as_json)


def _one(arena: Evaluator, candidate: str, answer: AnswerFlags, *, feedback: bool, as_json: bool) -> None:
    shown = monotonic()
    limits: dict[str, Any] = {"half_width": answer.half_width, "better_than": answer.better_than, "by": answer.by}
    limits |= {"fresh": answer.fresh, "again": answer.again, "gives_up": False if answer.weak else None}
    for found in arena.watch(candidate, answer.budget, **limits):
        if monotonic() - shown >= LINE_S:
            note(str(found))
            shown = monotonic()
    learnt = arena.feedback(candidate) if feedback else ""
    if as_json:
        dump(found.to_json() | ({"feedback": learnt} if feedback else {}))
    else:
        say(learnt.splitlines() if feedback else _lines(found))
    if found.verdict is Conclusion.BROKEN or (answer.better_than is not None and not found.better):
        raise typer.Exit(CHECK_FAILED)


def _climb(
    start: Callable[..., Evaluator], meeting: MeetingFlags, candidate: str, answer: AnswerFlags, *, as_json: bool
) -> None:
    rungs = find_rungs(meeting.game, meeting.seats or usual_seats(meeting.game))
    rungs.file.check(rungs.name)

    def ask(rung: int) -> Assessment:
        with closing(start(clock=rungs.file.clock.given(), **rungs.opponent(rung))) as arena:
            found = arena.evaluate(
                candidate, answer.budget, better_than=HALF, by=answer.by, fresh=answer.fresh, again=answer.again
            )
        note(f"rung {rung}, {rungs.called(rung)}: {found.in_words}")
        return found

    climbed = climb(rungs, ask)
    if as_json:
        dump(climbed.to_json())
    else:
        say(climbed.lines())
    if climbed.is_broken:
        raise typer.Exit(CHECK_FAILED)


def _race(arena: Evaluator, candidates: Sequence[str], answer: AnswerFlags, *, as_json: bool) -> None:
    if answer.half_width or answer.better_than or answer.fresh or answer.weak:
        raise typer.BadParameter(
            "several candidates race for a budget; leave out --half-width, --better-than, --weak and --fresh"
        )
    shown = monotonic()
    for news in arena.race(candidates, answer.keep, answer.budget, by=answer.by, again=answer.again):
        if monotonic() - shown >= LINE_S:
            leader = news.left[0]
            note(f"block {news.blocks}: {len(news.left)} left; {leader.candidate} leads with {leader.mean:.1%}")
            shown = monotonic()
    if as_json:
        dump({"format": FORMAT, "best": [found.to_json() for found in news.left]})
    else:
        say(line for found in news.left for line in _lines(found))


def _lines(found: Assessment) -> list[str]:
    lines = [str(found), f"it took {found.own_cpu_s:.1f} s of processor time, all bots {found.cpu_s:.1f} s"]
    if found.bound is not None and found.by is Measure.DUELS:
        side = "more" if found.better else "less"
        lines.append(f"by the one-sided test at 95% it wins {side} than {found.bound:.1%}")
    if ahead := found.by_points:
        lines.append(f"it is {ahead.mean:+.1f} points ahead in a duel ({ahead.low:+.1f} to {ahead.high:+.1f})")
    return lines + [line for fault in found.faults for line in fault.splitlines()]


def _cluster(used: Machines, terms: Terms, *, strict: bool) -> AbstractContextManager[BlockRunner]:
    """Return the workers of a cluster, once they have built the opponents."""
    assert used.address is not None, "it is a cluster"
    demands = demands_of([terms.setup], terms.sandbox, terms.clock, 0, strict=strict)
    bots = {entry.entrant: entry.bot for entry in terms.opponents if entry.bot}
    return cluster_of(demands, bots, used.address, used.credentials, note)
