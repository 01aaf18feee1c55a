"""Random matches reach the branches of the rules."""

import pytest

from tests.bench.measure import COMPILED
from tests.engine.games.ahau.branches import Rulings, count, expected

RARE = {
    *("asked ForcedDiscard", "asked QueenWindow", "asked Replace", "asked TradeWilds"),
    *("end by last round", "end by third K'atun"),
}
"""Branches rarely reached at random, such as Roles, dances and a few buildings; the rule tests reach them."""


@pytest.mark.slow
def test_random_matches_reach_most_branches() -> None:
    """All questions, gods and modes are reached, and no branch has an unknown name."""
    counted = count(range(60))
    assert {branch for branch in counted if not branch.startswith("automaton")} <= expected()
    kinds = ("asked", "summoned", "scoring tile", "seats", "end by")
    missed = {branch for branch in expected() - counted.keys() if branch.startswith(kinds)}
    assert missed <= RARE


@pytest.mark.skipif(COMPILED, reason="compiled functions are not traced")
def test_rulings_are_counted_by_the_functions_that_cite_them() -> None:
    rulings = Rulings()
    assert len(rulings.known()) == 65
    assert count([1], rulings)["ruling R-07"] == 1
