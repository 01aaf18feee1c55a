"""Races: few matches, and nearly always one of the best wins."""

import numpy as np
import pytest

from ballcourt.evaluation.race import RISK, Race, RaceError
from tests.calibrate.races import fields, put_out, raced


def test_all_that_are_left_meet_the_same_blocks_until_few_are_left_within_the_budget() -> None:
    race, played = Race(8, 2, 200), 0
    strengths = np.linspace(0.2, 0.8, 8)
    chance = np.random.default_rng(1)
    while not race.is_over:
        left = [*race.alive]
        played += len(left)
        race.learn({one: float(chance.random() < strengths[one]) for one in left})
        assert set(race.alive) <= set(left)
    assert len(race.ranked()) >= 2
    assert played <= 200


def test_a_candidate_that_is_known_to_be_worse_leaves_before_the_round_ends() -> None:
    race = Race(2, 1, 10_000)
    while not race.is_over:
        race.learn({one: float(one) for one in race.alive})
    assert (race.alive, race.played < 100) == ([1], True)


def alive_after_each_block(race: Race) -> list[int]:
    """Return how many are left after each block of candidates who are equal, so that no bet puts any out."""
    left = []
    while not race.is_over:
        race.learn(dict.fromkeys(race.alive, 0.5))
        left.append(len(race.alive))
    return left


def test_rounds_share_the_budget_and_the_larger_half_of_an_odd_field_goes_on() -> None:
    assert alive_after_each_block(Race(5, 1, 45)) == [5, 5, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1]
    assert alive_after_each_block(Race(4, 2, 9)) == [4, 2], "one block fits once more, and not for all"
    assert alive_after_each_block(Race(4, 2, 8)) == [4, 2], "a budget may be spent to its last block"


def test_bets_end_a_race_of_two_as_soon_as_their_wealth_is_the_inverse_of_the_risk() -> None:
    race = Race(2, 1, 10_000)
    wealth = []
    while not race.is_over:
        wealth.append(float(np.exp(race._wealth[1, 0])))
        race.learn({0: 0.4, 1: 0.6})
    wealth.append(float(np.exp(race._wealth[1, 0])))
    assert wealth[-2] / 2 < 1 / RISK <= wealth[-1] / 2, "half of it is in the other's name"


def test_bets_seldom_put_one_of_the_best_out() -> None:
    assert put_out(40, 6, 40) <= 0.1


def test_a_candidate_that_all_others_beat_leaves_sooner_than_one_that_a_single_one_beats() -> None:
    blocks = []
    for best in (1, 7):
        race = Race(8, 1, 100_000)
        while 7 in race.alive and race.played < 200:
            race.learn({one: 0.9 if one < best else 0.5 for one in race.alive})
        blocks.append(race.played)
    assert blocks[1] < blocks[0] < 200


@pytest.mark.slow
def test_the_winner_is_nearly_always_about_as_good_as_the_best() -> None:
    right = [raced(field, 600)[0] for field in fields(20, 8, 0.8)]
    assert sum(right) >= 16


@pytest.mark.parametrize(
    ("given", "sentence"),
    [((1, 1, 50), "a race needs at least 2"), ((4, 4, 50), "keep is 4")],
)
def test_an_impossible_race_is_one_sentence(given: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(RaceError, match=sentence):
        Race(*given)
