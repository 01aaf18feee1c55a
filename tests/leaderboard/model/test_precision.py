"""How precise ratings are and will be."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from ballcourt.arena.tournament.schedules.balance import balance
from ballcourt.arena.tournament.schedules.formats.balanced import schedule as balanced
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    PlayedMatch,
    SeatOutcome,
    keyed_seatings,
)
from ballcourt.arena.tournament.schedules.stop import Rule, Separated, Within
from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.questions import log_evidence
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.precision import (
    Precision,
    _are_separated,
    expected_half_width,
    tables_in,
    variance_for,
)
from ballcourt.leaderboard.model.scale import BETA, SIGMA, Z95
from tests.calibrate.worlds import World, draw_bots, play


@pytest.mark.parametrize(("bots", "blocks"), [(12, 60), (12, 240), (50, 300)])
def test_it_foresees_the_intervals_of_a_league_to_a_quarter(bots: int, blocks: int) -> None:
    world, chance, model = World(bots=bots, blocks=blocks), np.random.default_rng(2), TrueSkill()
    tables = play(world, draw_bots(world, chance), chance)
    found = Z95 * np.sqrt(np.diag(covariance(Blocks(tables), fit_pairs(tables, model), model))).mean()
    schedule = balanced(Field(bots, 4), Length("blocks", blocks), FormatOptions())
    counted = balance(bots, (table for block in schedule.stage(()) for table in block.tables))
    assert expected_half_width(counted.rating_variance(), 4) == pytest.approx(found, rel=0.25)


def test_without_meetings_it_is_what_is_known_of_a_newcomer() -> None:
    assert expected_half_width(float("inf"), 4) == pytest.approx(Z95 * SIGMA)


def test_four_times_the_meetings_halve_it() -> None:
    assert expected_half_width(0.01, 2) == pytest.approx(2 * expected_half_width(0.0025, 2), rel=0.01)


def test_it_says_how_many_meetings_a_precision_takes() -> None:
    assert expected_half_width(variance_for(1.5, 4), 4) == pytest.approx(1.5)
    assert variance_for(100, 4) == float("inf")


def test_a_false_lead_is_hardly_ever_taken_for_a_true_one_however_often_one_looks() -> None:
    chance, looks = np.random.default_rng(1), np.arange(1, 121)
    estimates = BETA * np.cumsum(chance.standard_normal((1000, looks.size)), axis=1) / looks
    assert np.mean([_ever_ahead(path, looks) for path in estimates]) < 0.05
    assert np.mean([_ever_ahead(path + BETA / 2, looks) for path in estimates[:100]]) > 0.95


def _ever_ahead(leads: Floats, looks: NDArray[np.int64]) -> bool:
    """Look again and again at an estimate of a lead whose variance shrinks from BETA squared."""
    rating = np.array([0.0, *-leads])
    known = np.diag([0.0, *(BETA**2 / looks)])
    return bool((log_evidence(rating, known, 0, looks) >= log(20)).any())


def test_a_field_is_separated_when_each_rank_is() -> None:
    sure = played(300, [6.0, 3.0, 0.0, -3.0])
    rules: list[Rule] = [Separated(1, 0.95), Separated(3, 0.95), Within(2.0)]
    assert all(Precision([rule], 4)(sure) for rule in rules)
    equal = played(300, [3.0, 3.0, 0.0, -3.0])
    assert not Precision([Separated(1, 0.95)], 4)(equal)
    assert not Precision([Within(0.1)], 4)(equal)


def test_either_of_two_equal_bots_may_be_found_ahead_so_each_gets_half_of_the_risk() -> None:
    rating, known = np.array([0.0, -1.0]), np.zeros((2, 2))
    for variance in np.linspace(0.001, 1.0, 200):
        known[0, 0] = variance
        evidence = log_evidence(rating, known, 0, np.array([1]))[0]
        assert _are_separated(Separated(1, 0.95), rating, known) == (evidence >= log(40))


def test_the_first_rule_that_holds_decides() -> None:
    rules: list[Rule] = [Within(0.01), Separated(1, 0.95), Within(3.0)]
    assert Precision(rules, 4).holding(played(300, [6.0, 3.0, 0.0, -3.0])) == Separated(1, 0.95)
    assert Precision(rules[:1], 4).holding(played(300, [6.0, 3.0, 0.0, -3.0])) is None


def test_a_rule_has_to_hold_in_every_set_up() -> None:
    clear, even = played(300, [6.0, 3.0, 0.0, -3.0]), played(300, [3.0, 3.0, 0.0, -3.0])
    rule = Precision([Separated(1, 0.95)], 4)
    assert rule([*clear, *_in_set_up(1, clear)])
    assert not rule([*clear, *_in_set_up(1, even)])
    assert not rule([*even, *_in_set_up(1, clear)])


def test_a_few_blocks_prove_nothing() -> None:
    rule = Precision([Separated(1, 0.5), Within(1000)], 4)
    strengths = [90.0, 60.0, 30.0, 0.0]
    assert not rule(played(10, strengths)), "each has played 5"
    assert rule(played(12, strengths)), "each has played 6"
    assert not Precision([Within(1000)], 4)([])


def test_who_is_gone_may_stay_uncertain() -> None:
    sure = played(300, [6.0, 3.0, 0.0, -3.0])
    assert Precision([Separated(3, 0.95)], 5, gone=[4])(sure)
    assert not Precision([Separated(3, 0.95)], 5)(sure)


def test_matches_of_one_seat_are_compared_deal_by_deal() -> None:
    results = [
        PlayedBlock(block, tuple(_alone(key, table, [30.0, 20.0, 20.0, 50.0]) for key, table in keyed_seatings(block)))
        for block in balanced(Field(4, 1), Length("blocks", 2), FormatOptions()).stage(())
    ]
    tables = tables_in(results, 4)
    assert tables.starts.tolist() == [0, 4, 8]
    assert (tables.entrant.tolist()[:2], tables.place.tolist()[:4]) == ([0, 1], [1, 2, 2, 4])
    assert tables.entrant.tolist()[3] == 3, "who lost its seat comes last, whatever its points"
    assert tables.block.tolist() == [0, 1]


def _alone(key: str, table: tuple[int, ...], points: list[float]) -> PlayedMatch:
    [entrant] = table
    return PlayedMatch(key, table, (SeatOutcome(1, points[entrant], entrant == 3, entrant == 3),))


def _in_set_up(setup: int, results: list[PlayedBlock]) -> list[PlayedBlock]:
    return [replace(result, block=replace(result.block, setup=setup)) for result in results]


def played(blocks: int, strengths: list[float]) -> list[PlayedBlock]:
    """Return results of a balanced tournament at two seats."""
    chance = np.random.default_rng(5)

    def match(key: str, table: tuple[int, ...]) -> PlayedMatch:
        performance = [strengths[entrant] + chance.normal(0, BETA) for entrant in table]
        places = [1 + sum(other > own for other in performance) for own in performance]
        return PlayedMatch(key, table, tuple(SeatOutcome(place, 0.0, fault=False) for place in places))

    schedule = balanced(Field(len(strengths), 2), Length("blocks", blocks), FormatOptions())
    return [
        PlayedBlock(block, tuple(match(key, table) for key, table in keyed_seatings(block)))
        for block in schedule.stage(())
    ]
