"""Divisions: always even, filled by strength at first, and changed by promotion and relegation after each season."""

from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.ladder.divisions import DivisionRule, moved
from ballcourt.arena.tournament.event.stages import Divisions

RULE = DivisionRule(size=4, moves=1, season=10)


@given(st.lists(st.permutations(range(14)).map(lambda order: order[:9]), min_size=1, max_size=6), st.data())
def test_divisions_are_even_and_hold_every_member_once(orders: list[list[int]], data: st.DataObject) -> None:
    divisions: Divisions = ()
    for order in orders:
        members = order[: data.draw(st.integers(1, 9))]
        divisions = RULE.divided(divisions, members, data.draw(st.integers(0, 20)))
        assert sorted(entrant for division in divisions for entrant in division) == sorted(members)
        sizes = [len(division) for division in divisions]
        assert len(sizes) == max(1, round(len(members) / 4))
        assert max(sizes) - min(sizes) <= 1


def test_without_a_rule_there_is_one_division() -> None:
    assert DivisionRule().divided((), [4, 2, 9], 0) == ((2, 4, 9),)


def test_the_strongest_are_in_the_first_division_at_first() -> None:
    assert RULE.divided((), [7, 6, 5, 4, 3, 2, 1, 0], 0) == ((4, 5, 6, 7), (0, 1, 2, 3))


def test_no_bot_moves_before_the_end_of_a_season() -> None:
    before = ((0, 1, 2, 3), (4, 5, 6, 7))
    assert RULE.divided(before, [7, 6, 5, 4, 3, 2, 1, 0], 9) == before


def test_the_best_of_a_division_change_places_with_the_worst_above_after_a_season() -> None:
    before = ((0, 1, 2, 3), (4, 5, 6, 7))
    after = RULE.divided(before, [0, 1, 2, 7, 3, 4, 5, 6], 10)
    assert after == ((0, 1, 2, 7), (3, 4, 5, 6))
    assert moved(before, after) == {7: (2, 1), 3: (1, 2)}


def test_no_bot_is_relegated_for_one_that_is_rated_lower() -> None:
    before = ((0, 1, 2, 3), (4, 5, 6, 7))
    assert RULE.divided(before, [0, 1, 2, 3, 4, 5, 6, 7], 10) == before


def test_a_new_version_gets_into_the_division_that_fits_its_rating() -> None:
    before = ((0, 1, 2, 3), (4, 5, 6, 7))
    assert RULE.divided(before, [0, 8, 1, 2, 3, 4, 5, 6, 7], 3) == ((0, 1, 2, 3, 8), (4, 5, 6, 7))
    assert moved(before, ((0, 1, 2, 3, 8), (4, 5, 6, 7))) == {}


def test_a_place_that_becomes_free_goes_to_the_best_of_the_division_below() -> None:
    before = ((0, 1, 2, 3), (4, 5, 6, 7))
    assert RULE.divided(before, [0, 1, 2, 6, 5, 4, 7], 3) == ((0, 1, 2, 6), (4, 5, 7))
