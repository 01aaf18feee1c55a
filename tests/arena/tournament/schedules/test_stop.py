"""What may end a tournament early."""

import pytest

from ballcourt.arena.tournament.schedules.schedule import ScheduleError
from ballcourt.arena.tournament.schedules.stop import (
    After,
    Rule,
    Separated,
    Within,
    ended_early,
    in_words,
    parse_rule,
    time_limit,
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("top 3 separated at 95%", Separated(3, 0.95)),
        ("top 1 separated at 99.5 %", Separated(1, 0.995)),
        ("±1.0", Within(1.0)),
        ("+-0.5", Within(0.5)),
        ("± 2", Within(2.0)),
        ("6 h", After(21600)),
        ("90min", After(5400)),
        ("1.5 d", After(129600)),
        ("30 s", After(30)),
    ],
)
def test_rules_are_read(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    "text", ["", "soon", "±0", "0 h", "-3 h", "6", "top separated", "±1e3", "top 3 separated at 95"]
)
def test_others_are_refused_with_what_is_understood(text: str) -> None:
    with pytest.raises(ScheduleError, match=r"it must be 'top 3 separated at 95%', '±1\.0'"):
        parse_rule(text)


@pytest.mark.parametrize("text", ["top 0 separated at 95%", "top 3 separated at 100%", "top 101 separated at 95%"])
def test_numbers_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(ScheduleError, match="top must be from 1 to 100, and the level from 50% to"):
        parse_rule(text)


def test_rules_are_said_in_words() -> None:
    assert in_words(Separated(1, 0.95)) == "the best is separated at 95%"
    assert in_words(Separated(3, 0.95)) == "the top 3 are separated at 95%"
    assert in_words(Within(1.5)) == "every rating is known to ±1.5"
    assert in_words(After(5400)) == "90 min have passed"


def test_the_shortest_time_counts_and_is_named_if_it_ended_the_tournament() -> None:
    rules: list[Rule] = [After(7200), Within(1), After(3600)]
    assert time_limit(rules) == 3600
    assert time_limit([Within(1)]) is None
    assert ended_early(rules, by_time=True) == "1 h have passed"
    assert ended_early(rules, by_time=False) == "every rating is known to ±1"
