"""What a replay looks like in a browser: where boards lie, that words fit and that everyone can read them."""

from pathlib import Path
from typing import Any

import pytest

from tests.arena.browser.test_eyes import HIDDEN
from tests.arena.replays.matches import NAMES
from tests.arena.replays.viewer.pages import DARK, LIGHT, PHONE, Viewer, opened
from tests.browser import barriers

pytestmark = pytest.mark.slow

AXE = [("tzolkin-4", DARK), ("maya-4", LIGHT), ("maya-4", PHONE), ("ahau-3", LIGHT), ("thoughtful", DARK)]


@pytest.mark.parametrize(("width", "height"), [(900, 700), (1400, 900)])
def test_the_controls_leave_the_first_board_free(browser: Any, files: dict[str, Path], width: int, height: int) -> None:  # noqa: ANN401
    shown = opened(browser, files, viewport={"width": width, "height": height})
    for name in (*NAMES, "bluff"):
        shown.open(name, "#60/all")
        bottom = shown.tab.evaluate("(document.querySelector('.drawing, .board-words')).getBoundingClientRect().bottom")
        assert bottom <= shown.tab.evaluate("document.querySelector('nav').getBoundingClientRect().top"), name
    assert shown.problems == []


@pytest.mark.parametrize(
    ("name", "own"),
    [("tzolkin-4", ".mine .holdings"), ("maya-4", ".racks [data-rack='1']"), ("ahau-3", ".beside .estate")],
)
def test_what_a_player_has_lies_next_to_the_map_and_not_under_the_controls(viewer: Viewer, name: str, own: str) -> None:
    viewer.open(name, "#60/seat1")
    names = (".board .drawing", f".board {own}", "nav")
    scene, mine, controls = (viewer.tab.locator(part).first.bounding_box() for part in names)
    assert mine["x"] >= scene["x"] + scene["width"]
    assert scene["y"] <= mine["y"] < mine["y"] + mine["height"] <= controls["y"]


@pytest.mark.parametrize("view", ["seat0", "seat1", "all"])
@pytest.mark.parametrize(
    ("name", "hand"), [("tzolkin-2", ".goods-row"), ("ahau-2", ".estate svg"), ("maya-2", ".cities")]
)
def test_what_both_of_two_players_have_is_seen_at_once(
    browser: Any,  # noqa: ANN401
    files: dict[str, Path],
    name: str,
    hand: str,
    view: str,
) -> None:
    shown = opened(browser, files, viewport={"width": 1280, "height": 800})
    shown.open(name, f"#60/{view}")
    bottoms = "(boxes) => boxes.map((box) => box.getBoundingClientRect().bottom)"
    controls = shown.tab.locator("nav").bounding_box()["y"]
    assert max(shown.tab.locator(hand).evaluate_all(bottoms)) <= controls
    shown.tab.context.close()


@pytest.mark.parametrize(("name", "hand", "width"), [("ahau-3", ".estate svg", 1440), ("maya-4", ".rack", 1280)])
def test_what_more_players_have_is_seen_at_once(
    browser: Any,  # noqa: ANN401
    files: dict[str, Path],
    name: str,
    hand: str,
    width: int,
) -> None:
    shown = opened(browser, files, viewport={"width": width, "height": width * 5 // 8})
    shown.open(name, "#60/all")
    assert shown.tab.evaluate(HIDDEN, [hand]) == []
    shown.tab.context.close()


def test_starting_wealth_is_drawn_beside_the_gears_while_it_is_chosen(viewer: Viewer) -> None:
    bottom = "selector => document.querySelector(selector).getBoundingClientRect().bottom"
    viewer.open("tzolkin-4", "#0/seat1")
    assert viewer.tab.locator(".mine .holdings.p1 .card").count() == 4
    assert viewer.tab.evaluate(bottom, ".mine .card") < viewer.tab.evaluate(bottom, ".left .drawing")
    viewer.open("tzolkin-4", "#300/seat1")
    assert viewer.tab.locator(".holdings.offered").count() == 0


def test_gears_turn_in_their_places_but_not_at_first_or_in_a_hurry(browser: Any, files: dict[str, Path]) -> None:  # noqa: ANN401
    centres = """() => Array.from(document.querySelectorAll("polygon.gear"), (gear) => {
      const { x, y, width, height } = gear.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })"""
    hurry = """() => {
      for (const name of ["first", "last"]) document.querySelector(`[data-do=${name}]`).click();
      return document.getAnimations().length;
    }"""
    finish = "() => document.getAnimations().map((motion) => motion.finish()).length"
    shown = opened(browser, files, reduced_motion="no-preference", viewport={"width": 1280, "height": 900})
    session = shown.tab.context.new_cdp_session(shown.tab)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0})  # whatever moves stays at its beginning
    shown.open("tzolkin-4", "#300/all")
    assert shown.tab.evaluate(finish) == 0
    opening = shown.tab.evaluate(centres)
    assert shown.tab.evaluate(hurry) == 0
    shown.open("tzolkin-4", "#300/all")
    shown.tab.keyboard.press("PageDown")
    begun = shown.tab.evaluate(centres)
    assert shown.tab.evaluate(finish) == len(begun) == 6
    for first, before, after in zip(opening, begun, shown.tab.evaluate(centres), strict=True):
        assert before == pytest.approx(first, abs=10)
        assert after == pytest.approx(first, abs=10)
    shown.tab.context.close()


def test_the_card_of_a_player_has_an_edge_of_its_colour(viewer: Viewer) -> None:
    viewer.open("maya-4", "#60/all")
    edge = "all => all.map(one => getComputedStyle(one).borderLeft)"
    assert len({*viewer.tab.eval_on_selector_all(".player", edge)}) == 4


def test_the_smallest_letters_on_cards_are_large_enough(browser: Any, files: dict[str, Path]) -> None:  # noqa: ANN401
    sizes = """() => Array.from(document.querySelectorAll(".cards text"),
      (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    for width in (360, 1280):
        shown = opened(browser, files, viewport={"width": width, "height": 900})
        for step in (0, 300):
            shown.open("tzolkin-4", f"#{step}/all")
            assert min(shown.tab.evaluate(sizes)) >= 11, (width, step)
        shown.tab.context.close()


@pytest.mark.parametrize("name", NAMES)
def test_words_do_not_reach_beyond_their_drawing(viewer: Viewer, name: str) -> None:
    cut = """() => Array.from(document.querySelectorAll(".board svg text"), (text) => {
      const [words, drawing] = [text, text.ownerSVGElement].map((one) => one.getBoundingClientRect());
      return words.left < drawing.left - 1 || words.right > drawing.right + 1 ? text.textContent : "";
    }).filter(Boolean)"""
    viewer.open(name, "#60/all")
    assert viewer.tab.evaluate(cut) == []


def test_a_phone_needs_no_sideways_scrolling(browser: Any, files: dict[str, Path]) -> None:  # noqa: ANN401
    shown = opened(browser, files, viewport={"width": 360, "height": 740})
    for name in (*NAMES, "bluff", "hostile", "thoughtful"):
        shown.open(name, "#50/all")
        assert shown.tab.evaluate("document.documentElement.scrollWidth") <= 360, name
    assert shown.problems == []


def test_the_keyboard_scrolls_the_score_sheet_and_not_the_match(browser: Any, files: dict[str, Path]) -> None:  # noqa: ANN401
    shown = opened(browser, files, **PHONE)
    shown.open("maya-4", "#90/all")
    shown.tab.click("text=Where the points came from")
    shown.tab.focus(".sheet:has(table)")
    shown.press("ArrowRight")
    shown.tab.wait_for_function("() => document.querySelector('.sheet').scrollLeft > 0")
    assert shown.where().startswith("90 /")


@pytest.mark.parametrize(("name", "look"), AXE)
def test_axe_finds_no_barriers(browser: Any, files: dict[str, Path], name: str, look: Any) -> None:  # noqa: ANN401
    shown = opened(browser, files, **{"viewport": {"width": 1280, "height": 900}, "bypass_csp": True, **look})
    shown.open(name, "#90/all")
    assert barriers(shown.tab) == []
