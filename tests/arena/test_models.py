"""Sentences about wrong values, derived from the types of a model."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, model_validator

from ballcourt.arena.files import BYTES_PER_PART, MOST_JSON, MOST_PARTS
from ballcourt.arena.models import LAX, Model, ModelError, Must, OneOrSeveral, Text, from_json
from tests.fuzz.limits import within_limits


class Pace(StrEnum):
    """An enumeration."""

    SLOW = "slow"
    FAST = "fast"


def even(value: int) -> int:
    """Refuse odd numbers."""
    if value % 2:
        raise ValueError("it must be even")
    return value


class Inner(Model):
    """A table."""

    path: Text
    low: Annotated[int, Field(ge=1)] = 1
    count: Annotated[int, AfterValidator(even)] = 0

    @model_validator(mode="after")
    def check(self) -> "Inner":
        """Compare two fields."""
        if self.low > 9 and self.path == "x":
            raise ValueError("low is above 9 and path is 'x'; change one of them")
        return self


class Outer(Model):
    """A file."""

    rounds: Annotated[int, Field(ge=1, le=9)] | None = None
    share: Annotated[float, Field(ge=0.1, le=0.9)] = 0.1
    pace: Annotated[Pace, LAX] = Pace.SLOW
    tier: Literal[0, 1] = 0
    ready: bool = True
    words: Annotated[tuple[str, ...], LAX] = ()
    seats: OneOrSeveral[Annotated[int, Field(ge=1, le=64)]] = (2,)
    time: Annotated[str, Must("a time, such as '6 h'")] = "6 h"
    one: Inner | None = None
    bot: Annotated[tuple[Inner, ...], LAX] = ()
    counts: dict[str, int] = Field(default_factory=dict)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"rounds": 0}, "x.toml: rounds is 0; it must be a whole number from 1 to 9"),
        ({"rounds": True}, "x.toml: rounds is True; it must be a whole number from 1 to 9"),
        ({"share": "a"}, "x.toml: share is 'a'; it must be a number from 0.1 to 0.9"),
        ({"pace": "mad"}, 'x.toml: pace is \'mad\'; it must be "slow" or "fast"'),
        ({"tier": 3}, "x.toml: tier is 3; it must be 0 or 1"),
        ({"ready": 1}, "x.toml: ready is 1; it must be true or false"),
        ({"words": "a"}, "x.toml: words is 'a'; it must be a list of strings"),
        ({"words": [1]}, "x.toml: words is 1; it must be a string"),
        ({"seats": [2, 99]}, "x.toml: seats is 99; it must be a whole number from 1 to 64"),
        ({"seats": [2, 2]}, "x.toml: seats is [2, 2]; a list must have entries, and each of them once"),
        ({"time": 3}, "x.toml: time is 3; it must be a time, such as '6 h'"),
        ({"one": 3}, "x.toml: one is 3; it must be a table, [one]"),
        ({"one": {"path": ""}}, "x.toml: one.path is ''; it must be a non-empty string without NUL characters"),
        ({"bot": 3}, "x.toml: bot is 3; it must be tables, [[bot]] each"),
        ({"bot": [3]}, "x.toml: bot is 3; it must be tables, [[bot]] each"),
        ({"bot": [{"low": 1}]}, "x.toml: bot 1 lacks 'path'; give a non-empty string without NUL characters"),
        ({"bot": [{"path": "a"}, {"path": "a", "low": 0}]}, "x.toml: bot 2: low is 0; it must be a whole number of"),
        ({"bot": [{"path": "a", "count": 1}]}, "x.toml: bot 1: count is 1; it must be even"),
        ({"bot": [{"path": "x", "low": 10}]}, "x.toml: bot 1: low is above 9 and path is 'x'; change one of them"),
        ({"bot": [{"pathe": "a"}]}, "x.toml: bot 1 has the unknown key 'pathe'; known keys: path, low, count (did you"),
        ({"counts": {"a": "b"}}, "x.toml: counts.a is 'b'; it must be a whole number"),
        ({"rounds": 0, "zzz": 1}, "x.toml has the unknown key 'zzz'; known keys: rounds, share"),
    ],
)
def test_a_sentence_names_the_place_the_value_and_what_it_must_be(values: object, sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Outer.read(values, "x.toml")
    assert str(error.value).startswith(sentence)


def test_a_single_value_is_read_as_a_list_of_one() -> None:
    assert Outer.read({"seats": 3}, "x.toml").seats == (3,)


@pytest.mark.parametrize("wrong", ["{}", "null"])
@pytest.mark.parametrize("key", ["words", "bot"])
def test_a_document_of_very_many_wrong_values_is_refused_within_limits(key: str, wrong: str) -> None:
    parts = sum(map(wrong.count, "{")) + 1
    for most in (MOST_PARTS, MOST_JSON // BYTES_PER_PART):
        values = ",".join([wrong] * (most // parts - 9))
        with within_limits(), pytest.raises(ValueError, match=r"validation error.* for Outer|commas, colons and br"):
            Outer.read_json(f'{{"{key}": [{values}]}}'.encode())


@dataclass
class Plain:
    """A document whose class is a dataclass."""

    bot: list[Inner]
    words: tuple[str, ...]
    counts: dict[str, int]


@pytest.mark.parametrize("read", [Outer.read_json, partial(from_json, TypeAdapter(Plain))])
@pytest.mark.parametrize("text", ['{"bot": [{}, {}, {}]}', '{"words": [1, 2, 3]}', '{"counts": {"a": "x", "b": "y"}}'])
def test_a_document_of_others_is_read_up_to_the_first_wrong_value_of_a_list(
    text: str, read: Callable[[bytes], object]
) -> None:
    with pytest.raises(ValidationError) as caught:
        read(text.encode())
    wrong = [error for error in caught.value.errors() if error["loc"][0] in json.loads(text)]
    assert len(wrong) == 1
