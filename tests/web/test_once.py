"""Answers that are made once: for all who wait, again when something has changed, and not without bound."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.responses import HTMLResponse, Response

from ballcourt.web import once
from ballcourt.web.once import MadeOnce, Shows, made_once
from tests.arena.conftest import PATIENCE_S


def client_of(make: Callable[[Request, int], str], shows: Shows) -> TestClient:
    app = FastAPI()
    app.state.once = MadeOnce()

    @app.get("/{page}", response_class=HTMLResponse)
    @made_once(shows)
    def answer(request: Request, page: int) -> str:
        return make(request, page)

    return TestClient(app, raise_server_exceptions=False)


def test_a_browser_gets_an_answer_again_only_when_it_is_another_one() -> None:
    content = ["one"]
    client = client_of(lambda _, page: f"{content[0]} {page}", lambda _: content[0])
    first = client.get("/1")
    known = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
    same = client.get("/1", headers=known)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    assert client.get("/1", headers={"If-None-Match": "*"}).status_code == 304
    assert client.get("/2", headers=known).text == "one 2"
    content[0] = "two"
    assert client.get("/1", headers=known).text == "two 1"
    content[0] = "one"
    assert client.get("/1", headers=known).status_code == 304


@pytest.mark.parametrize(("page", "status"), [(1, 200), (2, 500)])
def test_a_request_for_an_answer_that_is_being_made_waits_for_it_or_its_failure(
    page: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, both_are_here, made = Event(), Event(), list[int]()

    class Watched(Future[Response]):
        def result(self, timeout: float | None = None) -> Response:
            both_are_here.set()
            return super().result(timeout)

    def make(_: Request, page: int) -> str:
        made.append(page)
        began.set() if len(made) == 1 else both_are_here.set()
        assert both_are_here.wait(PATIENCE_S)
        if page == 2:
            raise OSError("the disk is full")
        return "page"

    monkeypatch.setattr(once, "Future", Watched)
    client = client_of(make, lambda _: 1)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(client.get, f"/{page}")
        assert began.wait(PATIENCE_S)
        second = pool.submit(client.get, f"/{page}")
        assert [first.result().status_code, second.result().status_code] == [status] * 2
    assert made == [page]
    assert client.get(f"/{page}").status_code == status
    assert len(made) == (1 if status == 200 else 2), "a failure is not kept"


def test_an_answer_during_which_something_changed_is_not_kept() -> None:
    version, content = [1], ["before"]

    def make(_: Request, page: int) -> str:
        version[0] = 2  # a match is added, and is on the page already
        return content[0]

    client = client_of(make, lambda _: version[0])
    assert client.get("/1").text == "before"
    version[0], content[0] = 1, "after"
    assert client.get("/1").text == "after"


def test_the_answers_that_were_asked_for_least_lately_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()

    def make(_: Request, page: int) -> str:
        made.append(page)
        return "x" * 98

    monkeypatch.setattr(once, "KEPT_BYTES", 250)
    client = client_of(make, lambda _: 1)
    for page in (1, 2, 1, 3, 1, 2):
        assert client.get(f"/{page}").status_code == 200
    assert made == [1, 2, 3, 2]


def test_what_is_answered_to_a_request_with_a_cookie_is_kept_by_browsers_alone() -> None:
    client = client_of(lambda _, page: "page", lambda _: 1)
    kept = [client.get("/1", headers=headers).headers["cache-control"] for headers in ({}, {"Cookie": "a=b"})]
    assert kept == ["no-cache", "private, no-cache"]
    assert client.get("/1").headers["vary"] == "Cookie"
