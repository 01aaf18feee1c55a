"""The pages as files in a browser: without violations of WCAG that axe finds, sideways scrolling or script errors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.store.database import open_database
from tests.arena.tournament.in_process import events
from tests.browser import barriers, new_tab
from tests.leaderboard.made import entrant, match, random_tables
from tests.leaderboard.pages.made_site import bluff, site_at

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=x onerror=alert(1)>\u202egnp.exe\x1b[31m"
BOTS = tuple(f"{name}=random" for name in ("ann", "bob", "cid", "dan", "eve", "fay", "gus"))
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark on a phone": {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    scratch = tmp_path_factory.mktemp("site")
    played = [
        replace(one, key=f"{seats}-{one.key}", identity=f"{seats}-{one.identity}", started="2026-11-22T12:00:00Z")
        for seats in (2, 3, 4)  # a page of several tables
        for one in random_tables(np.random.default_rng(1), bots=6, seats=seats, blocks=6)
    ]
    bad = match("bad", "ann", "bob cid")
    bad = replace(bad, seats=(replace(bad.seats[0], entrant=entrant(HOSTILE)), *bad.seats[1:]))
    with open_database(scratch / "all.sqlite", create=True) as database:
        database.add([*played, bad])
    with site_at(str(scratch / "all.sqlite"), scratch) as made:
        write_site(made.views, scratch / "site", replays=20)
    folder = scratch / "cup"
    folder.mkdir()
    with bluff():
        list(events(folder, Event().replaced(game="bluff", bots=BOTS, seats=3, format="single-elimination")))
        (scratch / "more").mkdir()
        with site_at(str(folder), scratch / "more") as made:
            write_site(made.views, scratch / "site of the cup", replays=0)
    (scratch / "site of the cup").rename(scratch / "site" / "cup")
    yield scratch / "site"


def pages(site: Path) -> list[Path]:
    """Return a page of each kind, that of the bot with the hostile name among them."""
    first = {str(path.relative_to(site).parent): path for path in sorted(site.rglob("*.html"))}
    bad = next(path for path in (site / "bots").glob("*.html") if "onerror" in path.read_text())
    return [
        *first.values(),
        site / "index.html",
        site / "combined.html",
        site / "matches.html",
        site / "cup" / "tournament.html",
        *site.rglob("seats.html"),
        bad,
    ]


@pytest.mark.parametrize("look", [pytest.param("light", marks=pytest.mark.gate), "dark on a phone"])
def test_pages_are_accessible_and_fit(site: Path, look: str) -> None:
    with new_tab(**LOOKS[look]) as tab:
        for page in dict.fromkeys(pages(site)):
            tab.goto(page.as_uri())
            if page == site / "index.html":
                assert tab.locator("table").count() == 3
            assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth"), page
            assert barriers(tab) == [], page
