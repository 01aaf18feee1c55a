"""Operations between JSON values, carried out as a viewer does."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.arena.replays.operations import Operation, changes

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.sampled_from("abcd"), parts, max_size=4),
    max_leaves=20,
)


def carry_out(value: Any, operations: list[Operation]) -> Any:  # noqa: ANN401
    """Return a value after some operations, as `scenes.js` does."""
    holder = {"root": deepcopy(value)}
    for path, *new in operations:
        where: Any = holder
        last: Any = "root"
        for name in path:
            where, last = where[last], name
        if not new:
            del where[last]
        elif isinstance(where, list) and last == len(where):
            where.append(deepcopy(new[0]))
        else:
            where[last] = deepcopy(new[0])
    return holder["root"]


@pytest.mark.slow
@settings(max_examples=40)
@given(VALUES, VALUES)
def test_operations_turn_one_value_into_the_other(before: object, after: object) -> None:
    assert carry_out(before, changes(before, after)) == after


@settings(max_examples=20)
@given(VALUES)
def test_nothing_is_done_between_equal_values(value: object) -> None:
    assert changes(value, deepcopy(value)) == []


def test_single_names_are_set_and_removed() -> None:
    before = {"at": {"E7": ["corn"], "F8": ["temple"]}, "score": 3}
    after = {"at": {"F8": ["temple", "city"], "G7": []}, "score": 3}
    assert changes(before, after) == [[["at", "E7"]], [["at", "F8", 1], "city"], [["at", "G7"], []]]


def test_a_pile_loses_its_top() -> None:
    assert changes([1, 2, 3, 4], [1, 2]) == [[[3]], [[2]]]
