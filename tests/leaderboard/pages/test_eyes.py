"""What an eye sees of an event: at each size, light and dark, what a visitor needs first lies in the window and
uncovered, no column and no words are cut, and nothing moves under a pointer."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.leaderboard.store.database import open_database
from tests.arena.browser.test_eyes import CUT, HIDDEN, LOOKS
from tests.arena.replays.matches import played
from tests.arena.tournament.in_process import events
from tests.browser import chromium
from tests.leaderboard.made import random_tables
from tests.leaderboard.pages.cup import Cup
from tests.leaderboard.pages.made_site import bluff
from tests.leaderboard.pages.test_live_in_a_browser import serving

pytestmark = pytest.mark.slow

BOTS = tuple(
    f"{name}=random" for name in ("ann", "bob", "cid", "dan", "eve", "fay", "a-bot-whose-name-is-rather-long-1")
)
PLACED = """() => [...document.querySelectorAll("main h1, main a, main tr, main button, main input, main figure")]
  .map((one) => Object.values(one.getBoundingClientRect().toJSON()).join()).join(" ")"""
SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll(".scroll:not(.rounds, :has(> .matrix))")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.ariaLabel ?? "the page"} scrolls sideways`)"""
"""Returns what scrolls sideways, but for brackets and matrices, which may be of any width."""
SMALL = """(least) => [...document.querySelectorAll("main :is(td, th, p, a, li, small, button, text)")]
  .filter((one) => one.checkVisibility() && one.textContent.trim())
  .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM?.().a ?? 1)])
  .filter(([, size]) => size < least).map(([words, size]) => `${words} is written in letters of ${size} px`)"""
OUTSIDE = """() => [...document.querySelectorAll("svg.chart text")]
  .map((one) => [one, one.getBoundingClientRect(), one.closest("svg").getBoundingClientRect()])
  .filter(([, words, chart]) => words.width && (words.left < chart.left - 1 || words.right > chart.right + 1))
  .map(([one]) => `${one.textContent} lies outside of its chart`)"""
EMPTY = """() => [...document.querySelectorAll("figure:has(> .chart)")]
  .filter((card) => card.querySelector(".chart").clientWidth < card.clientWidth * 0.8)
  .map(() => "a chart fills only a part of its card")"""
BOARD = """(drawing) => {
  const { left, top, right, bottom, width, height } = drawing.getBoundingClientRect();
  const share = Math.round((100 * width * height) / innerWidth / innerHeight);
  return [
    ...(left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1 ? ["the board is cut"] : []),
    ...(share < 50 ? [`the board has ${share}% of its frame`] : []),
  ];
}"""
NEEDED = {
    "league": ["h1", ".leader", ".leader a"],
    "cup": ["h1", ".champion a", "figure iframe"],
    "running": ["h1", "[data-part=line]", "figure iframe"],
    "tournament": ["h1", ".champion a", ".facts"],
    "bot": ["h1", ".facts:first-of-type", "figure .chart"],
    "matrix": ["h1", ".tabs", ".matrix tbody tr:first-child :is(th, td:nth-of-type(3))"],
    "seats": ["h1", ".tabs", "figure .chart", "tbody tr:first-child :is(th, td:not(.wide))"],
    "openings": ["h1", ".tabs", ".tree > li:first-child small", "iframe"],
    "matches": ["h1", ".filters button"],
    "wall": ["h1", "[data-part=line]", "figcaption a", "iframe"],
}
"""What a visitor looks for first, by page."""
FILLED = ("cup", "running", "openings", "wall")
"""The pages with a board."""
LEAST_PX = 9


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        stack.enter_context(bluff())
        yield served(stack, tmp_path_factory.mktemp("eyes"))


def served(stack: ExitStack, scratch: Path) -> dict[str, str]:
    """Serve a league of two tables, an elimination that is over, and a match that is being played."""
    results = [
        replace(one, key=f"{seats}-{one.key}", identity=f"{seats}-{one.identity}", started="2026-11-22T12:00:00Z")
        for seats in (2, 4)
        for one in random_tables(np.random.default_rng(1), bots=6, seats=seats, blocks=6)
    ]
    with open_database(scratch / "all.sqlite", create=True) as database:
        database.add(results)
    (scratch / "cup").mkdir()
    event = Event().replaced(game="maya", bots=BOTS, seats=2, format="single-elimination", seed=1)
    list(events(scratch / "cup", event))
    watched = Cup(scratch / "watched")
    watched.records["m1"] = played("maya", 4)
    stack.enter_context(watched.held())
    watched.start()
    watched.broadcast(4)
    league, cup, wall = (
        f"http://127.0.0.1:{stack.enter_context(serving(scratch / name))}" for name in ("all.sqlite", "cup", "watched")
    )
    home = httpx2.get(f"{cup}/").text
    below, bot = (f"{cup}{re.findall(way, home)[0]}" for way in (r"/ladders/\w+", r"/bots/\w+"))
    return {
        "league": league,
        "cup": cup,
        "tournament": f"{cup}/tournament",
        "bot": bot,
        "matches": f"{cup}/matches",
        "running": f"{wall}/",
        "wall": f"{wall}/wall",
        **{name: f"{below}/{name}" for name in ("matrix", "seats", "openings")},
    }


@pytest.mark.parametrize("page", NEEDED)
def test_a_page_of_an_event_shows_what_is_needed_and_nothing_moves(page: str, addresses: dict[str, str]) -> None:
    wrong: list[str] = []
    with chromium() as browser:
        for (width, height), scheme in LOOKS:
            tab = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
            opened(tab, page, addresses[page])
            found = tab.evaluate(HIDDEN, NEEDED[page]) + [f"cut: {one}" for one in tab.evaluate(CUT)]
            found += tab.evaluate(SIDEWAYS) + tab.evaluate(SMALL, LEAST_PX) + tab.evaluate(OUTSIDE)
            found += tab.evaluate(EMPTY) + _moves(tab)
            found += board_of(tab).evaluate(BOARD) if page in FILLED else []
            wrong += [f"{width} {scheme}: {one}" for one in found]
            tab.context.close()
    assert not wrong, "\n".join(wrong)


def opened(tab: Any, page: str, address: str) -> None:  # noqa: ANN401
    """Open a page, and wait for its board if it has one."""
    tab.goto(address)
    tab.wait_for_selector(NEEDED[page][-1])
    if page in FILLED:
        board_of(tab).wait_for()


def board_of(tab: Any) -> Any:  # noqa: ANN401
    """Return the first drawing in the frame of a page."""
    return tab.locator("iframe").first.content_frame.locator(".drawing").first


def _moves(tab: Any) -> list[str]:  # noqa: ANN401
    """Return under which links and rows of the window something moves when a pointer rests there."""
    wrong, before = [], tab.evaluate(PLACED)
    for kind in ("main a", "tbody tr", "main button", "summary"):
        box = tab.locator(kind).first.bounding_box() if tab.locator(kind).count() else None
        if not box or box["y"] + box["height"] > tab.viewport_size["height"]:
            continue
        for step in (0, 1):
            tab.mouse.move(box["x"] + 5 + step, box["y"] + 5)
            if tab.evaluate(PLACED) != before:
                wrong.append(f"something moves when the pointer is on {kind}")
    return wrong
