"""What a value of JSON must be to fit a type."""

from typing import Any, Literal

import pytest

from ballcourt.engine.core.messages.schema import objection

ALIKE = (True, 1, 1.0, "1", None, [1], {"a": 1})


@pytest.mark.parametrize(
    ("kind", "fitting"),
    [
        (bool, [True]), (int, [1]), (float, [1, 1.0]), (str, ["1"]), (Literal[1], [1]),
        (Literal["1", True], [True, "1"]),
        (list[int], [[1]]), (dict[str, int], [{"a": 1}]), (int | None, [1, None]), (Any, list(ALIKE)),
    ],
)  # fmt: skip
def test_a_value_of_another_type_does_not_fit_even_if_it_is_equal(kind: object, fitting: list[object]) -> None:
    found = [value for value in ALIKE if not objection(value, kind)]
    assert sorted(map(repr, found)) == sorted(map(repr, fitting))
    assert objection([True], list[int]) and objection({"a": 1.0}, dict[str, int])
