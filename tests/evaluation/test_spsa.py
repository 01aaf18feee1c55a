"""The search for better values, with results that are computed instead of played."""

from math import exp
from random import Random

import pytest

from ballcourt.arena.bots.parameters import Parameter
from ballcourt.evaluation.spsa import Spsa, Values

WIDTH, DEPTH = Parameter("width", 0.9, 0.0, 1.0), Parameter("depth", 2, 1, 33)
BEST = {"width": 0.3, "depth": 20}


def strength(values: Values) -> float:
    """How strong a bot is that is best at `BEST`."""
    return -10 * (values["width"] - BEST["width"]) ** 2 - 10 * ((values["depth"] - BEST["depth"]) / 32) ** 2


def duel(search: Spsa, luck: Random) -> float:
    """Return the share of eight duels between the two variants that the first one wins."""
    first, second = map(strength, search.variants())
    chance = 1 / (1 + exp(second - first))
    return sum(luck.random() < chance for _ in range(8)) / 8


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_values_near_the_best_ones_although_results_are_noisy(seed: int) -> None:
    search, luck = Spsa([WIDTH, DEPTH], seed, 400), Random(seed)
    before = strength(search.values)
    for _ in range(400):
        search.learn(duel(search, luck))
    assert strength(search.values) > 0.2 * before


def test_the_two_variants_lie_on_opposite_sides_and_inside_of_the_range() -> None:
    search = Spsa([WIDTH, DEPTH], 1, 100)
    for share in (0.0, 1.0) * 50:
        first, second = search.variants()
        assert first["depth"] != second["depth"]
        for parameter in (WIDTH, DEPTH):
            assert all(parameter.least <= one[parameter.name] <= parameter.most for one in (first, second))
        search.learn(share)


def test_a_tie_moves_nothing_and_equal_results_give_equal_searches() -> None:
    one, other = (Spsa([WIDTH, DEPTH], 7, 10) for _ in range(2))
    one.learn(0.5)
    assert one.values == {"width": 0.9, "depth": 2}
    other.learn(0.5)
    for search in (one, other):
        search.learn(1.0)
    assert one.values == other.values != {"width": 0.9, "depth": 2}
