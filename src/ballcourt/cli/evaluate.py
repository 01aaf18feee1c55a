"""`ballcourt evaluate`: how good programs are against fixed opponents, and which of several is the best."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from time import monotonic
from typing import Any, Final

import typer

from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.processes.cache import cache_folder
from ballcourt.arena.tournament.playing.cluster import cluster_of
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.cli.clusters import Machines
from ballcourt.cli.commands.build import AnswerFlags, MeetingFlags
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import MachineFlags, Treatment
from ballcourt.cli.given import OF_BOTS, pairs, settings_table
from ballcourt.cli.output import dump, note, say
from ballcourt.cli.setting_up import demand_walls
from ballcourt.evaluate.assessment import Assessment, Conclusion
from ballcourt.evaluate.evaluator import Evaluator
from ballcourt.evaluate.terms import FORMAT, Terms

LINE_S: Final = 10.0
FILE: Final = "evaluations.sqlite"
CONFINED: Final = 1


def evaluate(
    candidates: list[str],
    meeting: MeetingFlags,
    answer: AnswerFlags,
    treatment: Treatment,
    machines: MachineFlags,
    feedback: bool,
    cache: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Run `ballcourt evaluate`."""
    given = settings_table(treatment, (*OF_BOTS, "cluster"))
    used = Machines.of(machines.cluster, given.pop("cluster", {}))
    used.check(machines.workers)
    sandbox = {"tier": CONFINED, **given.get("sandbox", {})}
    demand_walls({"sandbox": sandbox}, strict=treatment.strict and not used.is_cluster)
    arena = Evaluator(
        meeting.game,
        opponents=meeting.against,
        seats=meeting.seats,
        options=pairs("--option", meeting.option or ()),
        clock=given.get("clock"),
        sandbox=sandbox,
        workers=machines.workers,
        seed=seed,
        cache=cache or cache_folder() / FILE,
        machines=(lambda terms: _cluster(used, terms, strict=treatment.strict)) if used.is_cluster else None,
    )
    with closing(arena):  # not `with arena`, which starts workers even if nothing is to be played
        if len(candidates) > 1:
            _race(arena, candidates, answer, as_json=as_json)
        else:
            _one(arena, candidates[0], answer, feedback=feedback, as_json=as_json)


def _one(arena: Evaluator, candidate: str, answer: AnswerFlags, *, feedback: bool, as_json: bool) -> None:
    shown = monotonic()
    limits: dict[str, Any] = {"half_width": answer.half_width, "better_than": answer.better_than}
    for found in arena.watch(candidate, answer.budget, fresh=answer.fresh, **limits):
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


def _race(arena: Evaluator, candidates: Sequence[str], answer: AnswerFlags, *, as_json: bool) -> None:
    if answer.half_width or answer.better_than or answer.fresh:
        raise typer.BadParameter(
            "several candidates race for a budget; leave out --half-width, --better-than and --fresh"
        )
    shown = monotonic()
    for news in arena.race(candidates, answer.keep, answer.budget):
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
    if found.bound is not None:
        side = "more" if found.better else "less"
        lines.append(f"by the one-sided test at 95% it wins {side} than {found.bound:.1%}")
    if ahead := found.by_points:
        lines.append(f"it is {ahead.mean:+.1f} points ahead in a duel ({ahead.low:+.1f} to {ahead.high:+.1f})")
    return lines + [line for fault in found.faults for line in fault.splitlines()]


def _cluster(used: Machines, terms: Terms, *, strict: bool) -> AbstractContextManager[BlockRunner]:
    """Return the workers of a cluster, once they have built the opponents."""
    assert used.address is not None, "it is a cluster"
    demands = Demands(
        games=((terms.game.name, terms.game.rules_version),),
        sandbox=terms.sandbox,
        seats=terms.seats,
        ponder=terms.clock.ponder,
        by_time=not terms.clock.work,
        strict=strict,
    )
    bots = {entry.entrant: entry.bot for entry in terms.opponents if entry.bot}
    return cluster_of(demands, bots, used.address, used.credentials, note)
