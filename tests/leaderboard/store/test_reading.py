"""Reading a database: entrants are found by their numbers."""

import numpy as np
import pytest

from ballcourt.leaderboard.store.reading import Entrants


def known_by(*numbers: float) -> Entrants:
    return Entrants([], np.zeros(0, np.uint64), np.array(numbers, np.float64), np.arange(len(numbers))[::-1])


@pytest.mark.parametrize("numbers", [(1.0, 2.0, 3.0), (2.0, 3.0, 4.0), (2.0, 5.0, 1e15)])
def test_entrants_are_found_whether_or_not_their_numbers_have_gaps(numbers: tuple[float, ...]) -> None:
    found = known_by(*numbers).indices(np.array([numbers[2], numbers[0], numbers[1], numbers[2]]))
    assert found.tolist() == [0, 2, 1, 0]


@pytest.mark.parametrize("number", [0.0, -1.0, 1.5, 4.0, 1e300, float("nan"), float("inf")])
@pytest.mark.parametrize("numbers", [(), (1.0, 2.0, 3.0), (1.0, 2.0, 8.0)])
def test_a_number_that_no_entrant_has_is_refused(numbers: tuple[float, ...], number: float) -> None:
    with pytest.raises(ValueError, match="entrants are missing"):
        known_by(*numbers).indices(np.array([number]))
