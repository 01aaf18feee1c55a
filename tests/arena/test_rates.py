"""What limits count: events in a sliding window by key, and amounts that grow again."""

import pytest

from ballcourt.arena import rates
from ballcourt.arena.rates import Allowance, SlidingWindow


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_window_counts_the_events_of_each_key() -> None:
    window = SlidingWindow(3, 60.0, Clock())
    for _ in range(2):
        window.add("peer")
    assert (window.count("peer"), window.count("stranger")) == (2, 0)
    assert not window.is_full("peer")
    window.add("peer")
    assert window.is_full("peer")
    assert not window.is_full("stranger")


def test_an_event_leaves_the_window_after_its_length() -> None:
    clock = Clock()
    window = SlidingWindow(2, 60.0, clock)
    for clock.now in (0.0, 10.0):
        window.add("peer")
    clock.now = 59.0
    assert window.is_full("peer")
    clock.now = 60.0
    assert window.count("peer") == 1


def test_a_window_counts_no_further_than_its_limit() -> None:
    window = SlidingWindow(2, 60.0, Clock())
    for _ in range(5):
        window.add("peer")
    assert window.count("peer") == 2


def test_the_key_seen_longest_ago_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_KEYS", 2)
    window = SlidingWindow(1, 60.0, Clock())
    for key in ("a", "b", "a", "c"):
        window.add(key)
    assert [window.is_full(key) for key in "abc"] == [True, False, True]


def test_an_allowance_is_spent_and_grows_again() -> None:
    clock = Clock()
    allowance = Allowance(per_s=10, at_once=20, clock=clock)
    assert [allowance.take(10) for _ in range(3)] == [0, 0, 1.0]
    clock.now = 1.0
    assert allowance.take(5) == 0.5
    clock.now = 1.25
    assert allowance.take(0) == 0.25, "it grows from the last time on"
    clock.now = 100.0
    assert allowance.take(20) == 0
