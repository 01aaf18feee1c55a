"""Whether playouts rank the best plans of a turn better than planner's own worth does, and how many it takes.

    nice -n 19 python -m tests.bench.labels FOLDER            goes on where it stopped; a line of JSON for a position
    python -m tests.bench.labels FOLDER --table               prints what has been found

A position is the beginning of a turn in a match of planners. Its best plans are played out by greedy and by planner,
each time from another sample of what the seat cannot see, which all plans share. Playouts that choose never judge.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev, variance
from sys import stdout
from time import process_time
from typing import Any, Final

from ballcourt.bots.ismcts.turns import follow
from ballcourt.bots.leads import lead
from ballcourt.bots.policies import Greedy, Planner
from ballcourt.bots.sdk.python.knowledge import files_of, knowledge
from ballcourt.engine.core import Game, State, Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import Policy, playouts
from ballcourt.engine.registry import find_game
from tests.bench.measure import COMPILED

GAMES: Final = ("tzolkin", "maya", "ahau")
SEATS: Final = (2, 4, 3)
PLANS: Final = 5
WORLDS: Final = 48
CHOOSING: Final = (2, 8, 32)
"""How many playouts choose; the rest of WORLDS judges."""
QUICK: Final = 60
"""The actions that planner tries for a turn of a playout, and of the match that leads to a position."""

Table = list[list[float]]
"""A number for each plan and world."""
Found = dict[str, Any]


def main() -> None:
    """Measure positions, or print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.labels", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the findings are kept")
    parser.add_argument("--table", action="store_true", help="print what has been found, and end")
    parser.add_argument("--positions", type=int, default=400, help="of the table that has most (default 400)")
    given = parser.parse_args()
    file: Path = given.folder / "labels.jsonl"
    known = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    if given.table:
        stdout.write("".join(f"{line}\n" for line in table(known)))
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    while (place := next_of(known))[2] < given.positions:
        known.append(measured(*place))
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(known[-1]) + "\n")


def next_of(known: Sequence[Found]) -> tuple[str, int, int]:
    """Return game, seats and number of the next position: all tables get equal time, those of three a third of it."""
    spent, counts = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for found in known:
        table = found["game"], found["seats"]
        counts[table] += 1
        spent[table] += (3 if found["seats"] == 3 else 1) * found["cpu_s"]
    game, seats = min(((game, seats) for seats in SEATS for game in GAMES), key=lambda table: spent[table])
    return game, seats, counts[game, seats]


def measured(game: str, seats: int, number: int) -> Found:
    """Return what planner and playouts make of the best plans of one turn."""
    began, rules = process_time(), find_game(game)
    state, seat, plans = situation(rules, seats, Random(f"{game} {seats} {number}"))
    policies: dict[str, Policy] = {"greedy": partial(Greedy, game), "planner": partial(Planner, game, budget=QUICK)}
    found: Found = {"game": game, "seats": seats, "number": number, "compiled": COMPILED}
    found["worths"] = [worth for _, worth in plans]
    for name, policy in policies.items():
        since = process_time()
        ends = [tried(rules, state, seat, plans, policy, luck) for luck in range(WORLDS)]
        points, duels = zip(*ends, strict=True)
        found[name] = {"points": transposed(points), "duels": transposed(duels), "cpu_s": process_time() - since}
    return {**found, "cpu_s": process_time() - began}


def situation(rules: Game, seats: int, chance: Random) -> tuple[State, int, list[tuple[tuple[int, ...], float]]]:
    """Return a position in which a turn begins, the seat, and its best plans with their worths, the best first."""
    package = files_of("planner")
    search: Any = __import__(f"{package}.search", fromlist=["search"])
    turns = list[tuple[State, int]]()
    while True:
        luck = chance.getrandbits(64)
        state, player, last = rules.initial_state(seats, luck), Planner(rules.name, luck, QUICK), -1
        while pending := state.pending_seats():
            seat = pending[0]
            if seat != last and len(state.legal_actions(seat)) > 1:
                turns.append((state.clone(), seat))
            last = seat
            state.apply(seat, player(state, seat))
        for state, seat in chance.sample(turns, 5):
            sample = rules.sample(observe(state, seat), Stream(chance.getrandbits(64)))
            plans = search.plans_for(knowledge(package, rules.name), sample, seat, search.BUDGET)
            best: dict[tuple[int, ...], float] = {}
            for plan in sorted(plans, key=lambda plan: -plan.worth):
                best.setdefault(tuple(step.action for step in plan.steps), plan.worth)
            if len(best) >= PLANS:
                return state, seat, list(best.items())[:PLANS]


def tried(
    rules: Game, state: State, seat: int, plans: Sequence[tuple[tuple[int, ...], float]], policy: Policy, luck: int
) -> tuple[list[float], list[float]]:
    """Return by plan the lead in points at the end and the share of opponents beaten, in one world."""
    world = rules.sample(observe(state, seat), Stream(luck))
    siblings = []
    for actions, _ in plans:
        siblings.append(world.clone())
        follow(siblings[-1], seat, actions)  # what a world forbids, the policy decides
    ends = [end for (end,) in playouts(siblings, policy, [luck])]
    return [lead(end.scores, seat) for end in ends], [(1 + end.returns[seat]) / 2 for end in ends]


def transposed(rows: Sequence[Sequence[float]]) -> Table:
    return [[round(value, 4) for value in column] for column in zip(*rows, strict=True)]


# -- the table


def table(known: Sequence[Found]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"{PLANS} best plans, {WORLDS} worlds; gains are over planner's choice, 95 % intervals over positions"
    for game in GAMES:
        for seats in sorted(SEATS):
            positions = [found for found in known if (found["game"], found["seats"]) == (game, seats)]
            if len(positions) > 1:
                cost = fmean(found["cpu_s"] for found in positions)
                yield f"{game}, {seats} seats: {len(positions)} positions, {cost:.1f} s of a processor each"
                yield from (f"  {line}" for name in ("greedy", "planner") for line in of_policy(positions, name))


def of_policy(positions: Sequence[Found], name: str) -> Iterator[str]:
    """Yield what playouts by one policy show."""
    points = [found[name]["points"] for found in positions]
    signal, noise = (fmean(parts) for parts in zip(*map(spread, points), strict=True))
    pairs = [correlation(found["worths"], means(found[name]["points"])) for found in positions]
    related = interval([pair for pair in pairs if pair is not None], ".2f")
    first = fmean(best(means(one)) == 0 for one in points)
    yield (
        f"{name}: plans differ by {sqrt(2 * max(0.0, signal)):.1f} points, a paired playout deviates by "
        f"{sqrt(2 * noise):.1f}; planner's worth correlates {related}, its first is theirs in {first:.0%}"
    )
    for count in CHOOSING:
        for judge in ("greedy", "planner"):
            parts = []
            for measure, scale, unit in (("points", 1, "points"), ("duels", 100, "% of duels")):
                gains = [scale * gain(found, name, count, judge, measure) for found in positions]
                parts.append(f"{interval(gains, '+.2f')} {unit}")
            yield f"  by {count:2} of {name}, judged by {judge:7}: {', '.join(parts)}"


def gain(found: Found, name: str, count: int, judge: str, measure: str) -> float:
    """Return what a choice by `count` playouts gains over planner's, by those that did not choose, in the mean."""
    points, judged = found[name]["points"], found[judge][measure]
    gains = []
    for begin in range(0, WORLDS - count + 1, count):
        choosing = range(begin, begin + count)
        chosen = best([fmean(row[begin : begin + count]) for row in points])
        gains += [fmean(judged[chosen][world] - judged[0][world] for world in range(WORLDS) if world not in choosing)]
    return fmean(gains)


def spread(points: Table) -> tuple[float, float]:
    """Return the variance between plans, without that of chance, and that of a playout once its world is deducted."""
    noise = fmean(
        variance([a - b for a, b in zip(one, other, strict=True)]) / 2 for one, other in combinations(points, 2)
    )
    return variance(means(points)) - noise / len(points[0]), noise


def correlation(some: Sequence[float], others: Sequence[float]) -> float | None:
    """Return the correlation of two rows; None if one of them does not vary."""
    pairs = [(one - fmean(some), other - fmean(others)) for one, other in zip(some, others, strict=True)]
    size = sqrt(sum(one**2 for one, _ in pairs) * sum(other**2 for _, other in pairs))
    return sum(one * other for one, other in pairs) / size if size else None


def interval(values: Sequence[float], form: str) -> str:
    half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return f"{format(fmean(values), form)} ± {format(half, form.lstrip('+'))}"


def means(rows: Table) -> list[float]:
    return [fmean(row) for row in rows]


def best(values: Sequence[float]) -> int:
    return values.index(max(values))


if __name__ == "__main__":
    main()
