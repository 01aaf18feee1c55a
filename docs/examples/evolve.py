"""Breeds bots without a language model: mutation of numbers and of code over an archive, judged by the evaluator.

    python docs/examples/evolve.py maya --against greedy planner --minutes 60 --out maya.py

It begins with a program that counts its points. A child changes the numbers of its parent, the prices of planner that
it uses and the terms of its sum, pieces of code from greedy and planner. Every generation plays the survivors on more
deals, so that luck alone does not stay. The archive is that of MAP-Elites (Mouret and Clune 2015): its points and those
of the others give a program a cell of a grid, and each cell keeps its best one. When one beats an opponent, the next
opponent takes its place. In the end the elites race, and the winner is judged on deals that no candidate has met.
"""

import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import count
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, TypeAlias

from ballcourt import Evaluator
from ballcourt.arena.records.decisions import termination
from ballcourt.evaluation.assessment import Assessment
from ballcourt.evaluation.terms import candidate_seats

CHILDREN, CROSSED = 6, 0.2
FIRST: Final = 12
"""Matches for a child; a survivor gets as many again in every generation, up to MOST times."""
MOST: Final = 10
KEPT, RACED, JUDGED = 4, "60 matches", "200 matches"
"""Elites that race at the end, for how many matches, and the most that judge the winner."""
POINTS, STYLES = 160.0, 6
"""The most points on each side of the archive, and its cells: the candidate's points, and those of the others."""

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


class Breeder:
    """Makes children of programs."""

    def __init__(self, game: str, chance: Random) -> None:
        planner = vars(import_module(f"ballcourt.bots.planner.{game}"))
        self.prices = {name: value for name, value in planner.items() if name.isupper() and is_price(value)}
        self.terms = (*TERMS[""], *TERMS[game])
        self.chance = chance

    def child(self, one: Genes, other: Genes) -> Genes:
        """Return a child of two programs: the one, now and then with what the other uses, and changed."""
        if self.chance.random() < CROSSED:
            one = replace(one, prices=one.prices | other.prices, terms=one.terms | other.terms)
        ways = (self.number, self.price, self.weight, self.term, self.term)
        for way in self.chance.choices(ways, k=self.chance.randint(1, 3)):
            one = way(one)
        return one

    def number(self, genes: Genes) -> Genes:
        """Change a number of the search."""
        name, (low, high) = self.chance.choice([*NUMBERS.items()])
        drawn = self.chance.uniform(low, high) if self.chance.random() < 0.3 else self.scaled(genes.numbers[name])
        return replace(genes, numbers=genes.numbers | {name: min(float(high), max(float(low), drawn))})

    def price(self, genes: Genes) -> Genes:
        """Change a price of planner; the program uses its values from now on."""
        name = self.chance.choice([*self.prices])
        changed = self.changed(genes.prices.get(name, self.prices[name]))
        return replace(genes, prices=genes.prices | {name: changed}, terms={PLANNED: 1.0} | genes.terms)

    def weight(self, genes: Genes) -> Genes:
        """Change the weight of a term."""
        term = self.chance.choice([*genes.terms])
        return replace(genes, terms=genes.terms | {term: self.scaled(genes.terms[term])})

    def term(self, genes: Genes) -> Genes:
        """Add a piece of code, or leave one out."""
        term = self.chance.choice(self.terms)
        if term not in genes.terms:
            return replace(genes, terms=genes.terms | {term: round(self.chance.uniform(0.1, 1.5), 3)})
        return replace(genes, terms={one: genes.terms[one] for one in genes.terms if one != term} or genes.terms)

    def changed(self, price: Price) -> Price:
        if isinstance(price, float):
            return self.scaled(price)
        at = self.chance.randrange(len(price))
        return (*price[:at], self.changed(price[at]), *price[at + 1 :])

    def scaled(self, value: float) -> float:
        return round(value * exp(self.chance.gauss(0, 0.4)) if value else self.chance.gauss(0.5, 0.5), 3)


def is_price(value: object) -> bool:
    """Return whether a constant is a float, or a tuple of such."""
    return isinstance(value, float) or (isinstance(value, tuple) and bool(value) and all(map(is_price, value)))


def cell_of(arena: Evaluator, program: str) -> tuple[int, int] | None:
    """Return the cell of a program, by its mean points and those of the others; None if it lost every seat."""
    own, others = list[float](), list[float]()
    for record in arena.records(program):
        for seat in candidate_seats(record):
            if termination(record, seat) == "OK":
                own.append(record.results[seat].score)
                others += [result.score for at, result in enumerate(record.results) if at != seat]
    return (cell(fmean(own)), cell(fmean(others))) if own else None


def cell(points: float) -> int:
    """Return the number of the cell along one side, from 0; what is beyond an end is in the last cell there."""
    return min(max(int(STYLES * points / POINTS), 0), STYLES - 1)


def elites_of(arena: Evaluator, budgets: dict[str, str]) -> list[tuple[str, Assessment]]:
    """Evaluate programs, each for its budget, and return the best one of each cell, the best first.

    One that seems better than what has its cell plays as many matches before it is believed: of many children with few
    matches, some are lucky.
    """
    grid: dict[tuple[int, int], tuple[str, Assessment]] = {}
    for program, budget in budgets.items():
        found = arena.evaluate(program, budget)
        place = cell_of(arena, program)
        _, rival = grid.get(place, (program, found))
        if found.mean > rival.mean:
            found = arena.evaluate(program, f"{max(found.matches, rival.matches)} matches")
        if place and (place not in grid or found.mean > rival.mean):
            grid[place] = program, found
    return sorted(grid.values(), key=lambda elite: -elite[1].mean)


def evolve(arena: Evaluator, breeder: Breeder, first: list[Genes], until: float, out: Path) -> list[Genes]:
    """Breed until a program beats the opponent, or until a time; return the elites, the best first."""
    ages: Counter[str] = Counter()
    known = {genes.program(): genes for genes in first}
    before: list[str] = []
    for generation in count(1):
        ages.update(program for program in known if ages[program] < MOST)
        elites = elites_of(arena, {program: f"{FIRST * ages[program]} matches" for program in known})
        names, best = [program for program, _ in elites], elites[0][1]
        print(f"{generation}. {len(elites)} elites: {best}", flush=True)  # noqa: T201
        out.write_text(known[names[0]].module(), encoding="utf-8")
        if best.low > 0.5 or time.monotonic() > until:
            break
        pairs = [(breeder.chance.choice(names), breeder.chance.choice(names)) for _ in range(CHILDREN)]
        children = [breeder.child(known[one], known[other]) for one, other in pairs]
        survivors = {name: known[name] for name in [*names, *before]}  # an elite has a second chance
        before, known = names, survivors | {genes.program(): genes for genes in children}
    return [known[name] for name in names]


def winner(arena: Evaluator, elites: list[Genes]) -> Genes:
    """Race elites, and return the best one."""
    named = {arena.evaluate(genes.program(), "1 matches").content_hash: genes for genes in elites}
    if len(named) == 1:
        return elites[0]
    *_, last = arena.race([genes.program() for genes in named.values()], budget=RACED)
    return named[last.left[0].content_hash]


def main() -> None:
    """Breed against one opponent after another; write the best module, and print what it reaches on fresh deals."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(set(TERMS) - {""}))
    parser.add_argument("--against", nargs="+", default=["greedy"])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, help="keeps what was played, so that the same command goes on")
    parser.add_argument("--out", type=Path, required=True)
    given, until = parser.parse_args(), time.monotonic()
    breeder, elites = Breeder(given.game, Random(given.seed)), [Genes(given.game)]
    with ExitStack() as stack:
        evaluators = [Evaluator(given.game, opponents=[one], workers=1, cache=given.cache) for one in given.against]
        for arena in map(stack.enter_context, evaluators):
            elites = evolve(arena, breeder, elites, until + 60 * given.minutes, given.out)
        best = winner(arena, elites[:KEPT])
        given.out.write_text(best.module(), encoding="utf-8")
        for arena in evaluators:
            print(arena.evaluate(best.program(), JUDGED, fresh=True, better_than=0.5), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
