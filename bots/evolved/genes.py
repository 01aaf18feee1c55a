"""The genes of the programs that `docs/examples/evolve.py` breeds, and their source code."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

Price: TypeAlias = "float | tuple[Price, ...]"

NUMBERS: Final = {"BUDGET": (50, 1600), "REPLIES": (0, 5), "ANSWER": (20, 200), "TRUST": (0, 1)}
START: Final = {"BUDGET": 100.0, "REPLIES": 0.0, "ANSWER": 60.0, "TRUST": 0.5}
OWN: Final = "now.scores()[seat]"
PLANNED: Final = "planned(now)"
TERMS: Final = {
    "": (OWN, "lead(now.scores(), seat)", PLANNED, "greedy.value(now, seat)"),
    "maya": ("greedy.planting(now, seat)", "greedy.open_cities(now, seat)"),
    "tzolkin": ("greedy.workers(now.slots, now.players[seat], seat)", "sum(now.players[seat]) / 10"),
    "ahau": ("greedy.holdings(now, seat)", "greedy.markers(now, seat)", "greedy.majorities(now, seat)"),
}
TEXT: Final = '''\
"""Values of positions, as `docs/examples/evolve.py` bred them."""

from collections.abc import Callable

from {home}prices import priced
from ballcourt.bots.greedy import {game} as greedy
from ballcourt.bots.leads import lead
from ballcourt.engine.games.{game}.state import {state}

{numbers}
planner = priced("ballcourt.bots.planner.{game}"{prices})
is_follow_up, ends_turn, fingerprint = planner.is_follow_up, planner.ends_turn, planner.fingerprint
{search}


def appraiser(state: {state}, seat: int) -> Callable[[{state}], float]:
    """Return a function that values the positions of a turn that begins here."""
    planned = planner.appraiser(state, seat)

    def value(now: {state}) -> float:
        return float({terms})

    return value
'''
PLAYER: Final = """

import sys

from ballcourt.bots.evolved.bot import EvolvedBot


class Mine(EvolvedBot):
    def match_started(self) -> None:
        self.game, self.plan = sys.modules[__name__], ()
"""


@dataclass(frozen=True)
class Genes:
    """The numbers, prices and terms of a program."""

    game: str
    numbers: dict[str, float] = field(default_factory=lambda: dict(START))
    prices: dict[str, Price] = field(default_factory=dict)
    terms: dict[str, float] = field(default_factory=lambda: {OWN: 1.0})

    def module(self, home: str = ".") -> str:
        """Return the source of the game's module; `home` is the package from which it imports `prices`."""
        kept = {name: round(value, 2) if name == "TRUST" else round(value) for name, value in self.numbers.items()}
        return TEXT.format(
            home=home,
            game=self.game,
            state=f"{self.game.title()}State",
            search="Search = planner.Search" if self.game == "ahau" else "",
            numbers="\n".join(f"{name} = {value}" for name, value in kept.items()),
            prices="".join(f", {name}={value}" for name, value in sorted(self.prices.items())),
            terms=" + ".join(f"{weight} * {term}" for term, weight in sorted(self.terms.items())),
        )

    def program(self) -> str:
        """Return the source of a bot that plays by these genes."""
        return self.module("ballcourt.bots.evolved.") + PLAYER
