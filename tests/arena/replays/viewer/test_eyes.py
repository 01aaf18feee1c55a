"""What an eye sees of a replay: at each size, light and dark, the timeline lies in the window and over no board,
nothing moves under a pointer, no words are cut, and each board can be seen whole."""

from pathlib import Path
from typing import Any

import pytest

from tests.arena.browser.test_eyes import CUT, HIDDEN, LOOKS
from tests.arena.replays.viewer.pages import Viewer, opened

pytestmark = pytest.mark.slow

PLACED = """() => [...document.querySelectorAll(".drawing, nav, nav button, .chart, .player, .log")]
  .map((one) => Object.values(one.getBoundingClientRect().toJSON()).join()).join(" ")"""
COVERED = """() => [...document.querySelectorAll(".board svg")].filter((one) => !one.parentElement.closest("svg"))
  .flatMap((one) => {
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [top + 2, bottom - 2].filter((y) => {
      const on = document.elementFromPoint((left + right) / 2, y);
      return on?.closest("nav, .bar") || y > innerHeight;
    }).map(() => one.getAttribute("aria-label"));
  })"""
"""Returns the drawings that cannot be moved to where neither the timeline nor the end of the window hides them."""
TOUCHING = """() => {
  const names = [...document.querySelectorAll(".drawing > text")].map((one) => [one, one.getBoundingClientRect()]);
  return names.flatMap(([one, a], index) => names.slice(index + 1).filter(([, b]) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map(([other]) => `${one.textContent} touches ${other.textContent}`));
}"""


@pytest.mark.parametrize("name", ["tzolkin-4", "maya-4", "ahau-3", "judged"])
def test_a_replay_shows_its_timeline_and_boards_and_nothing_moves(
    browser: Any,  # noqa: ANN401
    files: dict[str, Path],
    name: str,
) -> None:
    wrong: list[str] = []
    for (width, height), scheme in LOOKS:
        shown = opened(browser, files, viewport={"width": width, "height": height}, color_scheme=scheme)
        shown.open(name, "#60/all")
        needed = ["nav input", ".where", "nav [data-do=play]", "nav [data-do=forward]", "nav [data-do=last]"]
        if width > 1024:
            needed += [
                ".said",
                ".chart",
                ".axis",
                ".course select",
                ".turning-points",
                "h1",
                ".log",
                ".player:first-of-type",
            ]
        found = shown.tab.evaluate(HIDDEN, needed) + [f"cut: {one}" for one in shown.tab.evaluate(CUT)]
        if shown.tab.evaluate("document.querySelector('.chart').getBoundingClientRect().height") < 160:
            found.append("the chart is too low")
        before = shown.tab.evaluate(PLACED)
        for part in ("[data-do=play]", ".chart"):
            box = shown.tab.locator(part).first.bounding_box()
            for step in (0, 1):
                shown.tab.mouse.move(box["x"] + 9 + step, box["y"] + 9)
                if shown.tab.evaluate(PLACED) != before:
                    found.append(f"something moves when the pointer is on {part}")
        found += [f"{one} is always behind something" for one in shown.tab.evaluate(COVERED)]
        wrong += [f"{width} {scheme}: {one}" for one in found]
        shown.tab.context.close()
    assert not wrong, "\n".join(wrong)


def test_the_curve_of_a_judge_has_an_axis_in_percent_its_noise_and_numbered_turning_points(
    browser: Any,  # noqa: ANN401
    files: dict[str, Path],
) -> None:
    shown = opened(browser, files, viewport={"width": 1440, "height": 900})
    shown.open("judged", "#2")
    assert shown.tab.locator(".axis span").all_inner_texts() == ["100 %", "50 %", "0 %"]
    assert shown.tab.locator(".chart .noise").count() == 3
    swings = shown.tab.locator(".turning-points button")
    assert swings.count() == shown.tab.locator(".plot .number").count() > 0
    swings.last.click()
    assert shown.where().startswith(f"{shown.tab.evaluate('document.querySelector(`[data-part=slider]`).value')} /")
    shown.tab.context.close()


def test_names_on_a_plain_board_lie_over_all_places_and_over_no_other_name(viewer: Viewer) -> None:
    viewer.open("strange")  # the general map of Ahau
    assert viewer.tab.locator(".drawing > text").count() > 20
    assert viewer.tab.locator(".drawing > text ~ .space").count() == 0
    assert viewer.tab.evaluate(TOUCHING) == []
    assert viewer.tab.locator(".drawing > .space:not(:has(> title))").count() == 0
