"""What an eye sees of a contest: at each size a visitor of its front sees phases, leader and board first, an author how
the own bot stands; no words are cut, and no card is half empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.event.model import Event
from ballcourt.contest.web.viewers import COOKIE
from tests.arena.browser.test_eyes import CUT, HIDDEN, LOOKS
from tests.arena.tournament.in_process import events
from tests.browser import chromium
from tests.contest.made import NOON, Made, bot_archive, made_in
from tests.contest.test_accessibility import SIDEWAYS
from tests.contest.test_api import serving_app
from tests.contest.test_own_bots import application
from tests.leaderboard.pages.made_site import site_at
from tests.leaderboard.pages.test_eyes import EMPTY

pytestmark = pytest.mark.slow

FRONT = ["h1", ".attention li", ".leader a", "figure iframe"]
OWN_BOT = ["h1", ".facts div", "figure .chart"]
MATCHES = ["section > h2", "section li:first-child a"]
"""On wide screens the matches are next to the chart."""


@pytest.fixture
def contest(tmp_path: Path) -> Iterator[tuple[Made, str, str]]:
    """Yield a contest, a session in it, and where it is served; the bot of the session's person has played."""
    (tmp_path / "results").mkdir()
    bots = tuple(f"{name}=random" for name in ("ann", "bob", "cid"))
    list(events(tmp_path / "results", Event().replaced(game="maya", bots=bots, seats=2, format="round-robin", seed=1)))
    record = read_record(min((tmp_path / "results" / "records").rglob("*.match")))
    (bot,) = [one for one in record.entrants if one.name == "ann"]
    made = made_in(tmp_path / "cup", name="Spring Cup")
    ann = made.person("ann", "reds")
    made.playing(ann, bot.name, bot_archive(bot.version, bot.name), bot.content_hash)
    with site_at(str(tmp_path / "results"), tmp_path) as site:
        site.views.show(site.refresher.summary)
        with serving_app(application(made, site)) as place:
            yield made, made.session(ann), f"http://{place}"


def test_a_contest_shows_first_what_a_visitor_and_an_author_came_for(contest: tuple[Made, str, str]) -> None:
    made, session, place = contest
    wrong: list[str] = []
    with chromium() as browser:
        for (width, height), scheme in LOOKS:
            look = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
            tab = browser.new_context(**look).new_page()
            tab.context.add_cookies([{"name": COOKIE, "value": session, "url": place}])
            beside = MATCHES if width > 1000 else []
            for moment, path, needed in (
                (NOON, "/", FRONT),
                (NOON + 2e6, "/", FRONT),
                (NOON, "/my-bots/ann", OWN_BOT + beside),
            ):
                made.clock.now = moment
                tab.goto(place + path)
                found = tab.evaluate(HIDDEN, needed) + tab.evaluate(SIDEWAYS) + tab.evaluate(CUT) + tab.evaluate(EMPTY)
                wrong += [f"{width} {scheme} {path}: {one}" for one in found]
            tab.context.close()
    assert not wrong, "\n".join(wrong)
