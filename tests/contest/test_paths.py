"""No answer of a contest's server says where its files are or has an exception's words, also where files are broken.

The whole site is asked, as `ballcourt serve --contest` puts it together, at every address that it has, for everyone.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Event as Flag
from types import SimpleNamespace
from typing import Any, Literal, get_args, get_origin
from zipfile import ZipFile, is_zipfile

import pytest
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from fastapi.testclient import TestClient
from httpx2 import Response
from pydantic import BaseModel
from starlette.routing import Mount, Route

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.records.store import SUFFIX, write_record
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.cli import serve_contest
from ballcourt.contest.decisions.publishing import publish
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import Scope, new_token
from ballcourt.contest.submissions.scrimmages import ask
from ballcourt.contest.web import embargo, finals
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.embargo import Embargo
from ballcourt.contest.web.finals import Finals
from ballcourt.contest.web.viewers import COOKIE
from ballcourt.leaderboard.pages.refresh import PageRefresher
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Summary, bot_id
from tests.arena.conftest import wait_until
from tests.arena.recorded import recorded
from tests.arena.tournament.in_process import play_all
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_own_bots import ENTRY, KEY, entered
from tests.contest.test_pages import FORM, GIVEN, HERE, OURS
from tests.leaderboard.pages.made_site import bluff

OF_EXCEPTIONS = "Errno", "Traceback", "directory: ", "not a database", "Error(", "sqlalchemy", "Expecting "
PATHS = str(PACKAGE.parent), "/tmp/ballcourt"
"""Where our code is, and our temporary files."""

Address = tuple[str, str, APIRoute | None]


class _Server:
    """Stands for the web server: its application is asked without a network."""

    should_exit = True  # so streams end

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look

    def run(self, sockets: object) -> None:
        del sockets
        self._look()


class Whole:
    """The whole site of a contest that has something of everything."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        made = made_in(folder / "cup")
        settings = made.contest.settings
        none = settings.examine.model_copy(update={"processes": 0})
        self.made = Made(replace(made.contest, settings=settings.replaced(examine=none)), made.clock)
        self.folder, self.tournament = folder, folder / "played"
        self.ann, self.olga = self.made.person("ann", "reds"), self.made.person("olga", organiser=True)
        self.given = {**GIVEN, **self._filled()}
        matches = (self.tournament / RECORDS).glob(f"*{SUFFIX}")
        self.of_finals = {**self.given, "match": next(matches).name.removesuffix(SUFFIX)}
        self.clients = [self._client(), self._client(self.ann), self._client(self.olga)]
        self.app: Any = None
        self._again: list[Callable[[], None]] = []
        self.patch = monkeypatch
        for module in (serve_contest, embargo, finals):
            monkeypatch.setattr(module, "kept_fresh", self._shown_here)
        monkeypatch.setattr(serve_contest, "opened", lambda *_, **__: nullcontext(self.made.contest))
        monkeypatch.setattr(serve_contest, "contest_app", self._noted)

    def _filled(self) -> dict[str, str]:
        contest = self.made.contest
        entered(self.made, self.ann)
        submission = self.made.playing(self.ann, "highest", bot_archive("2", "highest"))
        write_record(contest.checks(str(self.ann.team)) / submission, recorded(KEY))
        scrimmage = ask(contest, self.ann, "random")
        self.made.enter(self.ann, bot_archive("3", "highest"), "highest")
        event = Event().replaced(
            game="bluff", bots=("ann=random", "bob=random"), seats=2, format="single-elimination", seed=3
        )
        play_all(self.tournament, event)
        publish(contest, self.tournament, "olga", "it is over")
        ours = {"name": "highest", "entry": ENTRY, "key": KEY, "match": KEY}
        return {**ours, "submission": submission, "scrimmage": scrimmage}

    def _client(self, who: Member | None = None) -> dict[str, dict[str, str]]:
        """Return how a viewer asks for pages, and the API."""
        if who is None:
            return {"/": {}, "/api/v1": {}}
        with self.made.contest.store.writing() as connection:
            scopes = tuple(Scope) if who == self.olga else (Scope.READ, Scope.SUBMIT)
            token = new_token(connection, who.account, self.made.clock.now, scopes=scopes)[1]
        return {
            "/": {"Cookie": f"{COOKIE}={self.made.session(who)}"},
            "/api/v1": {"Authorization": f"Bearer {token}"},
        }

    @contextmanager
    def _shown_here(self, source: Source, show: Callable[[Summary | None], None]) -> Iterator[Flag]:
        """Stand for the process that makes the tables."""
        with source.opened() as database:
            refresher = PageRefresher(source, database)

            def again() -> None:
                refresher.try_refresh()
                refresher.try_add_histories()
                show(refresher.summary)
                given = self.of_finals if source.folder == self.tournament else self.given
                rows = [row for one in refresher.summary.ladders.values() for row in one.board.rows]
                given.update(zip(("bot", "rival"), (bot_id(row.entrant) for row in rows), strict=False))
                given["ladder"] = next(iter(refresher.summary.ladders), "x")

            again()
            self._again.append(again)
            is_shown = Flag()
            is_shown.set()
            yield is_shown

    def _noted(self, *parts: Any) -> Any:  # noqa: ANN401
        self.app = contest_app(*parts)
        return self.app

    def answers(self, damage: Callable[["Whole"], None]) -> list[tuple[str, str, Response]]:
        """Serve the contest, damage it, and ask for everything; return what was answered, and to which address."""
        found: list[tuple[str, str, Response]] = []

        def look() -> None:
            with TestClient(
                self.app, base_url=HERE, headers=OURS, follow_redirects=False, raise_server_exceptions=False
            ) as client:
                assert wait_until(lambda: client.get("/finals/").status_code == 200)
                wanted = sorted(addresses(self.app), key=lambda one: one[0] != "GET")
                damage(self)
                for again in self._again:
                    again()
                found.extend(self._asked(client, wanted))

        self.patch.setattr(serve_contest, "web_server", lambda *_: _Server(look))
        serve_contest.serve_contest(None, 0, self.made.contest.path, None, None, unconfined=True)
        return found

    def _asked(self, client: TestClient, wanted: list[Address]) -> Iterator[tuple[str, str, Response]]:
        for method, pattern, route in wanted:
            given = self.of_finals if pattern.startswith("/finals") else self.given
            name = given["match" if "/matches/" in pattern or "/embed/" in pattern else "name"]
            address = pattern.format_map(_Given(given | {"name": name}))
            body = _body(route) if method != "GET" else {}
            for viewer in self.clients:
                headers = viewer["/api/v1" if pattern.startswith("/api/v1") else "/"]
                yield method, pattern, client.request(method, address, headers=headers, **body)
                client.cookies.clear()


class _Given(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "x"


def addresses(app: Any, before: str = "") -> Iterator[Address]:  # noqa: ANN401
    """Yield the method and the pattern of each address of an application, and of those inside it."""
    if isinstance(app, Embargo):
        yield from addresses(app._live, before)
        return
    if isinstance(app, Finals):
        assert app._shown
        yield from addresses(app._shown[1], before)
        return
    for one in app.routes:
        router = getattr(one, "original_router", None)
        for route in router.routes if router else [one]:
            if isinstance(route, Mount):
                is_static = isinstance(route.app, StaticFiles)
                yield from (
                    [("GET", f"{before}{route.path}/x", None)]
                    if is_static
                    else addresses(route.app, before + route.path)
                )
            else:
                assert isinstance(route, Route | APIRoute), route
                asked = route if isinstance(route, APIRoute) else None
                for method in sorted({*(route.methods or ())} - {"HEAD"}):
                    yield method, before + route.path, asked
    if isinstance(getattr(app.router, "default", None), Embargo):
        yield from addresses(app.router.default, before)


def _body(route: APIRoute | None) -> dict[str, Any]:
    """Return what a route wants to be sent, with likely values."""
    fields = {one.name: one.field_info.annotation for one in route.dependant.body_params} if route else {}
    model = fields.get("body")
    if isinstance(model, type) and issubclass(model, BaseModel):
        return {"json": {name: _likely(name, one.annotation) for name, one in model.model_fields.items()}}
    return {"data": {name: _likely(name, kind) for name, kind in fields.items()}}


def _likely(name: str, kind: Any) -> Any:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    return 1 if kind is int else FORM.get(name, "x")


def no_database(whole: Whole) -> None:
    whole.made.contest.store.close()
    file = whole.made.contest.store.file
    assert file
    for one in file.parent.glob(f"{file.name}-*"):
        one.unlink()
    file.write_bytes(b"this is not a database, but it is longer than a page of one" * 100)


def no_trail(whole: Whole) -> None:
    (whole.made.contest.ladder.output / TRAIL).write_bytes(b"{\n")


def no_ladder(whole: Whole) -> None:
    shutil.rmtree(whole.made.contest.ladder.output)


def no_records(whole: Whole) -> None:
    for one in whole.made.contest.ladder.output.rglob(f"*{SUFFIX}"):
        one.write_bytes(b"this is not a record")


def no_finals(whole: Whole) -> None:
    shutil.rmtree(whole.tournament)


def no_archives(whole: Whole) -> None:
    shutil.rmtree(whole.made.contest.files)
    whole.made.contest.files.write_text("a file in the way")


def no_space(whole: Whole) -> None:
    whole.patch.setattr("ballcourt.arena.ladder.space.disk_usage", lambda _: SimpleNamespace(free=0))


def nothing(whole: Whole) -> None:
    del whole


@pytest.mark.parametrize(
    "damage",
    [
        no_ladder,
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in (nothing, no_database, no_trail, no_records, no_finals, no_archives, no_space)
        ),
    ],
    ids=lambda one: one.__name__,
)
def test_no_answer_says_where_files_are_or_has_the_words_of_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Whole], None]
) -> None:
    with bluff():
        found = Whole(tmp_path, monkeypatch).answers(damage)
    forbidden = tmp_path.name, *PATHS, *OF_EXCEPTIONS
    wrong = {
        f"{method} {pattern}: {answer.status_code}, {text[max(0, text.index(words) - 80) :][:160]!r}"
        for method, pattern, answer in found
        for text in [_text(answer)]
        for words in forbidden
        if words in text
    }
    assert not wrong, "\n".join(sorted(wrong))
    assert {(method, pattern) for method, pattern, answer in found if answer.status_code == 500} == set()
    if damage is nothing:
        pages = {pattern for method, pattern, _ in found if method == "GET"}
        seen = {pattern for method, pattern, answer in found if method == "GET" and answer.status_code < 400}
        assert len(seen) > 0.8 * len(pages) > 50, sorted(pages - seen)


def _text(answer: Response) -> str:
    """Return the headers and the body of an answer; of an archive what is in it."""
    parts = [*answer.headers.raw, (answer.content,)]
    if is_zipfile(BytesIO(answer.content)):
        with ZipFile(BytesIO(answer.content)) as archive:
            parts += [(archive.read(name),) for name in archive.namelist()]
    return "\n".join(part.decode(errors="replace") for pair in parts for part in pair)
