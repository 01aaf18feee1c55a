"""Live pages in a browser, while the tournament and the server die and come back."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import uvicorn

from ballcourt.arena.replays.broadcast import BROADCASTS
from ballcourt.arena.temporary import scratch_folder
from ballcourt.leaderboard.pages import app, live
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.refresh import PageRefresher
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.views import Views
from tests.arena.conftest import PATIENCE_S
from tests.arena.replays.matches import played
from tests.bluff.installed import bluff_installed
from tests.browser import barriers, chromium, new_tab
from tests.leaderboard.pages.cup import Cup, InstantJudge

pytestmark = pytest.mark.slow


@contextmanager
def serving(place: Path, port: int = 0) -> Iterator[int]:
    """Serve the pages of a tournament or a database, whose tables are made in another thread; yield the port."""
    with scratch_folder() as scratch, socket.create_server(("127.0.0.1", port)) as listener, ExitStack() as stack:
        source = source_at(str(place), scratch)
        database = stack.enter_context(source.opened())
        over, read = Event(), Event()
        views, refresher = Views(source, database), PageRefresher(source, database)
        live = Live(place, over.is_set, views.newest, InstantJudge(2)) if place.is_dir() else None
        server = uvicorn.Server(uvicorn.Config(create_app(views, live), log_level="warning"))

        def refresh() -> None:
            while True:
                refresher.try_refresh()
                refresher.try_add_histories()
                views.show(refresher.summary)
                read.set()
                if over.wait(0.1):
                    return

        threads = [
            Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True),
            Thread(target=refresh, daemon=True),
        ]
        for thread in threads:
            thread.start()
        read.wait(PATIENCE_S)
        try:
            yield listener.getsockname()[1]
        finally:
            over.set()
            server.should_exit = True
            for thread in threads:
                thread.join(PATIENCE_S)
                assert not thread.is_alive()


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    with bluff_installed():
        cup = Cup(tmp_path / "cup")
        with cup.held():
            yield cup


@pytest.fixture
def maya(cup: Cup) -> Cup:
    """Return the cup with a match whose turns have several decisions."""
    cup.records["m1"] = played("maya", 2)
    return cup


@pytest.fixture
def tab(cup: Cup) -> Iterator[Any]:  # after the matches of the cup: the browser's event loop runs in this thread
    with new_tab() as opened:
        yield opened


def wait_for(tab: Any, part: str, text: str) -> None:  # noqa: ANN401
    says = "([part, text]) => document.querySelector(part)?.textContent.includes(text)"
    tab.wait_for_function(says, arg=[part, text])


def test_a_match_is_watched_while_its_run_and_the_server_die_and_come_back(cup: Cup, tab: Any) -> None:  # noqa: ANN401
    cup.start()
    cup.broadcast(2)
    where = "[data-part=where]"
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/")
        tab.click("[data-part=tables] a[href='/matches/m1']")
        wait_for(tab, where, "2 / 2")
        assert tab.is_visible("main")
        cup.broadcast(4)
        wait_for(tab, where, "4 / 4")
        tab.press("body", "Home")
        cup.broadcast(5)
        wait_for(tab, where, "0 / 5")  # a viewer who looks back is left there
    wait_for(tab, ".news", "The server does not answer")
    cup.begin()  # the run was killed as well
    cup.start()
    cup.broadcast(1, begins=True)
    with serving(cup.folder, port):
        wait_for(tab, where, "1 / 1")
        cup.broadcast(9)
        cup.play()
        tab.wait_for_selector("[data-part=observer] >> text=open cards", state="attached")  # the replay, by itself
        wait_for(tab, where, "9 / 9")
        assert tab.locator(".news").count() == 0


def test_the_list_of_decisions_grows_into_the_one_that_a_page_opens_with(maya: Cup, tab: Any) -> None:  # noqa: ANN401
    maya.start()
    maya.broadcast(2)
    where, log = "[data-part=where]", "[data-part=log]"
    with serving(maya.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/matches/m1")
        wait_for(tab, where, "2 / 2")
        tab.evaluate("for (const line of document.querySelectorAll('.log li')) line.isOld = true")
        for decisions in (3, 40, 90):
            maya.broadcast(decisions)
            wait_for(tab, where, f"{decisions} / {decisions}")
        is_old = tab.evaluate("Array.from(document.querySelectorAll('.log li'), (line) => line.isOld ?? false)")
        assert is_old == [True] * 2 + [False] * 88
        turns = "Array.from(document.querySelectorAll('.log .turn'), (turn) => turn.querySelectorAll('li').length)"
        seats = maya.records["m1"].decisions.seats[:90]
        assert tab.evaluate(turns) == [len([*run]) for _, run in groupby(seats)]
        grown = tab.inner_html(log)
        tab.reload()
        wait_for(tab, where, "90 / 90")
        assert tab.inner_html(log) == grown


def test_tables_follow_the_results_and_keep_the_order_that_was_chosen(cup: Cup, tab: Any) -> None:  # noqa: ANN401
    cup.start()
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/")
        wait_for(tab, ".live", "0 of 4 matches")
        cup.play()
        tab.wait_for_selector("table")
        tab.click("th:has-text('bot') button")
        tab.click("th:has-text('bot') button")
        tab.evaluate("document.querySelector('[data-notes]').textContent = 'old'")
        cup.start("m2")
        tab.wait_for_selector("[data-part=tables] a[href='/matches/m2']")
        cup.play("m2")
        tab.wait_for_selector("td bdi:text-is('4')")  # matches of the bot that has two seats
        assert tab.locator("tbody th a").all_inner_texts() == ["lowest", "highest"]
        assert "2 matches" in tab.inner_text("caption")
        assert "points ahead is placed above" in tab.inner_text("[data-notes]")
        cup.finish()
        wait_for(tab, ".live", "the tournament is over")
    assert not [*(cup.folder / BROADCASTS).glob("*.asked")], "the board at the front asks for no match any more"


def test_a_page_that_finds_the_server_full_says_so_and_its_tables_follow(
    cup: Cup,
    tab: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "MOST_STREAMS", 0)
    cup.start()
    cup.broadcast(2)
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/matches/m1")
        wait_for(tab, ".news", "The server is full: 0 browsers follow it")
        assert tab.is_hidden("main"), "there is nothing to show yet"
        tab.goto(f"http://127.0.0.1:{port}/")
        wait_for(tab, ".live", "The server is full")
        cup.play()
        tab.wait_for_selector("table")
        cup.start("m2")
        tab.wait_for_selector("[data-part=tables] a[href='/matches/m2']")
        cup.play("m2")
        tab.wait_for_selector("td bdi:text-is('4')")
        wait_for(tab, ".live", "The server is full")
        monkeypatch.setattr(live, "MOST_STREAMS", 1)
        wait_for(tab, ".live", "2 of 4 matches")


def test_an_open_page_says_why_its_tables_are_old_until_they_are_new(cup: Cup, tab: Any) -> None:  # noqa: ANN401
    cup.start()
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/")
        wait_for(tab, ".live", "0 of 4 matches")
        assert tab.is_hidden("#trouble")
        records = (cup.folder / "records").rename(cup.folder / "elsewhere")
        wait_for(tab, "#trouble", "These pages are not up to date: ")
        wait_for(tab, "#trouble", "No such file or directory")
        records.rename(cup.folder / "records")
        tab.wait_for_selector("#trouble", state="hidden")
        tab.route("**/", lambda route: route.fulfill(status=500))
        cup.play()  # needs a table that the page does not have
        wait_for(tab, "#trouble", "These pages are not up to date: the server answered 500")
        tab.unroute("**/")
        tab.wait_for_selector("table")
        assert tab.is_hidden("#trouble")


def test_axe_finds_no_barriers_on_live_pages(cup: Cup) -> None:
    cup.start()
    cup.broadcast(5)
    with chromium() as browser, serving(cup.folder) as port:
        for scheme, address, part in (("light", "/", ".live"), ("dark", "/matches/m1", ".player")):
            context = browser.new_context(color_scheme=scheme, viewport={"width": 360, "height": 740}, bypass_csp=True)
            tab = context.new_page()
            tab.goto(f"http://127.0.0.1:{port}{address}")
            tab.wait_for_selector(part)
            assert barriers(tab) == []
            assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_wall_shows_running_matches_and_gives_the_places_of_those_that_are_over_to_others(
    cup: Cup,
    tab: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "MOST_BOARDS", 1)
    cup.start()
    cup.broadcast(2)
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/")
        tab.click("text=Watch all boards")
        board = tab.frame_locator(".boards iframe")
        board.locator("[data-part=where]:has-text('2 / 2')").wait_for(state="attached")
        cup.broadcast(3)
        board.locator(".chart[aria-label^='chance to win']").wait_for(state="attached")
        cup.broadcast(9)
        cup.play()
        board.locator("[data-part=where]:has-text('9 / 9')").wait_for(state="attached")
        board.locator("[data-part=observer] >> text=open cards").wait_for(state="attached")  # it stays as a replay
        cup.start("m2")
        tab.locator(".boards a[href='/matches/m2']").wait_for()
        assert tab.locator(".boards iframe").count() == 1
        assert barriers(tab) == []


def test_the_front_shows_the_oldest_running_match_and_says_when_it_is_over(
    cup: Cup,
    tab: Any,  # noqa: ANN401
) -> None:
    cup.play("m2")  # with its table there, the page follows results without loading itself again
    cup.start()
    cup.broadcast(5)
    with serving(cup.folder) as port:
        tab.goto(f"http://127.0.0.1:{port}/")
        tab.locator("main table").first.wait_for()
        board = tab.frame_locator(".beside iframe")
        board.locator("[data-part=where]:has-text('5 / 5')").wait_for(state="attached")
        board.locator(".score:has-text('\u22121')").wait_for()  # a true minus
        tab.locator("figcaption >> text=Being played").wait_for()
        assert barriers(tab) == []
        cup.broadcast(9)
        cup.play()
        board.locator("[data-part=where]:has-text('9 / 9')").wait_for(state="attached")
        tab.locator("figcaption >> text=Just now").wait_for()
