"""How even a schedule is, counted."""

from math import inf

import pytest

from ballcourt.arena.tournament.schedules.balance import balance


def test_neighbours_are_counted_round_the_table() -> None:
    counted = balance(4, [(0, 1, 2), (0, 1, 3)])
    assert counted.before == {(0, 1): 2, (1, 2): 1, (2, 0): 1, (1, 3): 1, (3, 0): 1}
    assert sum(counted.times_before()) == 6
    assert counted.seats == ((2, 0, 0), (0, 2, 0), (0, 0, 1), (0, 0, 1))
    assert counted.pairs == {(0, 1): 2, (0, 2): 1, (0, 3): 1, (1, 2): 1, (1, 3): 1, (2, 3): 0}
    assert not counted.even


def test_a_complete_design_is_even_and_has_the_least_variance() -> None:
    counted = balance(3, [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)])
    assert counted.even
    assert counted.variance_factor() == pytest.approx(1)
    assert counted.rating_variance() == pytest.approx(2 / 6 / 3)  # two eigenvalues of 6 for three entrants


def test_parts_that_never_meet_cannot_be_compared() -> None:
    counted = balance(4, [(0, 1), (2, 3)])
    assert (counted.variance_factor(), counted.rating_variance()) == (inf, inf)


def test_who_has_no_match_does_not_keep_the_others_from_being_compared() -> None:
    counted = balance(4, [(0, 1), (1, 3), (0, 3)])
    assert counted.variance_factor() == pytest.approx(1)
    assert counted.rating_variance() == inf
    assert balance(3, []).variance_factor() == 1
