"""The page about a tournament: what its manifest says and what its matches gave each bot."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.tournament.settings import Settings
from ballcourt.leaderboard.folder import results_in
from ballcourt.leaderboard.pages.tournament import about
from tests.arena.tournament.in_process import events
from tests.leaderboard.pages.made_site import bluff


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    with bluff():
        yield


def test_a_page_says_what_was_played_and_how_to_play_it_again(tmp_path: Path) -> None:
    bots = ("random", "second=random", "third=random")
    list(events(tmp_path, Settings(game="bluff", bots=bots, seats=2, rounds=1, seed=5, format="round-robin")))
    found = about(tmp_path, results_in(tmp_path).matches)
    assert found
    assert (found["format"], found["seed"], found["played"]) == ("round-robin", "5", 6)
    assert found["certificate"] == ["even: each bot plays 4 matches, equally often in every seat and with every other"]
    assert str(tmp_path / "tournament.toml") in found["again"]
    assert [one["label"] for one in found["entrants"]] == ["random 1", "second 1", "third 1"]
    assert all(one["id"] for one in found["entrants"])


def test_records_without_a_manifest_have_no_such_page(tmp_path: Path) -> None:
    assert about(tmp_path, []) is None
