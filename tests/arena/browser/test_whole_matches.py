"""Whole matches that a person plays on the page: each game by the keyboard alone, one by touch on a phone."""

from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from tests.arena.browser.test_playing import PLAY, serving
from tests.arena.conftest import wait_until
from tests.browser import barriers, chromium

pytestmark = pytest.mark.slow

READY = """() => document.querySelector(".choices .sheet")
  || document.querySelector(".choices button:not(:disabled)") !== null"""
OVER = "() => document.querySelector('.choices .sheet') !== null"
TOLD = "() => Array.from(document.querySelectorAll('.moves li'), (line) => line.textContent)"
LISTED = """() => Array.from(document.querySelectorAll(".log li[data-step]"), (line) => [
  line.classList.contains("forced") ? null : line.closest(".turn").classList.contains("p0"),
  line.querySelector(".label").textContent,
])"""
"""Returns every decision of the list: whether it is the person's, null for what the rules forced, and its words."""
FOCUSED = "() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName"


def _is_over(tab: Any) -> bool:  # noqa: ANN401
    tab.wait_for_function(READY, polling=5)
    return bool(tab.evaluate(OVER))


def _checked(folder: Path) -> None:
    assert wait_until(lambda: not list(folder.glob("*.saved")))
    (path,) = folder.glob("*.match")
    assert verify(read_record(path)).agrees


def _is_told_what_the_other_did(tab: Any) -> bool:  # noqa: ANN401
    """Check the lines about the opponent's moves since the person's last choice; return whether there are any."""
    told, listed = tab.evaluate(f"() => [({TOLD})(), ({LISTED})()]")
    *_, since = [0, *(number + 1 for number, (is_own, _) in enumerate(listed) if is_own)]
    free = [label for is_own, label in listed[since:] if is_own is not None]
    words = [label.replace("something secret", "chooses in secret") for label in free]
    assert told == ([f"first-legal 1: {'; '.join(words[-12:])}"] if words else [])
    return bool(told)


@pytest.mark.parametrize("game", ["tzolkin", "maya", "ahau"])
def test_a_whole_match_is_played_by_the_keyboard_alone(game: str, tmp_path: Path) -> None:
    seed = "11"  # in Maya, the rules decide for the person twice after the other one's turn
    match = *PLAY, game, "human", "first-legal", "--seed", seed, "--port", "0", "--record-dir", str(tmp_path)
    with chromium() as browser, serving(*match) as (address, process):
        tab = browser.new_context(bypass_csp=True).new_page()
        tab.set_default_timeout(300_000)
        tab.goto(address)
        answers = told = 0
        tab.wait_for_selector(".choices button")
        tab.locator("#ask").focus()
        while not _is_over(tab):
            assert tab.evaluate(FOCUSED) == "ask", "the question has the focus"
            told += _is_told_what_the_other_did(tab)
            if answers in (3, 40):
                assert barriers(tab) == []
            for _ in range(1 + answers % min(3, tab.locator(".choices button").count())):
                tab.keyboard.press("Tab")
            if tab.evaluate(FOCUSED) == "moves":  # a list that is so long that it can be scrolled
                tab.keyboard.press("Tab")
            tab.keyboard.press("Enter")
            answers += 1
        assert answers > told > 10
        tab.wait_for_selector(".choices th:has-text('in all')")
        tab.goto("about:blank")  # the server ends with its page
        assert process.wait() == 0
    _checked(tmp_path)


def test_a_whole_match_is_played_by_touch_on_a_phone(tmp_path: Path) -> None:
    match = *PLAY, "maya", "human", "first-legal", "--seed", "7", "--port", "0", "--record-dir", str(tmp_path)
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "bypass_csp": True}
    with chromium() as browser, serving(*match) as (address, process):
        tab = browser.new_context(**phone).new_page()
        tab.set_default_timeout(300_000)
        tab.goto(address)
        tab.wait_for_selector(".choices button")
        on_board = 0
        while not _is_over(tab):
            things = tab.locator("svg .offer")
            if things.count():  # what is offered lies on the board, and nothing covers it
                things.first.tap()
                on_board += 1
            if not tab.locator(".choices button:not(:disabled):not(.all)").count():
                continue
            if not things.count() or tab.locator(".choices .all").count():
                tab.locator(".choices button").first.tap()
            if on_board == 2:
                assert barriers(tab) == []
                assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert on_board > 20
        tab.goto("about:blank")  # the server ends with its page
        assert process.wait() == 0
    _checked(tmp_path)
