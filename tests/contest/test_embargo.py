"""What a phase hides: frozen tables, hidden tables and replays, and logs of matches after the freeze."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse

from ballcourt.arena.records.store import write_record
from ballcourt.contest.decisions.announcing import announce
from ballcourt.contest.decisions.hiding import lift_freeze
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.settings import at_time
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.embargo import Embargo
from ballcourt.contest.web.viewers import COOKIE, leads_to
from ballcourt.contest.web.visits import around
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.summaries import Summary
from tests.arena.conftest import wait_until
from tests.arena.recorded import recorded
from tests.contest.made import NOON, Made, made_in, phase
from tests.contest.test_pages import browser, menu_of, printed, text
from tests.leaderboard.pages.made_site import bluff, filled, site_at

HERE = "http://127.0.0.1:8000"
BOARD = [
    "/",
    "/matches",
    "/ladders/x",
    "/ladders/x/matrix",
    "/bots/x",
    "/api/leaderboard",
    "/news.atom",
    "/api/matches",
]
MOVES = ["/matches/x", "/embed/x", "/api/matches/x", "/api/live", "/ladders/x/openings", "/wall"]


def made_with(folder: Path, **changes: object) -> Made:
    return made_in(folder, phase=(phase(**changes),))


def sees(made: Made, embargo: Embargo, who: Member | None) -> TestClient:
    client = TestClient(contest_app(made.contest, embargo), base_url=HERE)
    if who:
        client.cookies.set(COOKIE, made.session(who))
    return client


def test_in_a_freeze_all_but_organisers_see_the_copy_and_nothing_until_it_is_there(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", freeze=at_time(NOON + 10))
    embargo = Embargo(made.contest, PlainTextResponse("live"))
    viewers = [None, made.person("ann", "reds"), made.person("olga", organiser=True)]
    visitor, ann, olga = (sees(made, embargo, who) for who in viewers)
    assert [one.get("/").text for one in (visitor, ann, olga)] == ["live"] * 3
    made.clock.now += 10
    for address in (*BOARD, *MOVES):
        assert [one.get(address).status_code for one in (visitor, ann, olga)] == [503, 503, 200], address
    assert visitor.get("/static/site.css").text == "live"
    embargo.copy = "training", PlainTextResponse("copy")
    for address in (*BOARD, *MOVES):
        assert [one.get(address).text for one in (visitor, ann, olga)] == ["copy", "copy", "live"], address
    embargo.copy = "another", PlainTextResponse("copy")
    assert visitor.get("/").status_code == 503, "the copy is that of another phase"
    lift_freeze(made.contest, "olga", "the show is over")
    assert visitor.get("/").text == "live"


def test_a_freeze_ends_with_its_phase(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", freeze=at_time(NOON))
    visitor = sees(made, Embargo(made.contest, PlainTextResponse("live")), None)
    assert visitor.get("/").status_code == 503
    made.clock.now += 10**6
    assert visitor.get("/").text == "live"


@pytest.mark.parametrize("hides", [{"freeze": at_time(NOON)}, {"board": "hidden"}, {"board": "anonymous"}])
def test_what_a_phase_hides_stays_hidden_after_it_has_closed_until_it_is_revealed(
    tmp_path: Path, hides: dict[str, Any]
) -> None:
    made = made_with(tmp_path / "cup", reveal=at_time(NOON + 2 * 10**6), **hides)
    ann = made.person("ann", "reds")
    client = sees(made, Embargo(made.contest, PlainTextResponse("live")), ann)
    made.clock.now += 10**6
    assert made.contest.phase is None, "nothing may be entered any more"
    assert client.get("/").status_code in (403, 503)
    assert ("/" in menu_of(client.get("/submissions"))) == leads_to(made.contest, ann)("/")
    made.clock.now += 10**6
    assert client.get("/").text == "live"


@pytest.mark.parametrize(("hidden", "refused", "shown"), [("board", BOARD + MOVES, []), ("replays", MOVES, BOARD)])
def test_tables_or_replays_are_hidden_until_the_phase_closes(
    tmp_path: Path, hidden: str, refused: list[str], shown: list[str]
) -> None:
    made = made_with(tmp_path / "cup", **{hidden: "hidden"})
    embargo = Embargo(made.contest, PlainTextResponse("live"))
    ann, olga = sees(made, embargo, made.person("ann")), sees(made, embargo, made.person("olga", organiser=True))
    assert {ann.get(address).status_code for address in refused} == {403}
    assert {olga.get(address).status_code for address in refused} == {200}
    assert all(ann.get(address).text == "live" for address in shown)
    made.clock.now += 10**6
    assert {ann.get(address).status_code for address in refused} == {200}


@pytest.mark.parametrize("hides", [{"board": "hidden"}, {"board": "anonymous"}, {"replays": "hidden"}, {}])
def test_pages_of_a_contest_lead_to_no_table_or_match_that_their_viewer_may_not_see(
    tmp_path: Path, hides: dict[str, str]
) -> None:
    made = made_with(tmp_path / "cup", **hides)
    embargo = Embargo(made.contest, PlainTextResponse("live"))
    embargo.anonymous = "training", PlainTextResponse("aliases")
    ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
    made.playing(ann)
    for who in (None, ann, olga):
        client = sees(made, embargo, who)
        pages = ("/announcements", "/submissions", "/my-bots/mine", "/scrimmages")
        links = {link for page in pages for link in re.findall(r'href="(/[^"]*)"', client.get(page).text)}
        assert {client.get(link).status_code for link in links} == {200}, links
        sees_all = who is olga or not hides
        assert sees_all == ("/matches" in links and "/" in links) or "replays" in hides
        leads = leads_to(made.contest, who)
        paths = [*BOARD, *MOVES, "/combined", "/bots/x/against/y", "/api/bots/x"]
        assert [leads(path) for path in paths] == [client.get(path).status_code == 200 for path in paths]


@pytest.mark.slow
def test_a_page_that_a_browser_has_is_refused_as_soon_as_it_is_hidden(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup")
    with bluff(), site_at(str(filled(tmp_path / "league")), tmp_path) as site:
        embargo = Embargo(made.contest, create_app(site.views, around=around(made.contest)))
        ann = sees(made, embargo, made.person("ann"))
        known = {"If-None-Match": ann.get("/matches/m1").headers["etag"]}
        assert ann.get("/matches/m1", headers=known).status_code == 304
        hidden = made_with(tmp_path / "cup2", replays="hidden")
        there = sees(hidden, Embargo(hidden.contest, create_app(site.views, around=around(hidden.contest))), None)
        assert there.get("/matches/m1", headers=known).status_code == 403


@pytest.mark.slow
def test_logs_of_matches_after_the_freeze_wait_for_its_end(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", freeze=at_time(NOON))
    ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
    made.accepted(ann)
    with bluff():
        for seat in range(len(recorded("x").entrants)):
            printed(made, f"b000000-r{seat}")
        record = made.contest.ladder.output / "records" / "b000000-r0.match"
        address = "/my-bots/mine/logs/b000000-r0-seat0"
        assert browser(made, ann).get(address).status_code == 200, "it was played before"
        os.utime(record, (NOON, NOON))
        early = browser(made, ann).get(address)
        assert early.status_code == 409 and "freeze" in text(early)
        assert "b000000-r0-seat0" not in browser(made, ann).get("/my-bots/mine").text
        assert browser(made, olga).get(address).status_code == 200
        made.clock.now += 10**6
        assert browser(made, ann).get(address).status_code == 200


def test_why_a_frozen_copy_cannot_be_read_is_for_the_log_of_the_server_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = made_with(tmp_path / "cup", freeze=at_time(NOON))
    why = "[Errno 5] Input/output error: '/srv/cup/frozen/training.sqlite'"

    @contextmanager
    def failed(_source: object, show: Callable[[Summary], None]) -> Iterator[None]:
        show(Summary(trouble=why))
        yield

    monkeypatch.setattr("ballcourt.contest.web.embargo.kept_fresh", failed)
    with bluff(), site_at(str(filled(tmp_path / "results")), tmp_path) as site, ExitStack() as copies:
        embargo = Embargo(made.contest, create_app(site.views))
        made.clock.now += 1000
        embargo.freeze(site.views, copies)
        answer = sees(made, embargo, None).get("/")
    assert (answer.status_code, "the log of the server says why" in answer.text) == (503, True)
    assert "/srv" not in answer.text and why in caplog.text


@pytest.mark.slow
def test_the_copy_of_a_freeze_outlives_its_server_and_has_nothing_that_came_later(tmp_path: Path) -> None:
    made = made_with(tmp_path / "cup", freeze=at_time(NOON))
    with bluff(), site_at(str(filled(tmp_path / "results")), tmp_path) as site:
        for _ in range(2):
            embargo = Embargo(made.contest, create_app(site.views))
            announce(made.contest, "olga", "Soon", "The show begins.")
            with ExitStack() as copies:
                made.clock.now = NOON
                embargo.freeze(site.views, copies)
                assert embargo.copy is None, "the results have not been read since the freeze"
                made.clock.now += 1000
                embargo.freeze(site.views, copies)
                visitor = sees(made, embargo, None)
                assert wait_until(lambda: visitor.get("/").status_code == 200)  # noqa: B023  called at once
                assert "frozen as of" in text(visitor.get("/"))
                news = visitor.get("/news.atom").text
                assert "its first match" in news or "their first match" in news
                assert "the tables are frozen until phase training closes" in news and "<title>Soon" in news
                assert "m9" not in visitor.get("/news").text
                assert visitor.get("/matches/m1").status_code == 200
                assert visitor.get("/matches/m9").status_code == 404
            write_record(site.folder / "records", recorded("m9"))
            site.add()
        assert TestClient(create_app(site.views), base_url=HERE).get("/matches/m9").status_code == 200
        with ExitStack() as copies:
            made.clock.now += 10**7
            embargo.freeze(site.views, copies)
        assert embargo.copy is None and not (tmp_path / "cup" / "frozen" / "training.sqlite").exists()
