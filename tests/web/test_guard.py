"""What every web application refuses before it reads any of a request's body."""

import asyncio

import pytest
from fastapi import FastAPI, Request
from starlette.types import Message

from ballcourt.web.guard import HEADERS, MOST_BYTES, guard

HERE = "127.0.0.1:8000"
OURS = {"host": HERE, "origin": f"http://{HERE}", "sec-fetch-site": "same-origin", "content-length": "2"}


def status_of(method: str, headers: dict[str, str], *, is_read: bool) -> int:
    """Return the status of the answer to a request; `is_read` says whether its body is read before."""
    app = FastAPI()
    guard(app)
    app.add_api_route("/body", _takes_a_body, methods=[method])
    sent: list[Message] = []
    read: list[int] = []

    async def receive() -> Message:
        read.append(1)
        return {"type": "http.request", "body": b"{}"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": "/body",
        "raw_path": b"/body",
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(app(scope, receive, send))
    assert bool(read) == is_read
    names = {name.decode().title() for name, _ in sent[0]["headers"]}
    assert {name.title() for name in HEADERS} <= names
    return int(sent[0]["status"])


async def _takes_a_body(request: Request) -> str:
    return (await request.body()).decode()


def test_a_page_of_ours_and_a_program_are_let_in() -> None:
    assert status_of("POST", OURS, is_read=True) == 200
    assert status_of("POST", {"host": HERE, "content-length": "2"}, is_read=True) == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "http://127.0.0.1:8001"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"host": "evil.test"}, 400),
        ({"content-length": str(MOST_BYTES + 1)}, 413),
        ({"content-length": "400000000"}, 413),
        ({"content-length": "9" * 5000}, 413),
        ({"content-length": "-1"}, 413),
        ({"content-length": "two"}, 413),
        ({"transfer-encoding": "chunked"}, 411),
    ],
)
def test_others_are_refused_before_their_bodies_are_read(headers: dict[str, str], status: int) -> None:
    assert status_of("POST", OURS | headers, is_read=False) == status
