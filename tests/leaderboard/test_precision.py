"""How precise ratings will be, before anything is played."""

import numpy as np
import pytest

from ballcourt.arena.tournament.balance import balance
from ballcourt.arena.tournament.formats.balanced import Balanced
from ballcourt.arena.tournament.schedule import Field, Length
from ballcourt.leaderboard.fit.blocks import Blocks
from ballcourt.leaderboard.fit.jackknife import covariance
from ballcourt.leaderboard.fit.model import Model
from ballcourt.leaderboard.fit.pairs import fit_pairs
from ballcourt.leaderboard.precision import expected_half_width
from ballcourt.leaderboard.scale import SIGMA, Z95
from tests.calibrate.worlds import World, draw_bots, play


@pytest.mark.parametrize(("bots", "blocks"), [(12, 60), (12, 240), (50, 300)])
def test_it_foresees_the_intervals_of_a_league_to_a_quarter(bots: int, blocks: int) -> None:
    world, chance, model = World(bots=bots, blocks=blocks), np.random.default_rng(2), Model()
    tables = play(world, draw_bots(world, chance), chance)
    found = Z95 * np.sqrt(np.diag(covariance(Blocks(tables), fit_pairs(tables, model), model))).mean()
    schedule = Balanced(Field(bots, 4), Length("blocks", blocks))
    counted = balance(bots, (table for block in schedule.stage(()) for table in block.tables))
    assert expected_half_width(counted.rating_variance(), 4) == pytest.approx(found, rel=0.25)


def test_without_meetings_it_is_what_is_known_of_a_newcomer() -> None:
    assert expected_half_width(float("inf"), 4) == pytest.approx(Z95 * SIGMA)


def test_four_times_the_meetings_halve_it() -> None:
    assert expected_half_width(0.01, 2) == pytest.approx(2 * expected_half_width(0.0025, 2), rel=0.01)
