"""The page about a tournament: what its manifest says and what its matches gave each bot."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.stages import STAGES, read_stages
from ballcourt.arena.tournament.folder.log import EVENTS
from ballcourt.arena.tournament.folder.manifest import kept_seed
from ballcourt.arena.tournament.folder.placing import read_placing
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.leaderboard.pages import live
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.pages.tournament import about
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.ladder import in_process as ladder
from tests.arena.ladder.in_process import put, settings_in
from tests.arena.tournament.in_process import events
from tests.leaderboard.pages.made_site import bluff, site_at
from tests.words import read


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
    assert f"ballcourt tournament {tmp_path.name}/tournament.toml " in found["again"], "where it lies is not told"
    assert [one["label"] for one in found["entrants"]] == ["random 1", "second 1", "third 1"]
    assert all(one["id"] for one in found["entrants"])


def test_records_without_a_manifest_have_no_such_page(tmp_path: Path) -> None:
    assert about(tmp_path, []) is None


@pytest.mark.slow
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
        shown: list[dict[str, Any]] = [
            {"at": at, "event": "planned", "matches": 9, "exact": True},
            {"at": at, "event": "stopped", "reason": "the disk is full"},
        ]
        log.write_text("".join(json.dumps(one) + "\n" for one in shown))
        assert "0 of 9 matches; its run ended early: the disk is full" in client.get("/tournament").text
        write_site(site.views, tmp_path / "public", replays=0)
    assert "its run ended early" in (tmp_path / "public" / "tournament.html").read_text()


FIVE = tuple(f"{name}=random" for name in ("ann", "bob", "cid", "dan", "eve"))


def played(folder: Path, **settings: object) -> Path:
    given: dict[str, Any] = {"game": "bluff", "bots": FIVE, "seats": 2} | settings
    list(events(folder, Event().replaced(**given)))
    return folder


@pytest.mark.slow
def test_an_elimination_has_a_champion_rounds_and_byes_on_its_pages_and_in_its_files(tmp_path: Path) -> None:
    folder = played(tmp_path / "cup", format="single-elimination")
    page = read_placing(folder)
    assert page
    (champion,) = (page.bots[entrant] for entrant in page.champions)
    with site_at(str(folder), tmp_path) as site:
        tournament, home = (site.get(address).text for address in ("/tournament", "/"))
        answer = site.get("/api/leaderboard")
        write_site(site.views, tmp_path / "public", replays=0)
    files = [(tmp_path / "public" / name).read_text() for name in ("tournament.html", "index.html")]
    for text in (tournament, home, *files):
        shown = " ".join(re.sub("<[^>]*>", " ", text).split())
        assert f"Champion: {champion.name} " in shown
        assert "By the rules of single-elimination" in shown
    assert all(word in tournament for word in ("Round 1", "Final", "Bye:", "until one table is left"))
    for text, address in ((tournament, "/matches"), (files[0], "matches.html")):
        assert re.search(rf'matches played</dt>\s*<dd>\s*<a href="{address}">\d+</a>', text)
    assert home.index("By the rules") < home.index("95% interval")
    assert answer.json()["placing"]["placing"]["places"][0]["place"] == 1


@pytest.mark.slow
def test_groups_are_on_the_page_and_ratings_have_one_table(tmp_path: Path) -> None:
    groups = played(tmp_path / "groups", format="groups-final", rounds=1)
    rated = played(tmp_path / "rated", format="round-robin", rounds=1)
    for folder, words in ((groups, ("Group 1", "Group 2", "by its rules")), (rated, ("by ratings",))):
        scratch = tmp_path / f"{folder.name} pages"
        scratch.mkdir()
        with site_at(str(folder), scratch) as site:
            text = site.get("/tournament").text
            assert all(word in text for word in words)
            assert ("By the rules" in site.get("/").text) == (folder is groups)


def test_bots_without_a_match_are_in_the_tables_of_pages(tmp_path: Path) -> None:
    folder = played(tmp_path / "cup", format="swiss", seats=3, rounds=1)
    with site_at(str(folder), tmp_path) as site:
        for address in ("/", f"/ladders/{next(iter(site.views.summary.ladders))}"):
            rated = site.get(address).text.rpartition("<caption>")[2]
            assert all(f"<bdi>{name}</bdi>" in rated for name in ("ann", "bob", "cid", "dan", "eve"))


def test_a_home_page_has_the_notes_of_its_tables(tmp_path: Path) -> None:
    bots = (*FIVE[:4],)
    folder = played(tmp_path / "cup", format="single-elimination", bots=bots)
    for record in [*(folder / "records").iterdir()]:
        if record.name.startswith("b000002"):
            record.unlink()
    with site_at(str(folder), tmp_path) as site:
        text = site.get("/").text
    assert "These bots are in 2 groups, and no match connects them" in text
    assert "share of opponents placed lower" in text


def test_the_page_of_a_closed_event_shows_its_seed(tmp_path: Path) -> None:
    folder = played(tmp_path / "cup", format="swiss", rounds=1)
    found = about(folder, results_in(folder).matches)
    assert found
    assert found["seed_note"] == "a commitment; the seed is revealed when the event is closed"
    Organiser(folder, "for a test").close()
    closed = about(folder, results_in(folder).matches)
    seed = kept_seed(folder)
    assert closed
    assert seed
    assert closed["seed_note"] == f"a commitment, which the closed event opens: {seed.opening}"
    (folder / "seed").unlink()
    hidden = about(folder, results_in(folder).matches)
    assert hidden
    assert hidden["seed_note"] == "the event is closed: its signed bundle reveals the seed"


@pytest.mark.slow
def test_an_event_of_several_tables_has_a_page_that_combines_them_and_pages_of_pairs_in_its_files(
    tmp_path: Path,
) -> None:
    folder = played(tmp_path / "cup", format="round-robin", seats=(2, 3), rounds=1)
    with site_at(str(folder), tmp_path) as site:
        assert 'href="/combined"' in site.get("/").text
        served = site.get("/combined").text
        write_site(site.views, tmp_path / "public", replays=0)
        one, other, *_ = site.views.bots()
    public = tmp_path / "public"
    for text in (served, (public / "combined.html").read_text()):
        assert "2 tables combined" in text
        assert text.replace("\n", "").count("<small><bdi>1</bdi></small>") == 5  # the versions, once each
        assert all(f"<bdi>{name}</bdi>" in text for name in ("ann", "bob", "cid", "dan", "eve"))
    assert "How often the first was placed above" in (public / "bots" / one / "against" / f"{other}.html").read_text()
    for page in public.rglob("*.html"):
        links = re.findall(r'href="([^"#:]+)"', page.read_text())
        assert [link for link in links if not (page.parent / link).resolve().exists()] == [], page


def test_one_table_is_not_combined(tmp_path: Path) -> None:
    with site_at(str(played(tmp_path / "cup", format="swiss", rounds=1)), tmp_path) as site:
        assert "/combined" not in site.get("/").text
        assert site.get("/combined").status_code == 404


@pytest.mark.slow
def test_the_page_of_a_ladder_has_its_divisions_and_its_news_who_changes_them(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, divisions={"size": 3, "moves": 1, "season": 2})
    for name in ("ann", "bob", "cid", "dan", "eve", "fay"):
        put(tmp_path / "bots", name)
    list(ladder.play(settings, 60))
    change_divisions(tmp_path / "out" / STAGES)
    (tmp_path / "pages").mkdir()
    with site_at(str(tmp_path / "out"), tmp_path / "pages") as site:
        text, news = site.get("/tournament").text, site.get("/news").text
    *_, (last, _) = read_stages(tmp_path / "out")
    assert re.search(r"\S+ 1 goes up to division 1, \S+ 1 goes down to division 2", news)
    assert news.count(" joins (") == 6
    assert len(last.divisions) == 2
    first, second = text.index("Division 1"), text.index("Division 2")
    names = sorted(path.name for path in (tmp_path / "bots").iterdir())
    for number, division in enumerate(last.divisions):
        part = text[first:second] if number == 0 else text[second : text.index("How even the schedule was")]
        assert sorted(name for name in names if f"{name} 1" in part) == sorted(names[one] for one in division)


def change_divisions(file: Path) -> None:
    """Exchange two bots in the divisions of the last stage."""
    *lines, last = [json.loads(line) for line in file.read_text().splitlines()]
    upper, lower = last["divisions"]
    upper[0], lower[0] = lower[0], upper[0]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (*lines, last)))


def test_the_front_says_before_the_first_result_what_is_played_by_whom_and_how_long(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    folder.mkdir()
    list(events(folder, Event().replaced(game="bluff", bots=FIVE, seats=2, rounds=2, seed=5, format="round-robin")))
    for record in (folder / "records").iterdir():
        record.unlink()
    with site_at(str(folder), tmp_path) as site:
        home, tournament = site.get("/").text, site.get("/tournament").text
    for words in ("Bluff, 2 players", "round-robin", "2 rounds", "5 bots", "ann 1, bob 1"):
        assert words in read(home)
    assert "<code>ballcourt play bluff human random</code>" in home
    assert "Bluff, 2 players" in tournament
    assert "/ladders/" not in tournament, "without a result there is no such page"
