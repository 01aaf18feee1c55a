"""Measures ismcts against planner by the number of simulations of a turn: `python -m tests.bots_sdk.budgets FILE`.

Ismcts, or with `--bot` another bot, and planner alternate around the table, and every seed is played in all seat
rotations. With `--alone`, a seed is one match of a single ismcts among planners, in a seat that moves on with the seed.

Every result is a line of FILE; the same command continues after an interruption. The set-ups and budgets take turns, so
that wherever it ends the table is even. Results do not depend on the machine, the processor time of a turn does.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

from ballcourt import Bot
from ballcourt.arena.match.in_process import UNLIMITED
from ballcourt.bots.ismcts.bot import IsmctsBot
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.rollout.bot import RolloutBot
from ballcourt.bots.trained.bot import TrainedBot
from tests.bots_sdk.ladder import SEATS, block, interval, table

GAMES = ("maya", "tzolkin", "ahau")
BOTS: dict[str, tuple[type[Bot], str]] = {
    "ismcts": (IsmctsBot, "best_move"),
    "rollout": (RolloutBot, "best_plan"),
    "trained": (TrainedBot, "best_move"),
}
"""The bots that can be measured, and the method with which each searches for a turn."""


class Planner(PlannerBot):
    """Planner, which does not get the budget of ismcts."""

    work_limited = False


def timed(bot: Bot, search: str, seconds: list[float]) -> Bot:
    """Have a bot note how much processor time each call of its method `search` takes."""
    searched = getattr(bot, search)

    def noted(*given: object) -> object:
        before = process_time()
        found = searched(*given)
        seconds.append(process_time() - before)
        return found

    setattr(bot, search, noted)
    return bot


def measure(game: str, seats: int, budget: int, seed: int, bot: str, alone: bool) -> dict[str, Any]:
    """Play one seed; return the share of pairs that the bot won, its lead, seconds of a turn."""
    kind, search = BOTS[bot]
    seconds: list[float] = []

    def make(name: str) -> Bot:
        return timed(kind(), search, seconds) if name == bot else Planner()

    clock = replace(UNLIMITED, work=budget)
    if alone:
        shown = block(game, [bot, *["planner"] * (seats - 1)], seed, make, clock, [seed % seats])
    else:
        shown = block(game, table(bot, "planner", seats), seed, make, clock)
    won, lead = shown[bot].above, shown[bot].points - shown["planner"].points
    values = {"game": game, "seats": seats, "budget": budget, "seed": seed, "bot": bot, "alone": alone}
    return {**values, "won": won, "lead": lead, "seconds": fmean(seconds)}


def lines(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Say the strength by game, seats, budget and table."""
    found = defaultdict(list)
    for one in results:
        found[one["game"], one["seats"], one["budget"], one["bot"], one["alone"]].append(one)
    for (game, seats, budget, bot, alone), blocks in sorted(found.items()):
        mean, half = interval([one["won"] for one in blocks])
        lead, spread = interval([one["lead"] for one in blocks])
        seconds = fmean(one["seconds"] for one in blocks)
        yield (
            f"{game}: {'one ' if alone else ''}{bot} above planner, {seats} seats, "
            f"{budget:4} simulations ({seconds:.2f} s): "
            f"{mean:4.0%} ± {half:.0%}, by {lead:.1f} ± {spread:.1f} points ({len(blocks)} seeds)"
        )


def main() -> None:
    """Play what is not in the file yet, then print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots_sdk.budgets", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--budgets", type=int, nargs="+", default=[10, 40])
    parser.add_argument("--seats", type=int, nargs="+", default=SEATS)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--bot", choices=BOTS, default="ismcts")
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()
    bot: str = arguments.bot
    alone: bool = arguments.alone
    arguments.file.touch()
    results = [json.loads(line) for line in arguments.file.read_text().splitlines()]
    played = {
        (one["game"], one["seats"], one["budget"], one["seed"])
        for one in results
        if (one["bot"], one["alone"]) == (bot, alone)
    }
    for seed, seats, budget, game in product(
        range(arguments.seeds), arguments.seats, arguments.budgets, arguments.games
    ):
        if (game, seats, budget, seed) not in played:
            results.append(measure(game, seats, budget, seed, bot, alone))
            with arguments.file.open("a") as file:
                file.write(json.dumps(results[-1]) + "\n")
    print("\n".join(lines(results)))  # noqa: T201


if __name__ == "__main__":
    main()
