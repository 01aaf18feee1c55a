"""The page of a replay in a browser, opened from disk and without a network."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.replays.document import Document, Ranked, document, observers
from ballcourt.arena.replays.judgement import judged, judgement_of
from ballcourt.arena.replays.page import write_page
from ballcourt.arena.replays.playouts import by_playouts
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.matches import GAMES, NAMES, played
from tests.arena.replays.test_page import HOSTILE, hostile
from tests.bluff.installed import bluff_installed
from tests.browser import barriers, chromium

pytestmark = pytest.mark.slow

DARK, LIGHT = {"color_scheme": "dark"}, {"color_scheme": "light"}
PHONE = {"viewport": {"width": 360, "height": 740}}
MATCHES = int(os.environ.get("BALLCOURT_REPLAYS", "1"))
"""How many random matches of each game are stepped through; `make replays` takes ten."""
STEP_THROUGH_ALL = """() => {
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const press = (name) => document.querySelector(`[data-do=${name}]`).click();
  if (part("forced").checked) part("forced").click();
  return Array.from(part("observer").options, (option) => {
    part("observer").value = option.value;
    part("observer").dispatchEvent(new Event("change"));
    press("first");
    const last = Number(part("slider").max);
    for (let step = 0; step < last; step++) press("forward");
    const scores = Array.from(document.querySelectorAll(".player .score"), (score) => Number(score.textContent));
    return [last, part("said").textContent.includes("The match is over"), scores];
  });
}"""
"""Steps through every replay of a page; returns the decisions of each, whether it is over then, and the points."""

COUNT_EARLY_LOOKS = """() => {
  const own = Element.prototype.getBoundingClientRect;
  window.early = window.later = 0;
  Element.prototype.getBoundingClientRect = function () {
    window[document.querySelector(".board svg") ? "later" : "early"]++;
    return own.call(this);
  };
}"""
"""Counts how often a script makes the browser lay out a page before and after there is a board."""

SHOWN_TURNS = """() => Array.from(document.querySelectorAll(".turn"), (turn) =>
  turn.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))"""
SEES_CURRENT = """() => new Promise((done) => {
  const look = (frames) => requestAnimationFrame(() => (frames ? look(frames - 1) : done(sees())));
  const sees = () => {
    const current = document.querySelector(".log [aria-current]") ?? document.querySelector(".log h3");
    const [log, line] = [document.querySelector(".log"), current].map((one) => one.getBoundingClientRect());
    return log.top <= line.top && line.bottom <= log.bottom;
  };
  look(9);
})"""
"""Returns whether the current decision can be seen in the list, once that has come to rest."""
IDLE_WRITES = """() => {
  const seen = new MutationObserver(() => {});
  const options = { subtree: true, attributes: true, attributeOldValue: true, childList: true };
  seen.observe(document.querySelector(".board"), options);
  const forward = document.querySelector("[data-do=forward]");
  const idle = new Set();
  const last = Number(document.querySelector("[data-part=slider]").max);
  for (let step = 0; step < last; step++) {
    forward.click();
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of seen.takeRecords()) {
      const [old, now] = [removedNodes[0], addedNodes[0]];
      if (type === "attributes" && target.getAttribute(attributeName) === oldValue) idle.add(attributeName);
      if (old?.nodeType === Node.TEXT_NODE && old.data === now?.data) idle.add(`text of ${target.tagName}`);
    }
  }
  return [...idle];
}"""
"""Steps through a match; returns what was written to the board though it was there already."""
DRAWN = """() => ['board', 'players', 'said'].map((part) => document.querySelector(`[data-part=${part}]`).innerHTML)"""
STEP_TO_AND_FRO = f"""(stops) => {{
  const drawn = {DRAWN};
  const forced = document.querySelector("[data-part=forced]");
  if (forced.checked) forced.click();
  const last = Number(document.querySelector("[data-part=slider]").max);
  const there = {{}}, back = {{}};
  for (const [way, found] of [["forward", there], ["back", back]]) {{
    for (let count = 0; count < last; count++) {{
      document.querySelector(`[data-do=${{way}}]`).click();
      const step = way === "forward" ? count + 1 : last - count - 1;
      if (stops.includes(step)) found[step] = drawn();
    }}
  }}
  return [there, back].map((found) => stops.map((stop) => found[stop]));
}}"""
"""Steps through a match and back again; returns what is drawn at some decisions, there and back."""


@cache
def random_matches(name: str) -> list[MatchRecord]:
    """Return the matches of the page "random-NAME". They are played before the browser starts."""
    if name == "bluff":
        return [recorded()]
    return [played(*GAMES[NAMES.index(name)], seed) for seed in range(5, 5 + MATCHES)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write all pages before the browser starts: its event loop keeps others from running."""
    folder = tmp_path_factory.mktemp("pages")
    with bluff_installed():
        records: dict[str, MatchRecord] = {f"{game}-{seats}": played(game, seats) for game, seats in GAMES}
        records |= {"bluff": recorded(), "hostile": hostile(recorded())}
        records |= {f"{game}-2": played(game, 2) for game in ("tzolkin", "maya", "ahau")}
        records |= {"lost": lost_seat(), "restarted": restarted(), "thoughtful": thoughtful()}
        views = {
            name: [document(record, observer) for observer in observers(record)] for name, record in records.items()
        }
        for name in (*NAMES, "bluff"):  # a page does not mind that its replays are not views of one match
            views[f"random-{name}"] = [document(record) for record in random_matches(name)]
        views["judged"] = [with_judgement(recorded())]
        views["strange"] = [of_other_rules(view) for view in views["ahau-3"]]
        for name, shown in views.items():
            write_page(folder / f"{name}.html", shown)
    return {name: folder / f"{name}.html" for name in views}


@pytest.fixture(scope="module")
def browser(files: dict[str, Path]) -> Iterator[Any]:
    with chromium() as started:
        yield started


def lost_seat() -> MatchRecord:
    """Return a match in which an illegal answer of seat 1 was forgiven at decision 1, and the seat crashed at 4."""
    record = recorded()
    record.results[1].termination = Termination.TERMINATION_CRASH
    record.tolerated.add(
        seat=1, decision=1, termination=Termination.TERMINATION_ILLEGAL, detail="it bid 9", remedy="retry"
    )
    record.faults.add(seat=1, decision=4, termination=Termination.TERMINATION_CRASH, detail="it left")
    for number in range(4, len(record.decisions.seats)):
        if record.decisions.seats[number] == 1:
            record.decisions.decided_by[number] = DecidedBy.DECIDED_BY_NOBODY
    return record


def restarted() -> MatchRecord:
    """Return a match in which seat 2 came up only when it was started again."""
    record = recorded()
    failed = Termination.TERMINATION_FAILED_TO_START
    record.tolerated.add(seat=2, termination=failed, detail="it had no memory", remedy="retry")
    return record


def thoughtful() -> MatchRecord:
    """Return a match whose bots explain themselves at length, in many lines and in words without an end."""
    record = recorded()
    for number in range(len(record.decisions.seats)):
        record.decisions.thoughts[number] = "\n".join(("they bid low; " * 9, "a" * 400) * 20)
    return record


def with_judgement(record: MatchRecord) -> Document:
    """Return a match whose second decision was worse than another one, and whose bot drew attention to a place."""
    (first, second, *_) = by_playouts(record, 9, lambda _: None)
    ranked: list[Ranked] = [
        {"action": 1, "label": "Bid 1", "value": 0.5, "visits": 400},
        {"action": 3, "label": "Bid 3", "value": 0.1, "visits": 400},
    ]
    second = {**second, "estimate": {**second["estimate"], "ranked": ranked, "spread": 1.0}}
    return judged(document(record), judgement_of(record, "an oracle", [first, second]))


def of_other_rules(view: Document) -> Document:
    """Return a view of scenes that the drawing of its game cannot draw."""
    return {**view, "rules_version": "0", "first": {**view["first"], "board": {"tide": "high"}}}


@dataclass
class Viewer:
    """A page in the browser, with everything that went wrong on it."""

    files: dict[str, Path]
    tab: Any
    problems: list[str] = field(default_factory=list)

    def open(self, name: str, address: str = "") -> None:
        self.tab.goto("about:blank")  # an address on the same page would not load it again
        self.tab.goto(f"file://{self.files[name]}{address}")
        self.tab.wait_for_selector(".player")

    def where(self) -> str:
        return str(self.tab.inner_text("[data-part=where]"))

    def text(self, part: str) -> str:
        return str(self.tab.inner_text(f"[data-part={part}]"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)


def opened(browser: Any, files: dict[str, Path], **settings: Any) -> Viewer:  # noqa: ANN401
    tab = browser.new_context(**{"reduced_motion": "reduce", **settings}).new_page()
    tab.set_default_timeout(120_000)
    viewer = Viewer(files, tab)
    tab.on("console", lambda message: viewer.problems.append(message.text))
    tab.on("pageerror", lambda error: viewer.problems.append(str(error)))
    tab.on("dialog", lambda dialog: viewer.problems.append(f"a dialog: {dialog.message}"))
    tab.on("request", lambda request: viewer.problems.extend([] if _is_own(request.url) else [request.url]))
    return viewer


def _is_own(address: str) -> bool:
    return address.startswith(("file:", "data:", "about:", "blob:"))


@pytest.fixture
def viewer(browser: Any, files: dict[str, Path]) -> Iterator[Viewer]:  # noqa: ANN401
    shown = opened(browser, files, viewport={"width": 1280, "height": 900})
    yield shown
    shown.tab.context.close()
    assert shown.problems == []


@pytest.mark.parametrize("name", [*NAMES, "bluff"])
def test_matches_can_be_stepped_through_and_end_with_their_results(viewer: Viewer, name: str) -> None:
    viewer.open(f"random-{name}")
    shown = viewer.tab.evaluate(STEP_THROUGH_ALL)
    expected = random_matches(name)
    assert [(steps, is_over) for steps, is_over, _ in shown] == [(len(one.decisions.seats), True) for one in expected]
    for (_, _, scores), record in zip(shown, expected, strict=True):
        assert scores[: len(record.results)] == [result.score for result in record.results]


@pytest.mark.parametrize("name", [*NAMES, "bluff"])
def test_seeking_shows_what_stepping_shows_in_both_directions(viewer: Viewer, name: str) -> None:
    viewer.open(name, "#0/all")
    last = int(viewer.tab.get_attribute("[data-part=slider]", "max"))
    stops = sorted({1, last // 5, last // 2, last - 3})
    stepped = viewer.tab.evaluate(STEP_TO_AND_FRO, stops)
    for stop, forth, back in zip(stops, *stepped, strict=True):
        viewer.open(name, f"#{stop}/all")
        sought = viewer.tab.evaluate(f"({DRAWN})()")
        assert forth == sought, stop
        assert back == sought, stop


@pytest.mark.parametrize("name", NAMES)
def test_a_step_writes_nothing_to_the_board_that_is_there_already(viewer: Viewer, name: str) -> None:
    viewer.open(name, "#0/all")
    assert viewer.tab.evaluate(IDLE_WRITES) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_board_stays_where_it_is_from_step_to_step(viewer: Viewer, name: str) -> None:
    tops = """() => Array.from({ length: 60 }, () => {
      document.querySelector("[data-do=forward]").click();
      return document.querySelector(".board").getBoundingClientRect().top;
    })"""
    viewer.open(name, "#20/all")
    viewer.tab.click("[data-part=forced]")
    assert len(set(viewer.tab.evaluate(tops))) == 1


def test_the_address_follows_when_moves_rest(viewer: Viewer) -> None:
    viewer.open("maya-4", "#0/all")
    viewer.tab.evaluate("""() => {
      const own = history.replaceState.bind(history);
      window.written = [];
      history.replaceState = (...given) => { window.written.push(given[2]); own(...given); };
    }""")
    viewer.tab.evaluate("""() => new Promise((done) => {
      const step = (left) => {
        document.querySelector("[data-do=forward]").click();
        left ? requestAnimationFrame(() => step(left - 1)) : done();
      };
      step(4);
    })""")
    viewer.tab.wait_for_function("() => location.hash === '#5/all'")
    assert viewer.tab.evaluate("window.written") == ["#5/all"]


def test_keys_go_by_decision_turn_and_round_and_to_the_ends(viewer: Viewer) -> None:
    viewer.open("maya-4")
    viewer.press("End")
    last = viewer.where()
    assert last.split(" ")[0] == last.split(" ")[2]
    viewer.press("Home", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert viewer.where().startswith("1 /")
    viewer.press("Home", "PageDown")
    assert "round 2" in viewer.where()
    viewer.press("PageUp")
    assert viewer.where().startswith("0 /")
    viewer.press("Shift+ArrowRight")
    assert int(viewer.where().split(" ")[0]) > 1


def test_a_link_leads_to_a_decision_as_one_seat_saw_it(viewer: Viewer) -> None:
    viewer.open("maya-4", "#40/seat2")
    assert viewer.where().startswith("40 /")
    assert (
        viewer.tab.evaluate("document.querySelector('[data-part=observer]').selectedOptions[0].text")
        == "seat 2: random 1"
    )
    assert viewer.tab.locator(".rack").count() == 1
    viewer.tab.select_option("[data-part=observer]", "0")
    assert viewer.tab.locator(".rack").count() == 4
    viewer.tab.wait_for_function("() => location.hash === '#40/all'")
    viewer.tab.select_option("[data-part=observer]", "1")
    assert viewer.tab.locator(".rack").count() == 0


def test_playing_ends_at_the_end(viewer: Viewer) -> None:
    viewer.open("bluff", "#0/all")
    viewer.tab.select_option("[data-part=speed]", "fast")
    viewer.tab.click("[data-do=play]")
    viewer.tab.wait_for_function("() => document.querySelector('[data-part=where]').textContent.startsWith('9 / 9')")
    assert viewer.tab.get_attribute("[data-do=play]", "aria-pressed") == "false"


def test_the_list_of_decisions_leads_to_them_and_shows_thoughts(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#0/all")
    viewer.tab.click("[data-step='30'] button")
    assert viewer.where().startswith("31 /")
    assert viewer.tab.get_attribute("[data-step='30']", "aria-current") == "step"
    assert "one of " in viewer.text("log")


def test_a_page_is_laid_out_only_once_it_is_whole(viewer: Viewer) -> None:
    viewer.tab.add_init_script(f"({COUNT_EARLY_LOOKS})()")
    viewer.open("tzolkin-4", "#0/all")
    viewer.tab.wait_for_function("() => window.later > 0")
    assert viewer.tab.evaluate("window.early") == 0


def test_turns_that_nobody_sees_are_not_laid_out_and_are_found_all_the_same(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#0/all")
    assert viewer.tab.evaluate(SHOWN_TURNS).count(True) < 60
    for key in ("End", "PageUp", "Home", "PageDown"):
        viewer.press(key)
        assert viewer.tab.evaluate(SEES_CURRENT), key


def test_forced_decisions_are_folded_away(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#0/all")
    forced = viewer.tab.locator(".log .forced")
    assert forced.count() > 0
    assert not forced.first.is_visible()
    viewer.tab.uncheck("[data-part=forced]")
    assert forced.first.is_visible()


def test_a_lost_seat_is_marked_and_explained(viewer: Viewer) -> None:
    viewer.open("lost", "#0/all")
    assert viewer.tab.locator(".chart .fault.p1").count() == 1
    assert "the seat is vacant" in viewer.text("log")
    viewer.press("End")
    assert "crash: it left" in viewer.text("players")
    viewer.tab.select_option("[data-part=observer]", "1")
    assert viewer.tab.locator(".chart .fault").count() == 0
    assert "it left" not in viewer.tab.inner_text("body")


def test_a_failed_start_that_was_tolerated_is_marked_at_the_beginning_and_explained_to_its_seat(viewer: Viewer) -> None:
    viewer.open("restarted", "#0/all")
    mark = viewer.tab.locator(".chart .tolerated.p2")
    assert (mark.count(), mark.get_attribute("x1")) == (1, "0")
    sentence = "lowest 1 failed to start, started again: it had no memory"
    assert sentence in viewer.text("said")
    assert sentence in viewer.text("log")
    viewer.press("End")
    assert sentence not in viewer.text("said")
    viewer.tab.select_option("[data-part=observer]", label="seat 0: lowest 1")
    assert viewer.tab.locator(".chart .tolerated").count() == 0
    assert "it had no memory" not in viewer.tab.inner_text("body")


def test_a_fault_that_was_tolerated_is_marked_and_explained_to_its_seat(viewer: Viewer) -> None:
    viewer.open("lost", "#2/all")
    assert viewer.tab.locator(".chart .tolerated.p1").count() == 1
    sentence = "illegal, asked again: it bid 9"
    assert sentence in viewer.text("said")
    assert sentence in viewer.text("log")
    viewer.tab.select_option("[data-part=observer]", label="seat 0: lowest 1")
    assert viewer.tab.locator(".chart .tolerated").count() == 0
    assert "it bid 9" not in viewer.tab.inner_text("body")


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


def test_starting_wealth_is_drawn_beside_the_gears_while_it_is_chosen(viewer: Viewer) -> None:
    top = "selector => document.querySelector(selector).getBoundingClientRect().top"
    viewer.open("tzolkin-4", "#0/seat1")
    assert viewer.tab.locator(".mine .holdings.p1 .card").count() == 4
    assert viewer.tab.evaluate(top, ".mine .card") < viewer.tab.evaluate(top, ".gear:last-of-type")
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


def test_a_position_can_be_read_as_words(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#100/all")
    viewer.tab.click("summary")
    viewer.tab.wait_for_selector("[data-part=text]:not(:empty)")  # filled by an event that comes after the click
    words = viewer.text("text")
    assert "worker of random 1" in words
    assert "Round " in words


def test_hostile_names_and_thoughts_are_only_text(viewer: Viewer) -> None:
    viewer.open("hostile", "#3/all")
    assert viewer.tab.locator("img").count() == 0
    shown = viewer.tab.inner_text("body")
    assert "</script><img src=x" in shown
    assert "\\u202e\\u001b[31m" in shown
    assert not {"\u202e", "\x1b"} & set(shown)
    assert HOSTILE not in shown


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


AXE = [("tzolkin-4", DARK), ("maya-4", LIGHT), ("maya-4", PHONE), ("ahau-3", LIGHT), ("thoughtful", DARK)]


@pytest.mark.parametrize(("name", "look"), AXE)
def test_axe_finds_no_barriers(browser: Any, files: dict[str, Path], name: str, look: Any) -> None:  # noqa: ANN401
    shown = opened(browser, files, **{"viewport": {"width": 1280, "height": 900}, "bypass_csp": True, **look})
    shown.open(name, "#90/all")
    assert barriers(shown.tab) == []


def test_scenes_that_the_drawing_of_their_game_does_not_know_are_drawn_plainly(viewer: Viewer) -> None:
    viewer.open("strange", "#60")
    assert "high" in viewer.text("board")
    viewer.press("End")
    assert "The match is over" in viewer.text("said")


def test_what_a_judge_liked_better_stands_beside_the_decision(viewer: Viewer) -> None:
    viewer.open("judged", "#2")
    assert "an oracle liked better:" in viewer.text("said")
    assert "Bid 1 0.50 (400 tries)" in viewer.text("said")
    viewer.open("judged", "#1")
    assert "liked better" not in viewer.text("said")
    courses = viewer.tab.eval_on_selector_all("[data-part=course] option", "all => all.map(one => one.textContent)")
    assert courses[:4] == ["points", "chance to win", "expected place", "expected points"]
    viewer.tab.select_option("[data-part=course]", "expected place")
    assert viewer.tab.get_attribute(".chart", "aria-label") == "expected place from 3 to 1 over 9 decisions"


def test_chapters_and_words_lead_to_decisions(viewer: Viewer) -> None:
    viewer.open("maya-4")
    viewer.tab.select_option("[data-part=chapters]", index=1)
    assert not viewer.where().startswith("0 /")
    viewer.tab.fill("[data-part=find]", "no such thing")
    viewer.press("Enter")
    before = viewer.where()
    viewer.tab.fill("[data-part=find]", "plant")
    viewer.press("Enter")
    assert viewer.where() != before
    assert "plant" in viewer.tab.inner_text("[data-part=said] .made").lower()


def test_the_score_sheet_adds_up_to_the_points(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#9999")
    scores = viewer.tab.eval_on_selector_all(".player .score", "all => all.map(one => Number(one.textContent))")
    cells = viewer.tab.eval_on_selector_all(".sheet tr:last-child td", "all => all.map(one => Number(one.textContent))")
    assert cells == pytest.approx(scores)


def test_the_points_of_a_player_by_source_are_areas_that_add_up_to_them(viewer: Viewer) -> None:
    viewer.open("maya-4", "#9999")
    viewer.tab.select_option("[data-part=course]", index=1)
    names = viewer.tab.eval_on_selector_all(".chart .area title", "all => all.map(one => one.textContent)")
    assert sorted(names) == ["cities", "plantations"]
    tops = "all => all.map(one => Math.min(...one.getAttribute('points').split(/[ ,]/).filter((_, at) => at % 2)))"
    highest = viewer.tab.eval_on_selector_all(".chart .area", tops)
    assert min(highest) == pytest.approx(6), "the top of the chart is what the player has in all"
    assert len({*highest}) == 2


def test_a_position_is_saved_as_a_picture(viewer: Viewer) -> None:
    viewer.open("tzolkin-4", "#40")
    viewer.tab.click("summary:text('Share')")
    with viewer.tab.expect_download() as download:
        viewer.tab.click("[data-part=picture]")
    assert download.value.suggested_filename == "tzolkin-4-40.png"
    content = Path(download.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 50_000  # an empty board takes less


def test_the_turn_that_is_shown_is_saved_as_a_film_and_the_position_stays(viewer: Viewer) -> None:
    viewer.open("bluff", "#2")
    viewer.tab.click("summary:text('Share')")
    with viewer.tab.expect_download() as download:
        viewer.tab.click("[data-part=film]")
    assert download.value.suggested_filename == "match-1-2.webm"
    assert Path(download.value.path()).read_bytes().startswith(b"\x1aE\xdf\xa3"), "the sign of Matroska files"
    assert viewer.where().startswith("2 / ")
