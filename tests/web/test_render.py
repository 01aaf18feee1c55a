"""Numbers on pages."""

import pytest

from ballcourt.web.render import dashed, number


@pytest.mark.parametrize(("value", "shown"), [(-3.0, "\u22123"), (2.5, "2.5"), (41.0, "41"), (0.125, "0.125")])
def test_a_number_has_a_true_minus_and_no_more_digits_than_it_needs(value: float, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(("words", "shown"), [("-3", "\u22123"), ("1-5", "1\u20135"), ("2=", "2="), ("a-1", "a-1")])
def test_a_range_has_an_en_dash(words: str, shown: str) -> None:
    assert dashed(words) == shown
