"""The pages about a tournament, asked for without a network."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from ballcourt.arena.records.store import write_record
from ballcourt.engine import registry
from ballcourt.leaderboard.pages.app import SHOWN, create_app
from ballcourt.leaderboard.pages.event import Event, Results, bot_id, opponents
from ballcourt.leaderboard.results import LeaderboardError, MatchResult, from_record
from ballcourt.leaderboard.standings import board, by_ladder
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import HOSTILE, hostile
from tests.leaderboard.made import entrant, match, random_tables


def results_of(matches: list[MatchResult]) -> Results:
    return Results(matches, {ladder: board(played) for ladder, played in by_ladder(matches).items()})


@dataclass
class Site:
    """A folder with records, and a browser's view of it."""

    folder: Path
    matches: list[MatchResult]

    def __post_init__(self) -> None:
        (self.folder / "records").mkdir()
        self.reads = 0
        self.event = Event(self.folder, self.read)
        self.client = TestClient(
            create_app(self.event), base_url="http://127.0.0.1:8000", raise_server_exceptions=False
        )

    def read(self) -> Results:
        self.reads += 1
        return results_of(self.matches)

    def add(self, *matches: MatchResult) -> None:
        """Add matches as a running tournament does: their records change the folder."""
        self.matches = [*self.matches, *matches]
        later = (self.folder / "records").stat().st_mtime_ns + 10**9 * len(self.matches)
        os.utime(self.folder / "records", ns=(later, later))

    def get(self, address: str) -> Response:
        answer: Response = self.client.get(address)
        return answer


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv(registry.ENVIRONMENT, "tests.bluff:GAME")
    registry.games.cache_clear()
    record = recorded("m1")
    bad = hostile(recorded("m2"))
    bad.key = "m2"
    (tmp_path / "cup").mkdir()
    site = Site(tmp_path / "cup", [])
    site.add(*[from_record(one, write_record(site.folder / "records", one)) for one in (record, bad)])
    yield site
    registry.games.cache_clear()


def test_the_leaderboard_has_a_row_for_each_bot_that_leads_to_its_page(site: Site) -> None:
    page = site.get("/").text
    for bot in (entrant("lowest"), entrant("highest")):
        (found,) = [id_ for id_, one in site.event.results().bots.items() if one.name == bot.name]
        assert f'href="/bots/{found}"' in page
        assert bot.name in site.get(f"/bots/{found}").text


def test_a_bots_page_shows_its_matches_and_opponents(site: Site) -> None:
    site.matches = []
    site.add(match("a", "ann", "bob"), match("b", "bob", "ann"), match("c", "ann", "bob"))
    page = site.get(f"/bots/{bot_id(entrant('ann'))}").text
    assert "67%" in page
    assert page.count('href="/matches/') == 3


def test_meetings_are_counted_between_all_seats_and_ties_by_half() -> None:
    (bob, cid) = opponents([match("a", "ann bob", "cid"), match("b", "bob", "ann", "cid")], entrant("ann"))
    assert (bob.entrant.name, bob.tables, bob.above) == ("bob", 2, 0.25)
    assert (cid.tables, cid.above) == (2, 1.0)


def test_matches_are_listed_the_newest_first_page_by_page(site: Site) -> None:
    site.matches = []
    site.add(*random_tables(np.random.default_rng(1), bots=4, seats=2, blocks=80))
    first, second = site.get("/matches").text, site.get("/matches?page=2").text
    listed = [re.findall(r'href="/matches/([^"?]+)"', page) for page in (first, second)]
    assert len(listed[0]) == SHOWN
    assert listed[0] + listed[1] == [one.key for one in site.event.results().newest()][: len(listed[0] + listed[1])]
    assert 'rel="next"' in first
    assert 'rel="prev"' in second
    assert "There are no matches here" in site.get("/matches?page=1000").text


def test_a_replay_has_a_policy_that_allows_its_own_script_only(site: Site) -> None:
    answer = site.get("/matches/m1")
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status_code == 200
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert policy.endswith("frame-ancestors 'none'")


def test_programs_get_tables_and_replays_as_json(site: Site) -> None:
    assert site.get("/api/leaderboard").json()["format"] == "ballcourt-board-1"
    whole, seen = site.get("/api/matches/m1").json(), site.get("/api/matches/m1?seat=1").json()
    assert (whole["format"], whole["observer"], seen["observer"]) == ("ballcourt-replay-1", None, 1)
    assert set(site.get("/openapi.json").json()["paths"]) == {"/api/leaderboard", "/api/matches/{key}"}


def test_new_matches_appear_and_nothing_is_read_twice(site: Site) -> None:
    site.get("/")
    reads = site.reads
    site.get("/")
    assert site.reads == reads
    site.add(match("new", "ann", "bob"))
    assert "new" in site.get("/matches").text
    assert site.reads == reads + 1


def test_the_last_results_are_shown_while_the_folder_cannot_be_read(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = site.get("/").text

    def fails() -> Results:
        raise LeaderboardError("the database is locked")

    monkeypatch.setattr(site.event, "_load", fails)
    site.add(match("new", "ann", "bob"))
    assert site.get("/").text == before
    monkeypatch.undo()
    assert "ann" in site.get("/").text


@pytest.mark.parametrize(
    "address", ["/", "/matches", "/api/leaderboard", "/matches/m1", "/static/site.css", "/nowhere"]
)
def test_every_answer_has_the_headers_that_keep_a_browser_safe(site: Site, address: str) -> None:
    headers = site.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert site.client.head(address).status_code == site.get(address).status_code


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere", 404),
        ("/bots/0000", 404),
        ("/matches/m9", 404),
        ("/matches/..%2f..%2fetc%2fpasswd", 404),
        ("/static/../app.py", 404),
        ("/static/..%2fapp.py", 404),
        ("/matches?page=0", 422),
        ("/matches?page=x", 422),
        ("/api/matches/m1?seat=99", 409),
        ("/api/matches/m1?seat=-1", 422),
    ],
)
def test_a_wrong_address_gets_a_sentence_and_its_status(site: Site, address: str, status: int) -> None:
    answer = site.get(address)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert len(answer.text) > 10


def test_pages_cannot_be_written_to(site: Site) -> None:
    assert [site.client.post(address).status_code for address in ("/", "/matches", "/api/leaderboard")] == [405] * 3


def test_another_host_name_is_refused(site: Site) -> None:
    assert site.client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_damaged_record_is_a_page_that_says_so(site: Site) -> None:
    Path(site.matches[0].record).write_bytes(b"ballcourt-match-3\n")
    answer = site.get("/matches/m1")
    assert answer.status_code == 409
    assert "damaged" in answer.text


@pytest.mark.parametrize("address", ["/", "/matches", "/matches/m2", "bot"])
def test_hostile_names_are_only_text(site: Site, address: str) -> None:
    (bot,) = [id_ for id_, one in site.event.results().bots.items() if one.name == HOSTILE]
    page = site.get(f"/bots/{bot}" if address == "bot" else address).text
    assert "<img" not in page
    assert not {"\u202e", "\x1b"} & set(page)
    assert "\\u202e" in page


def test_json_of_hostile_records_can_be_read(site: Site) -> None:
    assert json.loads(site.get("/api/matches/m2").text)["seats"][0]["bot"] == HOSTILE
