"""What a seat is worth, from leagues in which that is known."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import seat_covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.studies.seats import explanation, seat_results, to_csv, to_table
from tests.calibrate.worlds import WORLDS, draw_bots, play
from tests.leaderboard.made import alone, entrant, match, random_tables


@pytest.mark.slow
@pytest.mark.parametrize("world", ["Maya's seats", "Maya's seats doubled, no rotation"])
def test_intervals_of_effects_hold_the_truth(world: str) -> None:
    chance, model = np.random.default_rng(6), TrueSkill()
    truth = np.array(WORLDS[world].seat_effects)
    errors = []
    for _ in range(60):
        tables = play(WORLDS[world], draw_bots(WORLDS[world], chance), chance)
        fit = fit_pairs(tables, model)
        known = np.sqrt(np.diag(seat_covariance(Blocks(tables), fit, model)))
        errors.append((fit.seat - fit.seat.mean() - truth) / known)
    assert 0.9 < (np.abs(errors) < 1.96).mean() < 0.995
    assert abs(np.mean(errors)) < 0.5


def test_the_best_seat_of_a_game_is_found_with_any_bot_there() -> None:
    """Ann is better and sits in the worse seat more often."""
    first, second = match("m", "ann", "bob"), match("m", "bob", "ann")
    mirrored = replace(first, seats=first.seats[::-1])
    played = [first] * 30 + [mirrored] * 60 + [replace(second, seats=second.seats[::-1])] * 40 + [second] * 5
    rows = seat_results([replace(one, key=f"m{n}", deal=f"d{n}", identity=f"{n}") for n, one in enumerate(played)])
    assert rows[0].effect == pytest.approx(-rows[1].effect)
    assert sum(row.share.value for row in rows) == pytest.approx(1)
    assert "in seat 0 is placed above the one in seat 1" in explanation(rows)


def test_the_interval_of_an_effect_reaches_1_96_standard_errors_to_either_side() -> None:
    for row in seat_results(random_tables(np.random.default_rng(3), bots=6, blocks=40)):
        assert row.error > 0
        assert row.high - row.effect == pytest.approx(1.96 * row.error, rel=1e-3)
        assert row.effect - row.low == pytest.approx(1.96 * row.error, rel=1e-3)


def test_the_shares_of_a_bot_are_those_of_its_own_seats() -> None:
    played = random_tables(np.random.default_rng(2), bots=6, blocks=40)
    bot = entrant("bot01")
    rows = seat_results(played, bot)
    meetings = [3 * sum(one.seats[seat].entrant == bot for one in played) for seat in range(4)]
    assert [row.share.meetings for row in rows] == meetings
    assert [row.effect for row in rows] == [row.effect for row in seat_results(played)]
    assert to_table(played[0].ladder, rows, "bot01 1").row_count == 4
    assert len(list(csv.DictReader(io.StringIO(to_csv({played[0].ladder: rows}))))) == 4


def test_a_game_for_one_seat_has_no_seats_to_compare() -> None:
    assert seat_results([alone("d", "ann", 6), alone("d", "bob", 2)]) == []
