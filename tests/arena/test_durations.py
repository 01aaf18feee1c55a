"""Times and rates in words."""

import pytest

from ballcourt.arena.durations import pace


@pytest.mark.parametrize(
    ("per_second", "words"),
    [(12.34, "12.3 per second"), (1.0, "1.0 per second"), (0.05, "3.0 per minute"), (0.001, "3.6 per hour")],
)
def test_a_pace_is_given_in_the_unit_that_reads_best(per_second: float, words: str) -> None:
    assert pace(per_second) == words
