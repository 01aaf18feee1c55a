"""The pages of a contest in a browser: without violations of WCAG that axe finds, and without sideways scrolling."""

from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.contest.decisions.asking import ask_organiser
from ballcourt.contest.notifications.outbox import MAIL, post
from ballcourt.contest.store.schema import OUTBOX
from ballcourt.contest.submissions.scrimmages import ask
from ballcourt.web.style import SHEETS
from tests.browser import barriers, chromium
from tests.contest.made import bot_archive, made_in
from tests.contest.test_pages import browser, printed
from tests.leaderboard.pages.made_site import bluff

pytestmark = pytest.mark.slow

PLACE = "http://contest.test"
STYLES = {
    **{f"/static/{path.name}": path for path in SHEETS},
    "/static/site.css": PACKAGE / "leaderboard" / "pages" / "static" / "site.css",
    "/contest-static/contest.css": PACKAGE / "contest" / "web" / "static" / "contest.css",
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark on a phone": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
}

SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll(".scroll")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel ?? "the page")"""
"""Returns what scrolls sideways, the page or a table of it."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the HTML of each page by its address, as those see it who have most on it."""
    return all_pages(tmp_path_factory.mktemp("contest"))


def all_pages(folder: Path) -> dict[str, str]:
    """Make a contest in a folder, and return its pages by their addresses."""
    made = made_in(folder / "cup")
    with bluff():
        ann, olga = made.person("ann", "reds"), made.person("olga", organiser=True)
        made.playing(ann)
        submission, scrimmage = made.accepted(ann, "2"), ask(made.contest, ann, "random")
        made.enter(ann, bot_archive("3"))
        made.enter(made.person("bob", "blues"), bot_archive("3"), "other")
        ask_organiser(made.contest, ann, "May a bot print?")
        with made.contest.store.writing() as connection:
            post(connection, MAIL, "cat@example.org", "news", "News", "It begins.", made.clock.now)
            connection.execute(OUTBOX.update().values(state="failed"))
        printed(made, "b000000-r0")
        browser(made, olga).post("/organiser/announce", data={"title": "News", "text": "It begins."})
        own = (
            "/submissions",
            "/submit",
            "/my-bots/mine",
            "/scrimmages",
            "/team",
            "/account",
            "/join",
            "/device",
            "/questions",
        )
        of_ann = (*own, f"/submissions/{submission}", f"/scrimmages/{scrimmage}")
        lists = ("people", "people/ann", "teams", "teams/reds", "bots", "faults", "decisions")
        of_olga = ("/organiser", *(f"/organiser/{one}" for one in lists))
        found = {(None, "/sign-in"), (None, "/announcements"), *((ann, one) for one in of_ann)}
        found |= {(olga, one) for one in of_olga}
        answers = {address: browser(made, who).get(address) for who, address in found}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.text for address, answer in sorted(answers.items())}


def fulfil(route: Any, pages: dict[str, str]) -> None:  # noqa: ANN401
    """Answer a browser with what was made before it started."""
    address = route.request.url.removeprefix(PLACE)
    style = STYLES.get(address.split("?")[0])
    route.fulfill(path=style) if style else route.fulfill(body=pages[address], content_type="text/html")


@pytest.mark.parametrize("look", LOOKS)
def test_pages_of_a_contest_are_accessible_and_fit(pages: dict[str, str], look: str) -> None:
    with chromium() as started:
        tab = started.new_context(**LOOKS[look], bypass_csp=True).new_page()
        tab.route("**/*", lambda route: fulfil(route, pages))
        for address in pages:
            tab.goto(PLACE + address)
            assert tab.evaluate(SIDEWAYS) == [], address
            assert barriers(tab) == [], address
