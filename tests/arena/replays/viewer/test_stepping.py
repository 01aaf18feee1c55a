"""Ways through a replay in a browser: by step, turn, round, key, link and list, and what the page writes on the way."""

import pytest

from tests.arena.replays.matches import NAMES
from tests.arena.replays.viewer.pages import Viewer, random_matches

pytestmark = pytest.mark.slow

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
    const scores = Array.from(document.querySelectorAll(".player .score"), (score) =>
      Number(score.textContent.replace("\u2212", "-")),
    );
    return [last, part("said").textContent.includes("The match is over"), scores];
  });
}"""
"""Steps through every replay of a page; returns the decisions of each, whether it is over then, and the points."""
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
        == "random 1 (player 3)"
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


def test_turns_out_of_sight_are_not_laid_out_and_are_found_all_the_same(viewer: Viewer) -> None:
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


def test_turning_points_and_words_lead_to_decisions(viewer: Viewer) -> None:
    viewer.open("maya-4")
    viewer.tab.click("[data-part=turningPoints] li:first-child :is(a, button)")
    assert not viewer.where().startswith("0 /")
    viewer.tab.fill("[data-part=find]", "no such thing")
    viewer.press("Enter")
    before = viewer.where()
    viewer.tab.fill("[data-part=find]", "plant")
    viewer.press("Enter")
    assert viewer.where() != before
    assert "plant" in viewer.tab.inner_text("[data-part=said] .made").lower()
