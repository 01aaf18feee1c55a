"""Simulated races: how often the winner is about as good as the best, and for how many matches."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from ballcourt.evaluation.assessment import HOPELESS, Budget, Conclusion, verdict_of
from ballcourt.evaluation.betting import Floats
from ballcourt.evaluation.evidence import Method, curves
from ballcourt.evaluation.ledger import KeptBlock
from ballcourt.evaluation.race import Race
from tests.calibrate.versions import Draw, shown

NEAR = 0.02
"""A winner is right if it wins at most this much less of its duels than the best one."""
SPREADS = (0.2, 0.4, 0.8)
"""Standard deviations of the strengths in a field, where a performance has 1."""


@dataclass
class Field:
    """A field of candidates who play an opponent for two seats on shared deals, which suit some more than others."""

    strengths: Floats
    chance: np.random.Generator
    by_points: bool = False
    """Whether a block shows what margins are worth instead of who won."""

    @property
    def truth(self) -> Floats:
        """The shares of duels that they win."""
        return np.array([NormalDist().cdf(strength / sqrt(2)) for strength in self.strengths])

    def block(self, candidates: list[int]) -> dict[int, float]:
        """Play a block: the opponent's performance in each seat is the same for all."""
        opponent = self.chance.standard_normal(2)
        own = self.strengths[candidates][:, None] + self.chance.standard_normal((len(candidates), 2))
        means = shown(own - opponent, by_points=self.by_points).mean(axis=1)
        return dict(zip(candidates, means.tolist(), strict=True))

    def is_right(self, winner: int) -> bool:
        """Whether a winner is about as good as the best."""
        return bool(self.truth[winner] >= self.truth.max() - NEAR)


@dataclass(frozen=True, slots=True)
class Nulls:
    """How evaluations of candidates fared that are not better: shares, and the mean number of blocks."""

    better: float
    hopeless: float
    blocks: float


def nulls(draw: Draw, evaluations: int, most: int = 400) -> Nulls:
    """Simulate evaluations with `better_than` 0.5 that look after every block, of at most `most` blocks."""
    chance, asked = np.random.default_rng(5), Budget(better_than=0.5)
    found = []
    for _ in range(evaluations):
        shares = draw(chance, (1, most))[0]
        blocks = [KeptBlock(float(share), 2, 2, 0, 0, 0, 0) for share in shares]
        better, short = (side >= 1 for side in curves(shares, asked.question, Method.BETTING))
        _, lost = (side >= 1 for side in curves(shares, HOPELESS, Method.BETTING))
        over = np.flatnonzero(better | short | lost)
        end = int(over[0]) + 1 if over.size else most
        found.append((verdict_of(blocks[:end], asked)[0], end))
    verdicts = [verdict for verdict, _ in found]
    share = {name: verdicts.count(name) / evaluations for name in (Conclusion.BETTER, Conclusion.HOPELESS)}
    return Nulls(share[Conclusion.BETTER], share[Conclusion.HOPELESS], float(np.mean([end for _, end in found])))


def fields(count: int, candidates: int, spread: float, *, by_points: bool = False) -> list[Field]:
    """Draw fields."""
    chance = np.random.default_rng(11)
    return [
        Field(chance.normal(0, spread, candidates), np.random.default_rng(seed), by_points) for seed in range(count)
    ]


def raced(field: Field, blocks: int) -> tuple[bool, int]:
    """Run a race for one winner; return whether it is right, and the blocks that were played."""
    race = Race(len(field.strengths), 1, blocks)
    played = 0
    while not race.is_over:
        played += len(race.alive)
        race.learn(field.block(race.alive))
    return field.is_right(race.ranked()[0]), played


def put_out(races: int, candidates: int, blocks: int) -> float:
    """Return in what share of races one of the best leaves by bets, where all candidates are equally good."""
    out = 0
    for seed in range(races):
        field = Field(np.zeros(candidates), np.random.default_rng(seed))
        race = Race(candidates, 1, 100 * candidates * blocks)  # no round ends
        for _ in range(blocks):
            if 0 in race.alive and len(race.alive) > 1:
                race.learn(field.block(race.alive))
        out += 0 not in race.alive
    return out / races


def even_split(count: int, candidates: int, spread: float, wanted: float) -> int:
    """Return the blocks that an even split takes until the winner is right in the wanted share of fields."""
    drawn = fields(count, candidates, spread)
    won = np.zeros((count, candidates))
    each = 0
    while True:
        each += 1
        for row, field in enumerate(drawn):
            block = field.block(list(range(candidates)))
            won[row] += [block[one] for one in range(candidates)]
        if (
            each % 5 == 0
            and np.mean([field.is_right(int(won[row].argmax())) for row, field in enumerate(drawn)]) >= wanted
        ):
            return each * candidates
