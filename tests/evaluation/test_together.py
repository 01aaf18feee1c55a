"""Many comparisons at once."""

from math import inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.evaluation.together import discoveries
from tests.calibrate.together import wrong_share


def test_one_comparison_is_believed_as_compare_believes_it() -> None:
    assert discoveries([log(20.1)]) == [True]
    assert discoveries([log(19.9)]) == [False]


def test_the_more_are_right_the_less_each_needs() -> None:
    """Of four, one alone needs a wealth of 80; two need 40 each."""
    assert discoveries([log(70), 0, 0, 0]) == [False] * 4
    assert discoveries([log(90), 0, 0, 0]) == [True, False, False, False]
    assert discoveries([log(41), 0, log(42), 0]) == [True, False, True, False]


@given(some.lists(some.floats(-20, 20), max_size=12))
def test_more_wealth_never_loses_a_discovery(wealth: list[float]) -> None:
    before = discoveries(wealth)
    for index in range(len(wealth)):
        after = discoveries([*wealth[:index], wealth[index] + 5, *wealth[index + 1 :]])
        assert all(now or not then for now, then in zip(after, before, strict=True))


def test_without_wealth_nothing_is_believed() -> None:
    assert discoveries([-inf, 0.0]) == [False, False]
    assert discoveries([]) == []


@pytest.mark.parametrize("better", [0, 4])
def test_few_of_those_that_are_believed_are_wrong(better: int) -> None:
    alone, together, found = wrong_share(20, better, tests=60)
    assert together <= 0.05
    assert alone > together or not better
    assert found >= 0.5 * better
