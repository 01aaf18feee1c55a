"""Numbers on pages."""

import pytest

from ballcourt.web.render import number


@pytest.mark.parametrize(("value", "shown"), [(-3.0, "\u22123"), (2.5, "2.5"), (41.0, "41"), (0.125, "0.125")])
def test_a_number_has_a_true_minus_and_no_more_digits_than_it_needs(value: float, shown: str) -> None:
    assert number(value) == shown
