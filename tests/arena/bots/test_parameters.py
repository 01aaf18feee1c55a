"""What bot.toml may declare as parameters, and the values that an entrant may give."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.bots.parameters import Parameter, declared, objection, set_to, words
from ballcourt.bots.ismcts.bot import IsmctsBot

DEPTH = Parameter("depth", 4, 1, 64, "log")
TRUST = Parameter("trust", 0.5, 0.0, 2.0)


@pytest.mark.slow
@given(st.integers(1, 64))
def test_every_whole_number_of_a_range_has_a_place(value: int) -> None:
    assert DEPTH.at(DEPTH.place_of(value)) == value


@given(st.floats(0, 1))
def test_every_place_is_a_value_that_the_bot_accepts(place: float) -> None:
    for parameter in (DEPTH, TRUST):
        (word,) = words({parameter.name: parameter.at(place)})
        assert objection([DEPTH, TRUST], [word]) == ""


def test_a_logarithmic_scale_divides_by_ratios() -> None:
    assert [DEPTH.at(place) for place in (0.0, 0.5, 1.0)] == [1, 8, 64]
    assert TRUST.at(0.25) == 0.5


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("depth=65", "depth is '65'; it must be a whole number from 1 to 64"),
        ("depth=2.5", "depth is '2.5'; it must be a whole number"),
        ("trust=nan", "trust is 'nan'; it must be a number from 0.0 to 2.0"),
        ("trusts=1", "it has no parameter 'trusts'; its parameters: depth, trust"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(word: str, sentence: str) -> None:
    assert sentence in objection([DEPTH, TRUST], [word])


def test_other_arguments_are_the_bots_own_matter() -> None:
    assert objection([DEPTH], ["--quiet"]) == ""
    assert objection([], ["depth=1000"]) == "", "it declares none"


def test_a_bot_gets_the_value_that_the_organiser_gave_or_the_default() -> None:
    mixed = Parameter("mixed", 2, 1, 2.5)
    given = set_to([DEPTH, TRUST, mixed], ["--quiet", "depth=3", "trust=1", "depth=1_0"])
    assert [parameter.word for parameter in given] == ["depth=10", "trust=1.0", "mixed=2.0"]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"default": 1, "least": 0}, "must be a table with default, least and most"),
        ({"default": "1", "least": 0, "most": 2}, "must be numbers from -1e\\+15 to 1e\\+15"),
        ({"default": 1, "least": 0, "most": 10**400}, "must be numbers"),
        ({"default": math.nan, "least": 0, "most": 2}, "must be numbers"),
        ({"default": 1, "least": 0, "most": math.inf}, "must be numbers"),
        ({"default": 3, "least": 0, "most": 2}, "goes from 0 to 2 by default 3"),
        ({"default": 1, "least": 0, "most": 2, "scale": "log"}, "scale is 'log'"),
        ({"default": 1, "least": 0, "most": 2, "scale": ["log"]}, "scale is"),
        ({"default": 1e15 - 0.5, "least": 1e15 - 0.5, "most": 1e15, "scale": "log"}, "whose logarithms are one number"),
        (5, "must be a table"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(table: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        declared("depth", table)


def test_ismcts_plays_in_process_with_the_values_that_its_file_declares() -> None:
    declared = {parameter.name: parameter.default for parameter in find_bots().bots["ismcts"].parameters}
    assert declared == IsmctsBot.parameters
