"""Every installed game, and the arena's fixture game, keeps every promise of the conformance battery."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.engine.conformance import CHECKS, Check, check
from ballcourt.engine.core import Game
from ballcourt.engine.registry import games
from tests.bluff import GAME as BLUFF

GAMES = [*games().values(), BLUFF]
TABLES = [
    pytest.param(
        game, seats, id=f"{game.name}-{seats}", marks=pytest.mark.slow if seats in game.seat_counts[1:] else ()
    )
    for game in GAMES
    for seats in game.seat_counts
]
"""Larger tables take long; each promise is tried with one seed at tables of all sizes."""

seeds = st.integers(min_value=0, max_value=(1 << 64) - 1)


@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.name)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_keeps_the_promise(game: Game, one: Check) -> None:
    report = check(game, len(game.seat_counts), seed=1, checks=(one,))
    assert [problem for result in report.results for problem in result.problems] == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
@given(seed=seeds)
@settings(max_examples=3, deadline=None, derandomize=True)
def test_a_table_of_any_size_keeps_all_promises_for_any_seed(game: Game, seats: int, seed: int) -> None:
    report = check(game, matches=1, seed=seed, seats=seats)
    assert [problem for result in report.results for problem in result.problems] == []
