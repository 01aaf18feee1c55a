"""Many decisions in a row: the bot answers questions of random matches; its think times and memory are measured."""

import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import linear_regression
from time import monotonic

from ballcourt.arena.checks.check import ADVICE, LATE, CheckResult, Item, failed, passed, percentile, skipped, tail
from ballcourt.arena.checks.harness import Harness
from ballcourt.arena.faults import BotFault, describe_termination
from ballcourt.arena.match.spec import Clock
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage

DECISIONS = 1000
PATIENCE_S = 60.0
"""A slow bot is asked only as many questions as it answers in this time, unless a number was given."""
SAMPLES = 50
FEW = 100
"""Fewer decisions say nothing about memory."""
WARM_UP = 0.2
"""The share of decisions during which memory may grow freely."""
GROWTH_BYTES = 16 << 20
GROWTH_PER_DECISION = 20 << 10
"""Memory that grows by more than both, in bytes, is a leak."""
SHARES = {"p50_ms": 50, "p95_ms": 95, "p99_ms": 99, "max_ms": 100}
KB, MB = 1 << 10, 1 << 20


@dataclass
class Drill:
    """The answers to the questions of one game."""

    game: Game
    wanted: int
    think_us: list[int] = field(default_factory=list)
    memory: list[tuple[int, int]] = field(default_factory=list)
    """Samples: number of decisions so far, resident memory in bytes."""
    fault: str = ""
    advice: str = ""
    was_late: bool = False
    """Whether the clock alone failed it."""


async def drill(harness: Harness, game: Game, decisions: int, seconds: float) -> Drill:
    """Ask `decisions` questions, or as many as are answered within `seconds`."""
    done = Drill(game, decisions)
    try:
        process, seat = await harness.start(game)
    except BotFault as fault:
        done.fault, done.advice, done.was_late = fault.sentence, ADVICE[fault.termination], fault.termination in LATE
        return done
    until = monotonic() + seconds
    try:
        async for message in _messages(harness, game, observes=seat.session.hello.capabilities.observe):
            answer = await seat.put(message)
            if answer is None:
                continue
            done.think_us.append(answer.think_us)
            if len(done.think_us) % max(1, decisions // SAMPLES) == 0:
                done.memory.append((len(done.think_us), process.memory()))
            if len(done.think_us) >= decisions or monotonic() > until:
                break
    except BotFault as fault:
        evidence = await process.end(fault.termination)
        done.fault = f"{describe_termination(fault.termination)}: {fault.sentence}{tail(evidence.stderr_tail)}"
        done.advice, done.was_late = ADVICE[fault.termination], fault.termination in LATE
    process.kill()
    return done


def answered(drills: Sequence[Drill], clock: Clock) -> CheckResult:
    """Return a check of the answers, with their think times in milliseconds as figures."""
    think_us = [think for done in drills for think in done.think_us]
    times = {name: percentile(think_us, share) / 1000 for name, share in SHARES.items()} if think_us else {}
    for done in drills:
        if done.fault:
            detail = f"{done.game.name}, after {len(done.think_us)} answers: {done.fault}"
            return failed(Item.DECISIONS, detail, done.advice, figures=times)
    half, most, nearly_all, longest = times.values()
    detail = (
        f"{_amount(drills)}: half of them within {half:.1f} ms, 95 % within {most:.1f}, 99 % within "
        f"{nearly_all:.1f}, the longest {longest:.1f} of {clock.cap_ms} ms"
    )
    return passed(Item.DECISIONS, detail, figures={"decisions": len(think_us), **times})


def remembered(drills: Sequence[Drill]) -> CheckResult:
    """Return a check of how the memory of the bot's processes grew."""
    if sys.platform != "linux":
        return skipped(Item.MEMORY, "it is measured on Linux alone")
    long = [done for done in drills if len(done.think_us) >= FEW and not done.fault]
    if not long:
        return skipped(Item.MEMORY, f"needs at least {FEW} answered decisions of a game")
    grown, per_decision, last = max(growth(done.memory) for done in long)
    detail = f"{last / MB:.0f} MB at the end; grew by {grown / MB:.1f} MB, {per_decision / KB:.1f} KB per decision"
    figures = {"last_bytes": last, "growth_bytes": grown, "growth_per_decision_bytes": round(per_decision)}
    if grown > GROWTH_BYTES and per_decision > GROWTH_PER_DECISION:
        limit = f"more than {GROWTH_BYTES // MB} MB and {GROWTH_PER_DECISION // KB} KB per decision"
        advice = "release the memory of a match when it ends"
        return failed(Item.MEMORY, f"{detail}: {limit}", advice, figures=figures)
    return passed(Item.MEMORY, detail, figures=figures)


def growth(samples: Sequence[tuple[int, int]]) -> tuple[int, float, int]:
    """Return the growth of memory after the warm-up, in total and per decision, and the last sample, all in bytes."""
    settled = samples[int(len(samples) * WARM_UP) :]
    slope, _ = linear_regression(*zip(*settled, strict=True))
    return settled[-1][1] - settled[0][1], slope, settled[-1][1]


async def _messages(harness: Harness, game: Game, *, observes: bool) -> AsyncIterator[ArenaMessage]:
    """Yield the messages to each seat of one random match after another, endlessly."""
    for number in count():
        for script in await harness.scripts(game, number, observes=observes):
            for message in script:
                yield message


def _amount(drills: Sequence[Drill]) -> str:
    asked, wanted = sum(len(done.think_us) for done in drills), sum(done.wanted for done in drills)
    names = ", ".join(done.game.name for done in drills)
    return f"{asked} decisions of {names}" + ("" if asked >= wanted else f" ({wanted} would have taken too long)")
