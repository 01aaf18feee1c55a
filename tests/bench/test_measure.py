"""The lines of the benchmark. The measurements depend on the machine and are not tested."""

from itertools import cycle

import pytest

from tests.bench.measure import compare, in_turns


@pytest.mark.parametrize(("budget", "held"), [(None, True), (2.0, True), (1.9, False)])
def test_a_line_says_whether_its_budget_is_met(budget: float | None, held: bool) -> None:
    line = compare("a thing", [4.0], [2.0], budget)
    assert line.held is held
    assert ("held" in line.text(), "MISSED" in line.text()) == (held and budget is not None, not held)


def test_the_ratio_is_the_median_of_the_pairs_and_not_that_of_the_medians() -> None:
    line = compare("a thing", [1.0, 10.0, 30.0], [1.0, 20.0, 10.0])
    assert (line.ours, line.theirs, line.ratio) == (10.0, 10.0, 1.0)


def test_the_two_are_measured_in_turns_after_a_warm_up() -> None:
    order: list[str] = []
    costs = cycle([100.0, 3.0])

    def ours() -> float:
        order.append("ours")
        return next(costs)

    def theirs() -> float:
        order.append("theirs")
        return 1.0

    assert in_turns("a thing", ours, theirs, rounds=1).ratio == 3.0
    assert order == ["ours", "theirs", "ours", "theirs"]
