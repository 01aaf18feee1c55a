"""Take the pictures of the documents again, from matches of the reference bots: `python -m tests.pictures`."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from ballcourt import Bot, Session
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.replays.document import Document, document
from ballcourt.arena.replays.page import write_page
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.planner.bot import PlannerBot
from tests.arena.browser.test_playing import PLAY
from tests.arena.browser.test_playing import serving as playing
from tests.browser import chromium
from tests.leaderboard.pages.made_site import bluff
from tests.leaderboard.pages.test_eyes import opened, served

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pages" / "pictures"
BOTS: Final[tuple[type[Bot], ...]] = (PlannerBot, GreedyBot, PlannerBot, GreedyBot)
SEED: Final = 11
REPLAY: Final = {"width": 1280, "height": 860}
HALF: Final = {"width": 1240, "height": 830}
SMALLER: Final = (720, 482)
"""The size of each of two pictures side by side, in pixels."""
PAGE: Final = {"width": 1000, "height": 600}
GAP: Final = 10
EVENT: Final = {
    "cup": "event",
    "tournament": "bracket",
    "bot": "bot",
    "matrix": "head-to-head",
    **{name: name for name in ("seats", "openings")},
}
"""The pictures by the page of an event that they show."""
PREVIEW: Final = {"width": 1200, "height": 630}
IN_THE_MIDDLE: Final = {"tzolkin": 0.6, "maya": 0.61, "ahau": 0.75}
"""Which share of a match has been played in the preview of a game."""
ALONE: Final = """(board) => {
  document.body.replaceChildren(board);
  Object.assign(board.style, { width: "100vw", height: "100vh", maxHeight: "none", borderRadius: 0 });
}"""
FEWER_COLOURS: Final = 64
MOST_PREVIEW_BYTES: Final = 80_000
COLOURS: Final = 200
"""Of a picture; the file is then a quarter as long."""
MOST_BYTES: Final = 150_000


def main() -> None:
    """Play a match of each game and an elimination, and write what a browser shows of them."""
    # matches and servers come first, for the browser's event loop keeps others from running
    views = {game: _view(game, seats) for game, seats in (("tzolkin", 4), ("maya", 4), ("ahau", 2))}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        scratch = Path(folder)
        stack.enter_context(bluff())
        addresses = served(stack, scratch)
        record = "--seed", "7", "--port", "0", "--record-dir", str(scratch / "play")
        table, _ = stack.enter_context(playing(*PLAY, "maya", "human", "greedy", *record))
        browser = stack.enter_context(chromium())
        _replays(browser, views, scratch)
        _previews(browser, scratch)
        _table(browser, table)
        for page, name in EVENT.items():
            with _tab(browser, PAGE) as tab:
                opened(tab, page, addresses[page])
                if page == "tournament":
                    tab.locator(".rounds").scroll_into_view_if_needed()
                _write(_seen(tab), f"{name}.png")
    sys.stdout.write(f"the pictures are in {PICTURES}; look at them\n")


def _replays(browser: Any, views: dict[str, Document], folder: Path) -> None:  # noqa: ANN401
    pages = {game: folder / f"{game}.html" for game in views}
    for game, page in pages.items():
        write_page(page, [views[game]])
    with _tab(browser, REPLAY) as tab:
        _write(_shown(tab, pages["tzolkin"], 0.6), "replay.png")
        _write(Image.open(BytesIO(tab.locator(".bar").screenshot())).convert("RGB"), "curve.png")
    with _tab(browser, HALF) as tab:
        _write(_beside(_shown(tab, pages["maya"], 0.61), _shown(tab, pages["ahau"], 0.75)), "games.png")


def _previews(browser: Any, folder: Path) -> None:  # noqa: ANN401
    """Take a picture of the board of each game, alone, for previews of links; `folder` has the pages of replays."""
    for game, at in IN_THE_MIDDLE.items():
        with _tab(browser, PREVIEW) as tab:
            _shown(tab, folder / f"{game}.html", at)
            tab.locator(".drawing").first.evaluate(ALONE)
            path = PACKAGE / "engine" / "games" / game / "view" / "picture.png"
            _seen(tab).quantize(FEWER_COLOURS).save(path, optimize=True)
            assert path.stat().st_size <= MOST_PREVIEW_BYTES, f"{path} has too many bytes"


def _table(browser: Any, address: str) -> None:  # noqa: ANN401
    """Take pictures of the table of a person, and of the tour of a first match."""
    with _tab(browser, REPLAY) as tab:
        tab.goto(address)
        tab.wait_for_selector(".choices button")
        _write(_seen(tab), "table.png")
        tab.get_by_role("button", name="First match?").click()
        tab.locator(".tour button").nth(1).click()
        _write(_seen(tab), "tour.png")


def _view(game: str, seats: int) -> Document:
    bots = [Session(bot()) for bot in BOTS[:seats]]
    record = play_in_process(game, bots, seed=SEED, key=f"{game}-example")
    for entrant, bot in zip(record.entrants, BOTS, strict=False):
        entrant.name, entrant.version = bot.__module__.split(".")[-2], "3"
    return document(record)


@contextmanager
def _tab(browser: Any, size: dict[str, int]) -> Iterator[Any]:  # noqa: ANN401
    tab = browser.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")
    yield tab
    tab.close()


def _seen(tab: Any) -> Image.Image:  # noqa: ANN401
    return Image.open(BytesIO(tab.screenshot())).convert("RGB")


def _shown(tab: Any, page: Path, at: float) -> Image.Image:  # noqa: ANN401
    """Show a share of a match; return the picture."""
    tab.goto(page.as_uri())
    last = int(tab.get_attribute("[data-part=slider]", "max"))
    tab.goto("about:blank")
    tab.goto(f"{page.as_uri()}#{int(at * last)}")
    tab.wait_for_selector(".log [aria-current]")
    return _seen(tab)


def _beside(*pictures: Image.Image) -> Image.Image:
    """Return one picture of two side by side."""
    width, height = SMALLER
    made = Image.new("RGB", (2 * width + GAP, height), "white")
    for number, picture in enumerate(pictures):
        made.paste(picture.resize(SMALLER), (number * (width + GAP), 0))
    return made


def _write(picture: Image.Image, name: str) -> None:
    picture.quantize(COLOURS).save(PICTURES / name, optimize=True)
    assert (PICTURES / name).stat().st_size <= MOST_BYTES, f"{name} has too many bytes"


if __name__ == "__main__":
    main()
