"""What an eye sees of a table: at each size, light and dark, what is needed now lies inside the window
and uncovered, nothing moves under a pointer that rests or moves by a pixel, and no words are cut."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.browser.test_playing import FINISH, PLAY, serving
from tests.browser import chromium
from tests.words import faults_of

pytestmark = pytest.mark.slow

SIZES = ((1440, 900), (1280, 800), (390, 844))
LOOKS = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]
HIDDEN = """(selectors) => selectors.flatMap((selector) => {
  const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  return all.length ? all.flatMap((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const name = `${selector} "${one.textContent.slice(0, 20)}"`;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      return [`${name} is outside: ${[left, top, right, bottom].map(Math.round)} of ${innerWidth}, ${innerHeight}`];
    const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return one.contains(on) || on?.contains(one) ? [] : [`${name} is covered by ${on?.className || on?.tagName}`];
  }) : [`${selector} is missing`];
})"""
"""Returns which of some things are not there, not wholly in the window, or covered."""
CUT = """() => [...document.querySelectorAll("h1, h2, h3, button, a, label, td, th, .axis, .name, .label, small")]
  .filter((one) => one.checkVisibility() && one.textContent.trim() && (one.scrollWidth > one.clientWidth + 1)
    && one.clientWidth && ["hidden", "clip"].includes(getComputedStyle(one).overflowX))
  .map((one) => one.textContent)"""
SMALL = """([what, least]) => [...document.querySelectorAll(what)]
  .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < least - 0.5)
  .map(([one, { width, height }]) => `${one.textContent} ${Math.round(width)} x ${Math.round(height)}`)"""
PLACES = """() => [...document.querySelectorAll(".ask button, .ask a, .board, .drawing, .ask h2")]
  .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height].join(); })
  .join(" ")"""
FRAMES = f"""() => new Promise((done) => {{
  const seen = [];
  const look = () => {{
    seen.push(({PLACES})());
    if (seen.length < 6) requestAnimationFrame(look); else done(new Set(seen).size);
  }};
  look();
}})"""
"""Returns how many layouts six pictures show."""
READ = """() => {
  window.read ??= new Set();
  document.body.innerText.split("\\n").forEach((line) => window.read.add(line));
}"""
"""Keeps the lines that a page shows now."""
READ_TO_THE_END = f"""() => {{
  ({READ})();
  window.small ??= new Set();
  ({SMALL})(["svg .offer", 24]).forEach((one) => window.small.add(one));
  return ({FINISH})();
}}"""
NARROW = """() => [...document.querySelectorAll(".summaries:not(.none)")]
  .filter((one) => one.clientWidth < 0.7 * one.parentElement.clientWidth)
  .map(() => "the summary cards leave part of the board's width unused")"""
MANY = """(least) => {
  const choices = document.querySelectorAll(".choices button:not(:disabled):not(.all)");
  if (choices.length > least) return true;
  choices[choices.length - 1]?.click();
}"""
"""Answers until there are many choices."""

PLACED = """() => {
  if (document.querySelector(".drawing .offer")) return true;
  document.querySelector(".choices button:not(:disabled)")?.click();
}"""
"""Answers until something on the board is offered."""


def _looked(tab: Any, looks: Iterable[tuple[tuple[int, int], str]] = LOOKS) -> Iterator[str]:  # noqa: ANN401
    """Give a tab each look; yield the name of the look."""
    for (width, height), scheme in looks:
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme=scheme)
        tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield f"{width} {scheme}"


def _moves(tab: Any) -> list[str]:  # noqa: ANN401
    """Return the choices under which something moves while a pointer rests on them, or goes on by a pixel."""
    wrong = []
    for number in range(min(4, tab.locator(".choices button").count())):
        box = tab.locator(".choices button").nth(number).bounding_box()
        x, y = box["x"] + box["width"] - 6, box["y"] + box["height"] - 4
        if y > tab.viewport_size["height"]:
            continue
        for step in (0, 1):
            tab.mouse.move(x + step, y)
            if (count := tab.evaluate(FRAMES)) > 1:
                wrong.append(f"choice {number}: {count} layouts in 6 pictures")
    before = tab.evaluate(PLACES)
    tab.mouse.move(3, 3)
    return wrong + ([] if tab.evaluate(PLACES) == before else ["the list moves when the pointer leaves it"])


def _question(tab: Any) -> list[str]:  # noqa: ANN401
    """Return what is wrong with a question: it, its tools and its first choice are seen, and nothing moves."""
    wrong: list[str] = tab.evaluate(HIDDEN, ["#ask", ".tools button", ".tools a", ".choices button:first-of-type"])
    least = 44 if tab.viewport_size["width"] < 500 else 24
    small = tab.evaluate(SMALL, ["button, select, .tools a", least]) + tab.evaluate(SMALL, ["svg .offer", 24])
    wrong += [f"too small to touch: {one}" for one in small]
    return wrong + [f"cut: {one}" for one in tab.evaluate(CUT)]


@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_a_table_shows_what_is_needed_and_nothing_moves(game: str, tmp_path: Path) -> None:
    match = *PLAY, game, "human", "greedy", "--seed", "7", "--port", "0", "--record-dir", str(tmp_path)
    wrong: list[str] = []
    with chromium() as browser, serving(*match) as (address, process):
        tab = browser.new_context().new_page()
        tab.set_default_timeout(300_000)
        tab.goto(address)
        tab.wait_for_selector(".choices button")
        for look in _looked(tab):
            wrong += [f"{look}, tour: {one}" for one in _tour(tab)]
        tab.evaluate("document.activeElement.blur()")
        for look in _looked(tab):
            wrong += [f"{look}, first question: {one}" for one in _question(tab) + tab.evaluate(NARROW)]
        tab.wait_for_function(MANY, arg=4, polling=20)
        for look in _looked(tab):
            wrong += [
                f"{look}, many choices: {one}" for one in _question(tab) + (_moves(tab) if "light" in look else [])
            ]
        tab.wait_for_function(PLACED, polling=20)
        for look in _looked(tab, LOOKS[-1:]):
            wrong += [f"{look}, the board: {one}" for one in _question(tab)]
        tab.wait_for_function(READ_TO_THE_END, polling=5)
        wrong += faults_of("\n".join(tab.evaluate("[...window.read]"))) + tab.evaluate("[...window.small]")
        for look in _looked(tab):
            seen = tab.evaluate(HIDDEN, ["#ask", ".choices thead th:first-of-type", ".choices a", ".choices button"])
            wrong += [f"{look}, end: {one}" for one in seen + tab.evaluate(CUT)]
        tab.reload()  # the server is still there
        tab.get_by_role("button", name="Play again").click()
        tab.wait_for_selector(".choices button[data-action]")
        process.kill()
    assert not wrong, "\n".join(wrong)


def _tour(tab: Any) -> list[str]:  # noqa: ANN401
    """Go through the tour; return the lessons whose card or whose first thing is not seen."""
    wrong = []
    tab.get_by_role("button", name="First match?").click(force=True)
    for number in range(9):
        if not tab.locator(".tour").is_visible():
            break
        seen = tab.evaluate(HIDDEN, [".tour h2", ".tour p", ".tour button"])
        if number and not tab.locator("svg .lesson").count():
            seen.append("the lesson is about nothing")
        wrong += [f"lesson {number + 1}: {one}" for one in seen]
        tab.locator(".tour button").nth(1).dispatch_event("click")
    return wrong
