"""Encoded fields are the bytes that protobuf's own serialiser writes."""

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.core.messages.encoding import MessageField
from ballcourt.engine.core.messages.protobuf import fields_of
from ballcourt.v1.ahau_pb2 import AhauTable
from ballcourt.v1.tzolkin_pb2 import TzolkinGear, TzolkinObservation, TzolkinPlayer, TzolkinWaiting

UNSIGNED = st.one_of(st.integers(0, 300), st.integers(0, 2**32 - 1))
SIGNED = st.one_of(st.integers(-300, 300), st.integers(-(2**31), 2**31 - 1))


def field(message: type[Message], name: str) -> MessageField:
    return fields_of(message)[name]


@given(UNSIGNED)
def test_unsigned_numbers(value: int) -> None:
    assert field(TzolkinPlayer, "corn").number(value) == TzolkinPlayer(corn=value).SerializeToString()


@given(SIGNED)
def test_signed_numbers(value: int) -> None:
    assert field(TzolkinPlayer, "vp_quarters").number(value) == TzolkinPlayer(vp_quarters=value).SerializeToString()


@pytest.mark.parametrize("value", [False, True])
def test_truth_values_in_a_field_with_a_number_above_fifteen(value: bool) -> None:
    assert field(AhauTable, "over").number(value) == AhauTable(over=value).SerializeToString()


@given(st.lists(UNSIGNED, max_size=200))
def test_lists_of_unsigned_numbers(values: list[int]) -> None:
    assert field(TzolkinPlayer, "buildings").numbers(values) == TzolkinPlayer(buildings=values).SerializeToString()


@given(st.lists(SIGNED, max_size=200))
def test_lists_of_signed_numbers(values: list[int]) -> None:
    assert field(TzolkinGear, "slots").numbers(values) == TzolkinGear(slots=values).SerializeToString()


@given(st.lists(SIGNED, max_size=200))
def test_messages(values: list[int]) -> None:
    waiting = TzolkinWaiting(numbers=values)
    expected = TzolkinObservation(waiting=[waiting]).SerializeToString()
    assert field(TzolkinObservation, "waiting").content(waiting.SerializeToString()) == expected


def test_the_same_number_twice_gives_the_same_bytes() -> None:
    corn = field(TzolkinPlayer, "corn")
    assert [corn.number(value) for value in (5, 300, 5, 300)] == 2 * [corn.number(5), corn.number(300)]


def test_a_negative_number_is_refused_where_the_type_has_none() -> None:
    corn = field(TzolkinPlayer, "corn")
    with pytest.raises(ValueError, match="the number -3 is negative"):
        corn.number(-3)
    with pytest.raises(ValueError, match="the number -3 is negative"):
        corn.numbers([-3, 200])
    with pytest.raises(ValueError, match="range"):
        corn.numbers([-3])
