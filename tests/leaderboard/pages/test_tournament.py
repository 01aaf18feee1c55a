"""The page about a tournament: what its manifest says and what its matches gave each bot."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.log import EVENTS
from ballcourt.leaderboard.pages import live
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.pages.tournament import about
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.tournament.in_process import events
from tests.leaderboard.pages.made_site import bluff, site_at


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    with bluff():
        yield


def test_a_page_says_what_was_played_and_how_to_play_it_again(tmp_path: Path) -> None:
    bots = ("random", "second=random", "third=random")
    list(events(tmp_path, Event().replaced(game="bluff", bots=bots, seats=2, rounds=1, seed=5, format="round-robin")))
    found = about(tmp_path, results_in(tmp_path).matches)
    assert found
    assert (found["format"], found["seed"], found["played"]) == ("round-robin", "5", 6)
    assert found["certificate"] == ["even: each bot plays 4 matches, equally often in every seat and with every other"]
    assert str(tmp_path / "tournament.toml") in found["again"]
    assert [one["label"] for one in found["entrants"]] == ["random 1", "second 1", "third 1"]
    assert all(one["id"] for one in found["entrants"])


def test_records_without_a_manifest_have_no_such_page(tmp_path: Path) -> None:
    assert about(tmp_path, []) is None


def test_a_page_says_how_far_the_run_is_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOG_S", 0.0)
    folder = tmp_path / "cup"
    folder.mkdir()
    list(
        events(
            folder, Event().replaced(game="bluff", bots=("random", "second=random"), seats=2, rounds=1, format="swiss")
        )
    )
    log = folder / EVENTS
    log.unlink(missing_ok=True)
    with site_at(str(folder), tmp_path) as site:
        client = TestClient(create_app(site.views, live.Live(folder)), base_url="http://127.0.0.1")
        assert "it has not been played yet" in client.get("/tournament").text
        at = "2026-11-22T12:00:00Z"
        said: list[dict[str, Any]] = [
            {"at": at, "event": "planned", "matches": 9, "exact": True},
            {"at": at, "event": "stopped", "reason": "the disk is full"},
        ]
        log.write_text("".join(json.dumps(one) + "\n" for one in said))
        assert "0 of 9 matches; its run ended early: the disk is full" in client.get("/tournament").text
        write_site(site.views, tmp_path / "public", replays=0)
    assert "its run ended early" in (tmp_path / "public" / "tournament.html").read_text()
