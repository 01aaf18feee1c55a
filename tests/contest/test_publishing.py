"""The finals on the site of a contest: published at once, or place by place at a ceremony."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event
from starlette.responses import PlainTextResponse
from typer.testing import CliRunner

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.cli.commands import app as commands
from ballcourt.contest.decisions.publishing import publish, published, reveal, withhold
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import StateError
from ballcourt.contest.web import finals as finals_pages
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.finals import Finals
from ballcourt.contest.web.viewers import COOKIE
from ballcourt.leaderboard.pages.refresh import PageRefresher
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Summary
from tests.arena.tournament.in_process import play_all
from tests.bluff.installed import bluff_installed
from tests.contest.made import Made
from tests.contest.test_pages import browser, menu_of, text

NAMES = ("ann", "bob", "cid")
WHY = "the season is over"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a knockout of three bots, which is over."""
    place = tmp_path_factory.mktemp("finals") / "out"
    with bluff_installed():
        bots = tuple(f"{name}=random" for name in NAMES)
        play_all(place, Event().replaced(game="bluff", bots=bots, seats=2, format="single-elimination", seed=3))
        yield place


@contextmanager
def _shown_once(source: Source, show: Callable[[Summary | None], None]) -> Iterator[None]:
    """Stand for the process that makes the tables."""
    with source.opened() as database:
        refresher = PageRefresher(source, database)
        refresher.refresh()
        refresher.add_histories()
        show(refresher.summary)
        yield


class Seen:
    """A contest with finals, as visitors, contestants and organisers see it."""

    def __init__(self, made: Made, served: ExitStack) -> None:
        self.made = made
        self.finals = Finals(made.contest)
        self._app = contest_app(made.contest, PlainTextResponse("ladder"), finals=self.finals)
        self._served = served

    def by(self, who: Member | None = None) -> TestClient:
        """Return the browser of a viewer, once the server has looked at what is published."""
        self.finals.follow(self._served)
        client = TestClient(self._app, base_url="http://127.0.0.1:8000", follow_redirects=False)
        if who:
            client.cookies.set(COOKIE, self.made.session(who))
        return client


@pytest.fixture
def seen(made: Made, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    monkeypatch.setattr(finals_pages, "kept_fresh", _shown_once)
    with ExitStack() as served:
        yield Seen(made, served)


def addresses(page: str) -> set[str]:
    return set(re.findall(r'(?:href|src)="(/[^"#]*)', page))


def test_no_page_reads_the_whole_chain_of_decisions(made: Made, ann: Member, olga: Member) -> None:
    asked: list[tuple[str, Any]] = []
    clients = [browser(made, who) for who in (ann, olga)]
    event.listen(made.contest.store.engine, "before_cursor_execute", lambda *found: asked.append((found[2], found[3])))
    for client in clients:
        assert [client.get(page).status_code for page in ("/announcements", "/questions")] == [200, 200]
    chain = {(words, tuple(values)) for words, values in asked if "FROM audit" in words}
    assert len(chain) >= 3
    with made.contest.store.reading() as connection:
        for words, values in chain:
            (plan, *_) = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {words}", values).all()
            assert "audit_by_action" in plan.detail, (words, plan)


def test_nothing_is_there_before_it_is_published(seen: Seen, ann: Member, folder: Path) -> None:
    for address in ("/finals/", "/finals/matches", "/ceremony"):
        assert [seen.by(who).get(address).status_code for who in (None, ann)] == [404, 404]
    assert "/finals/" not in menu_of(seen.by(ann).get("/announcements"))


def test_published_finals_have_tables_brackets_and_replays_and_every_link_on_them_works(
    seen: Seen, folder: Path
) -> None:
    publish(seen.made.contest, folder, "olga", WHY)
    client, todo, known = seen.by(), ["/finals/"], set()
    while todo:
        address = todo.pop()
        known.add(address)
        found = client.get(address)
        assert found.status_code == 200, (address, found.text)
        own = {one for one in addresses(found.text) if one.startswith("/finals/")}
        todo += [one for one in own - known if one not in todo]
    assert client.get("/finals").headers["location"] == "/finals/"
    assert {"/finals/tournament", "/finals/matches", "/finals/news.atom"} <= known
    matches = {one for one in known if one.startswith("/finals/matches/")}
    in_bracket = {"/finals/matches/b000000-r0", "/finals/matches/b000001-r0"}
    assert in_bracket < matches
    assert len(matches - in_bracket) == len(record_files(folder))
    assert "Champion" in client.get("/finals/tournament").text + client.get("/finals/").text
    outside = addresses(client.get("/finals/").text) - known
    assert outside <= {"/", "/announcements", "/scrimmages", "/sign-in"}, "no link leads into the ladder's tables"
    assert "/finals/" in menu_of(client.get("/announcements"))
    assert client.get("/").text == "ladder"


def test_at_a_ceremony_places_are_revealed_from_the_last_to_the_first(
    seen: Seen, ann: Member, olga: Member, folder: Path
) -> None:
    publish(seen.made.contest, folder, "olga", WHY, ceremony=True)
    with seen.made.contest.store.reading() as connection:
        found = published(connection, seen.made.contest)
    assert found
    names = [name for _, name in found.order]
    assert sorted(one.partition(" ")[0] for one in names) == [*NAMES]
    assert [place for place, _ in found.order] == [1, 2, 3]
    hidden = [*names]
    while hidden:
        for who in (None, ann):
            client = seen.by(who)
            page = text(client.get("/ceremony"))
            assert [name for name in names if name in page] == names[len(hidden) :]
            assert client.get("/finals/").headers["location"] == "/ceremony"
            for address in ("/finals/matches", "/finals/tournament", "/finals/api/leaderboard", "/finals/news.atom"):
                answer = client.get(address)
                assert answer.status_code == 403
                assert not any(name in answer.text for name in names)
            assert client.post("/organiser/reveal", headers={"Origin": "http://127.0.0.1:8000"}).status_code in (
                401,
                403,
            )
        assert "/ceremony" in menu_of(seen.by(ann).get("/announcements"))
        assert seen.by(olga).get("/finals/matches").status_code == 200
        assert f"Reveal place {len(hidden)}" in seen.by(olga).get("/ceremony").text
        if len(hidden) == 2:  # by a command
            assert reveal(seen.made.contest, "olga", WHY) == f"place 2: {names[1]}"
        else:
            posted = seen.by(olga).post("/organiser/reveal", headers={"Origin": "http://127.0.0.1:8000"})
            assert posted.headers["location"] == "/ceremony"
        hidden.pop()
    assert seen.by().get("/finals/matches").status_code == 200
    assert "/finals/" in addresses(seen.by().get("/ceremony").text)
    assert "Reveal" not in seen.by(olga).get("/ceremony").text
    with pytest.raises(StateError, match="no place of the finals is hidden"):
        reveal(seen.made.contest, "olga", WHY)


def test_finals_that_are_published_again_begin_their_ceremony_again(seen: Seen, folder: Path) -> None:
    publish(seen.made.contest, folder, "olga", WHY, ceremony=True)
    reveal(seen.made.contest, "olga", WHY)
    publish(seen.made.contest, folder, "olga", WHY, ceremony=True)
    with seen.made.contest.store.reading() as connection:
        found = published(connection, seen.made.contest)
    assert found
    assert found.places == []


def test_finals_can_be_taken_from_the_site(seen: Seen, folder: Path) -> None:
    publish(seen.made.contest, folder, "olga", WHY)
    assert seen.by().get("/finals/").status_code == 200
    withhold(seen.made.contest, "olga", "the wrong folder")
    assert seen.by().get("/finals/").status_code == 404
    with pytest.raises(StateError, match="no finals are published"):
        withhold(seen.made.contest, "olga", WHY)


def test_until_their_pages_are_made_a_sentence_says_so(seen: Seen, folder: Path) -> None:
    client = seen.by()
    publish(seen.made.contest, folder, "olga", WHY)
    assert client.get("/finals/").status_code == 503
    assert "being made" in client.get("/finals/").text


def test_a_tournament_that_is_not_over_is_not_published(made: Made, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StateError, match="holds no tournament that is over"):
            publish(made.contest, place, "olga", WHY)


def test_an_organiser_publishes_and_reveals_by_commands(made: Made, folder: Path) -> None:
    cup = str(made.contest.path.parent)

    def run(*words: str) -> str:
        done = CliRunner().invoke(commands, ["contest", *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert "0 of 3" in run("publish", cup, str(folder), "--ceremony", "--why", WHY)
    assert [run("reveal", cup).partition(":")[0] for _ in NAMES] == ["place 3", "place 2", "place 1"]
    assert CliRunner().invoke(commands, ["contest", "reveal", cup]).exit_code == 2
    assert "no longer" in run("withhold", cup, "--why", WHY)
