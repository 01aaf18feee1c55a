"""What a ladder costs as matches and decisions grow: `python -m tests.bench.ladder_costs [--matches N] [--entrants N]`.

The matches are not played: their results are drawn from known strengths. Everything else is as in a ladder. With
`--decisions` it shows instead what one more decision costs after 300, 1,000, 3,000 and 30,000 others.
"""

import argparse
import resource
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.divisions import DivisionRule
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.ladder.score import Score
from ballcourt.arena.ladder.seating import Situation, choose_tables
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.tournament.decisions.changes import NO_CHANGES, ChangesReader, joining, withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail
from ballcourt.arena.tournament.event.stages import STAGES, Results, Stage, choose, settle
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.arena.tournament.schedules.schedule import SeatOutcome, keyed_seatings
from ballcourt.arena.tournament.schedules.strengths import Strengths

Floats = NDArray[np.float64]

SEATS = 4
LINES = 5
PROBES = 20
"""Decisions that are timed."""


def main() -> None:
    """Simulate and print a line for each part of the matches."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ladder_costs", description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000, metavar="N", help="matches in all (default 100,000)")
    parser.add_argument("--entrants", type=int, default=50, metavar="N", help="bots in the field (default 50)")
    parser.add_argument("--decisions", action="store_true", help="show what a decision costs, not a stage")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ballcourt-ladder-") as folder:
        if given.decisions:
            _decide(Path(folder))
        else:
            _simulate(Path(folder), given.entrants, given.matches)


def _simulate(folder: Path, entrants: int, matches: int) -> None:
    chance = np.random.default_rng(entrants)
    strengths = chance.normal(0, 1, entrants)
    policy = parse_policy({})
    score = Score(policy, range(entrants), entrants)
    print(f"{entrants} bots, {SEATS} seats; CPU milliseconds, without the matches themselves")
    print(f"{'matches':>9} {'a stage':>9} {'a match':>9} {'memory MB':>10}", flush=True)
    for part in range(1, LINES + 1):
        began, stages, before = process_time(), score.stages, score.matches
        while score.matches < matches * part / LINES:
            stage = chosen(score, DivisionRule())
            choose(folder, stage)
            results = drawn(stage, strengths, chance)
            settle(folder, stage, results)
            score.add(stage, results)
        spent_ms = 1000 * (process_time() - began)
        print(
            f"{score.matches:9,} {spent_ms / (score.stages - stages):9.1f} "
            f"{spent_ms / (score.matches - before):9.3f} {_memory_mb():10.0f}",
            flush=True,
        )
    began = process_time()
    Score(policy, range(entrants), entrants).read(folder, NO_CHANGES)
    size = (folder / STAGES).stat().st_size >> 20
    print(f"to go on: {process_time() - began:.1f} s for {score.matches:,} matches in {size} MB of {STAGES}")


def _decide(folder: Path) -> None:
    """Admit bots, each in place of the one before, and print what the last ones cost."""
    print(
        "CPU milliseconds; a decision: decided, noted, followed by roster and changes; to go on: the same from the file"
    )
    print(f"{'decisions':>9} {'a decision':>10} {'to go on':>9}", flush=True)
    trail, roster, changes = Trail(folder), Roster(()), ChangesReader(())
    for decisions in (300, 1_000, 3_000, 30_000):
        while len(trail.decisions) < decisions - PROBES:
            _join(trail, roster, changes, decisions - PROBES - len(trail.decisions))
        began = process_time()
        for _ in range(PROBES // 2):
            _join(trail, roster, changes, 2)
        spent_ms = 1000 * (process_time() - began) / PROBES
        began = process_time()
        again = ChangesReader(())
        for decision in read_trail(folder):
            again.read(decision)
        again.changes()
        print(f"{decisions:9,} {spent_ms:10.2f} {1000 * (process_time() - began):9.0f}", flush=True)


def _join(trail: Trail, roster: Roster, changes: ChangesReader, number: int) -> None:
    """Make every second decision one by which a bot joins, and the others ones by which it leaves."""
    first = len(trail.decisions) // 2
    bots = [Entrant(BotVersion(f"b{index}", "1", "0" * 64)) for index in range(first, first + number // 2)]
    made = trail.decide_all(
        "add", "-", (joining(BotTable(path="bots/it", owner="team"), bot, bot.bot.name) for bot in bots), "-"
    )
    made += trail.decide_all("withdraw", "-", (withdrawing(bot.bot, rule="versions") for bot in bots), "-")
    trail.apply(made, len(trail.decisions))
    trail.follow()
    for decision in trail.decisions[-len(made) :]:
        roster.take(decision)
        changes.read(decision)
    changes.changes(trail.pending)


def chosen(score: Score, rule: DivisionRule) -> Stage:
    """Choose a stage as a ladder does."""
    strengths = Strengths.of(score.meetings)
    divisions = rule.divided(score.divisions, strengths.order, score.stages)
    situation = Situation(
        tuple(score.meetings.field), strengths, {}, divisions, {}, SEATS, score.blocks, score.across
    )  # fmt: skip
    tables, across = choose_tables(situation, 0.1, score.blocks)
    return Stage(score.stages, score.blocks, tables, across, divisions)


def drawn(stage: Stage, strengths: Floats, chance: np.random.Generator) -> Results:
    """Draw the results of a stage."""
    seatings = [seating for block in stage.blocks() for seating in keyed_seatings(block)]
    tables = np.array([table for _, table in seatings])
    performances = strengths[tables] + chance.normal(0, 1, tables.shape)
    places = (1 + np.argsort(np.argsort(-performances, axis=1), axis=1)).tolist()
    return {
        key: tuple(SeatOutcome(place, 0.0, fault=False) for place in placed)
        for (key, _), placed in zip(seatings, places, strict=True)
    }


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
