"""Strength against budget."""

import numpy as np
import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.evaluation.scaling import scaling
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult, SeatResult
from ballcourt.leaderboard.model.scale import BETA
from ballcourt.leaderboard.pages.charts import as_file, budgets_chart

STRENGTHS = {"w1": 0.0, "w2": 3.0, "w8": 9.0, "other": 4.0}
"""Three points per doubling from 1 over 2 to 8."""
BUDGETS = {"w8": 8.0, "w1": 1.0, "w2": 2.0}


def played(blocks: int, times: float = 1.0) -> list[MatchResult]:
    """Play all pairs of entrants, whose strengths are known, in blocks of two matches.

    `times` is how many times as long a bot thinks that is three points stronger.
    """
    chance, names = np.random.default_rng(1), [*STRENGTHS]
    return [
        _match(f"b{block * 6 + pair:06d}-r{turn}", (one, other)[:: 1 - 2 * turn], chance, times)
        for block in range(blocks)
        for pair, (one, other) in enumerate((a, b) for at, a in enumerate(names) for b in names[at + 1 :])
        for turn in (0, 1)
    ]


def _match(key: str, table: tuple[str, ...], chance: np.random.Generator, times: float) -> MatchResult:
    shown = {name: chance.normal(STRENGTHS[name], BETA) for name in table}
    places = {name: place for place, name in enumerate(sorted(table, key=lambda name: -shown[name]), 1)}
    think_us = {name: round(2000 * times ** (STRENGTHS[name] / 3)) for name in table}
    seats = [
        SeatResult(BotVersion(name, "1", "00"), places[name], 0.0, False, think_us=think_us[name]) for name in table
    ]
    return MatchResult(key, key, key, Ladder("bluff", "1", 2, ()), tuple(seats))


def test_points_per_doubling_are_found_with_their_errors() -> None:
    found = scaling(played(60), BUDGETS)
    assert [one.budget for one in found.curve] == [1, 2, 8]
    for slope in (found.curve[1].per_doubling, found.curve[2].per_doubling, found.per_doubling):
        assert slope is not None
        assert abs(slope.value - 3) < 2.6 * slope.error < 3
    assert found.per_doubling.error < found.curve[1].rating.error
    assert (found.curve[0].per_doubling, found.curve[0].think_ms, found.curve[0].matches) == (None, 2.0, 360)
    assert [*found.opponents] == ["other"]
    assert len([*found.rows("work")]) == 4


def test_points_per_doubling_of_think_time_are_found_if_it_differs() -> None:
    assert scaling(played(8), BUDGETS).per_doubling_of_time is None
    found = scaling(played(8, times=4.0), BUDGETS)
    assert found.per_doubling_of_time
    assert found.per_doubling_of_time.value == pytest.approx(found.per_doubling.value / 2)


def test_a_budget_that_has_not_played_is_named() -> None:
    with pytest.raises(LeaderboardError, match="there is no match of w16 yet"):
        scaling(played(1), {**BUDGETS, "w16": 16.0})


def test_the_plot_is_a_file_of_its_own_with_every_budget() -> None:
    drawn = as_file(budgets_chart([(15, 20.0, 0.5), (40, 23.0, 0.5), (800, 30.3, 0.4)], "work"))
    assert drawn.startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in drawn
    assert all(f">{budget}</text>" in drawn for budget in (15, 40, 800))
    assert drawn.count("<circle") == 3
