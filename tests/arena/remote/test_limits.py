"""The sliding window: its number of events, its length, and how many addresses it remembers."""

import pytest

from ballcourt.arena.remote import limits
from ballcourt.arena.remote.limits import SlidingWindow


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_events_within_the_limit_do_not_wait() -> None:
    window = SlidingWindow(3, 60.0, Clock())
    for _ in range(2):
        window.add("peer")
    assert window.wait_s("peer") == window.wait_s("stranger") == 0


def test_the_wait_ends_when_the_oldest_event_leaves_the_window() -> None:
    clock = Clock()
    window = SlidingWindow(2, 60.0, clock)
    for moment in (0.0, 10.0):
        clock.now = moment
        window.add("peer")
    clock.now = 20.0
    assert window.wait_s("peer") == 40.0
    clock.now = 60.0
    assert window.wait_s("peer") == 0.0
    window.add("peer")
    assert window.wait_s("peer") == 10.0


def test_every_address_has_its_own_limit() -> None:
    window = SlidingWindow(1, 60.0, Clock())
    window.add("peer")
    assert window.wait_s("peer") > 0
    assert window.wait_s("other") == 0


def test_the_address_seen_longest_ago_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KEYS", 2)
    window = SlidingWindow(1, 60.0, Clock())
    for key in ("a", "b", "a", "c"):
        window.add(key)
    assert [window.wait_s(key) > 0 for key in "abc"] == [True, False, True]
