"""The quick form of `make calibrate`; a wrong formula misses these bounds by far, chance hardly ever."""

import pytest

from tests.needs import library

library("openskill")

from tests.calibrate.coverage import coverage  # noqa: E402
from tests.calibrate.worlds import WORLDS  # noqa: E402


@pytest.mark.parametrize(
    "world",
    [
        "a deal suits a seat",
        *(
            pytest.param(world, marks=pytest.mark.slow)
            for world in ("own model, 15 blocks", "a deal suits a bot", "Maya's seats doubled, no rotation")
        ),
    ],
)
def test_intervals_contain_the_truth_as_often_as_they_claim(world: str) -> None:
    found = coverage(WORLDS[world], leagues=40)
    assert 0.91 < found.ratings < 0.985
    assert 0.91 < found.differences < 0.985
    assert abs(found.said_best - found.was_best) < 4 * found.best_error
    assert found.of_ep < 1.03
    assert found.of_openskill < 0.95
