"""What the boards of the games show in a browser: that words fit, that secrets lie face down, that scoring is seen."""

from collections.abc import Iterator
from typing import Any

import pytest

from ballcourt.arena.replays.document import Document, document
from ballcourt.arena.replays.page import write_page
from ballcourt.engine.core.observation import SPECTATOR
from tests.arena.replays.matches import played
from tests.browser import chromium

pytestmark = pytest.mark.slow

GAMES = ("tzolkin", "maya", "ahau")
TOO_WIDE = """() => Array.from(document.querySelectorAll("rect.card, rect.building"), (card) => {
  const box = card.getBBox();
  const words = Array.from(card.parentElement.querySelectorAll("text:not(.count)"));
  return words.filter((text) => {
    const { x, y, width, height } = text.getBBox();
    return x < box.x - 1 || x + width > box.x + box.width + 1 || y + height > box.y + box.height + 2;
  }).map((text) => text.textContent);
}).flat()"""
"""Returns the words that are wider than their card."""


@pytest.fixture(scope="module")
def views() -> dict[str, Document]:
    """What a spectator saw of a match of each game."""
    return {game: document(played(game, 3), SPECTATOR) for game in GAMES}


@pytest.fixture(scope="module")
def tab(views: dict[str, Document], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a tab, whose addresses begin in the folder of the pages."""
    folder = tmp_path_factory.mktemp("boards")
    for game, view in views.items():
        write_page(folder / f"{game}.html", [view])
    with chromium() as browser:
        yield browser.new_context(base_url=folder.as_uri() + "/", reduced_motion="reduce").new_page()


def _open(tab: Any, game: str, step: int, width: int = 1280) -> None:  # noqa: ANN401
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto("about:blank")
    tab.goto(f"{game}.html#{step}")
    tab.wait_for_selector(".player")


@pytest.mark.parametrize("game", ["tzolkin", "ahau"])
def test_words_fit_on_their_cards(tab: Any, views: dict[str, Document], game: str) -> None:  # noqa: ANN401
    for step in (0, len(views[game]["steps"])):
        _open(tab, game, step)
        assert tab.evaluate(TOO_WIDE) == []


def test_names_stand_beside_technologies_on_a_phone(tab: Any) -> None:  # noqa: ANN401
    _open(tab, "tzolkin", 0, width=390)
    for name in ("Agriculture", "Theology", "on the teeth"):
        assert tab.locator("svg text", has_text=name).first.bounding_box()["width"] > 20


def test_cards_chosen_in_secret_lie_face_down_until_all_are_shown(tab: Any, views: dict[str, Document]) -> None:  # noqa: ANN401
    steps = views["ahau"]["steps"]
    first = next(number for number, step in enumerate(steps) if not step["action"])
    backs = []
    for made in range(4):
        _open(tab, "ahau", first + made)
        backs.append((tab.locator(".card-back").count(), tab.locator(".card-of-hand.played").count()))
    assert backs == [(0, 0), (2, 0), (4, 0), (0, 6)]


def test_a_city_that_is_closed_shows_what_it_gives(tab: Any, views: dict[str, Document]) -> None:  # noqa: ANN401
    steps = views["maya"]["steps"]
    closing = next(number for number, step in enumerate(steps, 1) if any(op[0][-1] == "scored" for op in step["ops"]))
    _open(tab, "maya", closing)
    given = [int(text) for text in tab.locator(".closing text").all_text_contents()]
    shown = tab.locator(".city-line.new .share").all_text_contents()
    assert sorted(given) == sorted(points for line in shown if (points := int(line.rpartition(" ")[2])))
    assert tab.locator(".closing .counted").count() > 0
    _open(tab, "maya", closing + 1)
    assert tab.locator(".closing").count() == 0
