"""Tunes the prices of planner by duels with planner itself, as the bot evolved plays them in Tzolk'in.

    python docs/examples/tune_prices.py tzolkin --seats 2 --budget 100 --minutes 60 --out tuned.json

Prices are multiplied by factors whose logarithms a separable CMA-ES searches (Ros and Hansen 2008; `pip install
cmaes`). All candidates of a generation meet the same deals, from every seat, so that luck is not what tells them apart.
What counts is the lead in points and the share of duels. Every generation is a line of the file, and the same command
continues. It needs no referee: planner chooses by `ballcourt.bots.policies`.
"""

import json
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from types import ModuleType
from typing import Any, Final

import numpy as np
from cmaes import SepCMA

from ballcourt.bots.evolved.prices import priced
from ballcourt.bots.policies import Planner
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

SPREAD, CANDIDATES, DEALS = 0.18, 16, 5
"""The first deviation of the logarithms, and of each generation the candidates and the deals."""
DUELS: Final = 20.0
"""How many points are worth as much as winning all duels instead of none."""


class Tuned(Planner):
    """Planner with other prices."""

    def __init__(self, game: str, luck: int, budget: int, module: ModuleType) -> None:
        super().__init__(game, luck, budget)
        self._game = module


class Prices:
    """The prices of planner in a game, as a list of numbers."""

    def __init__(self, game: str) -> None:
        self.module = f"ballcourt.bots.planner.{game}"
        values = vars(import_module(self.module))
        self._values = {name: value for name, value in values.items() if name.isupper() and _is_price(value)}
        self.numbers = [*_flat(self._values.values())]

    def times(self, logarithms: Iterable[float]) -> dict[str, Any]:
        """Return the prices by name, multiplied by factors of which the logarithms are given."""
        numbers = (price * exp(factor) for price, factor in zip(self.numbers, logarithms, strict=True))
        return {name: _filled(value, numbers) for name, value in self._values.items()}

    def load(self, prices: Mapping[str, Any]) -> ModuleType:
        """Return planner's knowledge of the game with these prices."""
        return priced(self.module, **prices)


def duel(rules: Game, module: ModuleType, seats: int, deal: int, seat: int, budget: int) -> tuple[float, float]:
    """Play a match of one tuned planner among others; return its lead in points, and its share of duels."""
    state = rules.initial_state(seats, deal, rules.check(seats, {}))
    tuned, others = Tuned(rules.name, deal, budget, module), Planner(rules.name, deal, budget)
    while pending := state.pending_seats():
        state.apply(pending[0], (tuned if pending[0] == seat else others)(state, pending[0]))
    points = state.scores()
    rivals = [score for other, score in enumerate(points) if other != seat]
    won = fmean((points[seat] > score) + (points[seat] == score) / 2 for score in rivals)
    return points[seat] - fmean(rivals), won


def fitness(rules: Game, module: ModuleType, seats: int, deals: Sequence[int], budget: int) -> tuple[float, float]:
    """Return the mean lead in points and the mean share of duels over deals, from every seat of each."""
    played = [duel(rules, module, seats, deal, seat, budget) for deal in deals for seat in range(seats)]
    leads, shares = zip(*played, strict=True)
    return fmean(leads), fmean(shares)


def _is_price(value: object) -> bool:
    """Whether a constant is a guess of planner: a float, or a tuple of such."""
    return all(map(_is_price, value)) if isinstance(value, tuple) else isinstance(value, float)


def _flat(values: Iterable[Any]) -> Iterable[float]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value


def _filled(like: Any, numbers: Iterable[float]) -> Any:  # noqa: ANN401  # a price
    return tuple(_filled(value, numbers) for value in like) if isinstance(like, tuple) else next(iter(numbers))


def main() -> None:
    """Tune until the time is over, and print the prices that are the mean of the last generation."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--budget", type=int, default=100, help="actions tried for a turn")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--out", type=Path, required=True, help="a line of JSON for each generation")
    given = parser.parse_args()
    rules, prices = find_game(given.game), Prices(given.game)
    end = time.monotonic() + 60 * given.minutes
    lines = given.out.read_text().splitlines() if given.out.exists() else []
    search = SepCMA(np.zeros(len(prices.numbers)), SPREAD, seed=1, population_size=CANDIDATES)
    for line in lines:  # the same candidates were asked, and did as well
        candidates = [search.ask() for _ in range(CANDIDATES)]
        search.tell([*zip(candidates, json.loads(line)["costs"], strict=True)])
    while time.monotonic() < end:
        deals = [Random(len(lines) * DEALS + number).getrandbits(62) for number in range(DEALS)]
        candidates = [search.ask() for _ in range(CANDIDATES)]
        modules = [prices.load(prices.times(one)) for one in candidates]
        found = [fitness(rules, module, given.seats, deals, given.budget) for module in modules]
        costs = [-(lead + DUELS * share) for lead, share in found]
        search.tell([*zip(candidates, costs, strict=True)])
        lead, share = fmean(lead for lead, _ in found), fmean(share for _, share in found)
        mean = prices.times(search.mean)
        lines.append(json.dumps({"costs": costs, "lead": lead, "share": share, "prices": mean}))
        with given.out.open("a") as file:
            file.write(lines[-1] + "\n")
        print(f"generation {len(lines)}: {share:.1%} of duels, {lead:+.1f} points")  # noqa: T201
    print(json.dumps(json.loads(lines[-1])["prices"] if lines else {}))  # noqa: T201


if __name__ == "__main__":
    main()
