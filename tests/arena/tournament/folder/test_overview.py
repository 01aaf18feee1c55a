"""How far a tournament is, counted from the entries of its log."""

from collections.abc import Iterable

import pytest

from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.folder.log import Entry
from ballcourt.arena.tournament.folder.overview import MOST_TABLES, Overview

PLANNED: Entry = {"event": "planned", "matches": 6, "exact": True}
OF_LADDER: Entry = {"event": "planned", "matches": 0, "exact": False, "format": LADDER}


def played(key: str, *, new: bool = True) -> Entry:
    return {"event": "played", "match": key, "new": new}


def skipped(*keys: str) -> Entry:
    return {"event": "skipped", "matches": [*keys]}


def overview_of(entries: Iterable[Entry]) -> Overview:
    overview = Overview()
    for entry in entries:
        overview.add(entry, 0.0)
    return overview


def test_a_match_that_is_not_played_is_not_expected() -> None:
    assert overview_of([PLANNED, played("one"), skipped("one", "two")]).done == "0 of 4 matches"


@pytest.mark.parametrize(("keys", "left"), [(["old"], 10), (["new"], 10), (["old", "new", "older"], 8)])
def test_a_ladder_takes_back_matches_of_this_run_and_of_earlier_ones(keys: list[str], left: int) -> None:
    entries = [OF_LADDER, {"event": "resumed", "matches": 10}, played("old", new=False), played("new")]
    assert overview_of([*entries, skipped(*keys)]).matches == left


def test_a_ladder_says_why_it_plays_nothing_until_a_match_begins() -> None:
    rests = [OF_LADDER, played("one"), {"event": "resting", "sentence": "every rating is known to ±1"}]
    line = "1 matches; resting: every rating is known to ±1"
    assert overview_of(rests).sentence(0.0, is_held=True) == line
    assert overview_of([*rests, {"event": "decided", "matches": 0}]).line(0.0) == line
    begun = [*rests, {"event": "started", "match": "two", "bots": ["ann", "bob"]}]
    assert "resting" not in overview_of(begun).line(0.0)
    assert "resting" not in overview_of(rests).sentence(0.0, is_held=False), "its run has ended"


def test_what_a_ladder_takes_back_before_it_goes_on_was_not_counted() -> None:
    assert overview_of([OF_LADDER, skipped("old"), {"event": "resumed", "matches": 10}]).matches == 10
    assert overview_of([OF_LADDER, skipped("old"), played("new")]).matches == 1


@pytest.mark.parametrize(("more", "last"), [(0, "m7: ann, bob (0 s)"), (1, "and 1 more"), (2, "and 2 more")])
def test_of_many_running_matches_the_oldest_are_listed_and_the_others_counted(more: int, last: str) -> None:
    begun = [
        {"event": "started", "match": f"m{number}", "bots": ["ann", "bob"]} for number in range(MOST_TABLES + more)
    ]
    lines = [*overview_of(begun).tables(0.0)]
    assert (len(lines), lines[-1]) == (MOST_TABLES + bool(more), last)
