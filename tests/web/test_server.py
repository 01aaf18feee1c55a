"""The server of web applications: which connections it cuts off, and which it keeps."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, suppress
from threading import Event

import pytest
from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse, StreamingResponse

from ballcourt.web import server
from tests.arena.conftest import PATIENCE_S

LARGE = 8 << 20
"""The size of an answer that does not fit in the buffers of the kernel."""
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[bytes], Awaitable[Stream]]
At = Callable[[int], Awaitable[None]]
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"


def with_server(
    visit: Callable[[Dial], Awaitable[None]],
    patience_s: float = 2 * PATIENCE_S,
    **routes: Callable[[], PlainTextResponse],
) -> None:
    """Serve, more routes too; call `visit` with a function that connects and sends."""

    def at(port: int) -> Awaitable[None]:
        async def dial(sent: bytes) -> Stream:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            writer.write(sent)
            return reader, writer

        return visit(dial)

    at_server(at, patience_s, **routes)


def at_server(visit: At, patience_s: float = 2 * PATIENCE_S, **routes: Callable[[], PlainTextResponse]) -> None:
    """Serve a page, an endless stream and a large answer; call `visit` with the port."""
    app = FastAPI()
    app.add_api_route("/page", lambda: PlainTextResponse("here"))
    app.add_api_route("/stream", lambda: StreamingResponse(_endless()))
    app.add_api_route("/large", lambda: PlainTextResponse(b"x" * LARGE))
    for name, answer in routes.items():
        app.add_api_route(f"/{name}", answer)

    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            running = server.web_server(app, patience_s)
            serving = asyncio.create_task(running.serve(sockets=[listener]))
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await visit(port)
            finally:
                running.should_exit = running.force_exit = True
                await serving

    asyncio.run(run())


async def _endless() -> AsyncIterator[bytes]:
    while True:
        yield b"x"
        await asyncio.sleep(0.01)


async def is_ended(stream: Stream) -> bool:
    """Read a stream until it ends or breaks off."""
    with suppress(ConnectionResetError):
        while await stream[0].read(1 << 16):
            pass
    return True


async def status(stream: Stream) -> bytes:
    """Return the status of an answer; empty if there is none."""
    try:
        return (await stream[0].read(12))[9:]
    except ConnectionResetError:
        return b""


def test_for_one_connection_too_many_the_one_that_is_awaited_longest_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)

    async def visit(dial: Dial) -> None:
        watching = await dial(GET % b"/stream")
        assert await status(watching) == b"200"
        silent = [await dial(b"GET /page HT") for _ in range(3)]
        assert await status(silent[0]) == b""
        assert await status(await dial(GET % b"/page")) == b"200"
        assert await status(silent[1]) == b""
        assert await watching[0].read(1), "a stream whose browser reads it stays"

    with_server(visit)


def test_a_browser_whose_request_has_not_been_read_yet_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)

    async def visit(port: int) -> None:
        with ExitStack() as stack:
            dialled = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(4)]
            dialled[0].sendall(GET % b"/page")  # nothing is accepted before this function waits
            reader, writer = await asyncio.open_connection(sock=dialled[0])
            assert await status((reader, writer)) == b"200"
            writer.close()

    at_server(visit)


def test_a_browser_that_asks_ahead_leaves_before_those_that_wait_for_their_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)

    async def visit(dial: Dial) -> None:
        ahead = await dial(GET % b"/stream" + GET % b"/page")
        watching = await dial(GET % b"/stream")
        assert [await status(one) for one in (ahead, watching)] == [b"200", b"200"]
        assert await status(await dial(GET % b"/page")) == b"200"
        assert await is_ended(ahead)
        assert await watching[0].read(1)

    with_server(visit)


def test_a_request_that_waits_for_a_thread_ends_with_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    is_free, begun = Event(), []

    def held() -> PlainTextResponse:
        is_free.wait(PATIENCE_S)
        return PlainTextResponse("here")

    def counted() -> PlainTextResponse:
        begun.append("counted")
        return PlainTextResponse("here")

    async def visit(dial: Dial) -> None:
        threads = current_default_thread_limiter()
        threads.total_tokens = 1
        first = await dial(GET % b"/held")
        await until(lambda: threads.borrowed_tokens == 1)
        ahead = await dial(2 * (GET % b"/counted"))
        await until(lambda: threads.statistics().tasks_waiting == 1)
        third = await dial(GET % b"/page")
        assert await is_ended(ahead)
        is_free.set()
        assert [await status(one) for one in (first, third)] == [b"200", b"200"]
        assert begun == []

    with_server(visit, held=held, counted=counted)


async def until(condition: Callable[[], bool]) -> None:
    """Run the server until a condition holds."""
    while not condition():  # noqa: ASYNC110 - nothing tells when
        await asyncio.sleep(0)


def test_if_all_wait_for_their_answers_the_last_to_come_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)

    async def visit(dial: Dial) -> None:
        watching = [await dial(GET % b"/stream") for _ in range(2)]
        assert [await status(one) for one in watching] == [b"200", b"200"]
        assert await status(await dial(GET % b"/page")) == b""
        assert [bool(await one[0].read(1)) for one in watching] == [True, True]

    with_server(visit)


@pytest.mark.parametrize(
    "beginning", [b"", b"GET /page HTTP/1.1\r\nX: ", b"GET /page HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
)
def test_a_browser_that_does_not_finish_its_request_is_cut_off(
    beginning: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOOK_S", 0.1)

    async def visit(dial: Dial) -> None:
        reader, writer = await dial(beginning)
        with pytest.raises(ConnectionError):
            while True:
                writer.write(b"x")
                await writer.drain()
                if reader.at_eof():
                    raise ConnectionResetError
                await asyncio.sleep(0.01)

    with_server(visit, patience_s=0.2)


def test_answers_that_are_not_read_are_held_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_UNREAD", LARGE)

    async def visit(dial: Dial) -> None:
        first, second = [await dial(GET % b"/large") for _ in range(2)]
        assert [await status(one) for one in (first, second)] == [b"200", b"200"]
        third = await dial(GET % b"/large")
        answers = [await read_to_end(one) for one in (third, second, first)]
        assert answers[0] > LARGE, "the last one is whole"
        assert min(answers) < LARGE, "another was cut off"

    with_server(visit)


async def read_to_end(stream: Stream) -> int:
    """Read an answer until it is whole or breaks off; return its bytes."""
    count = 0
    try:
        while count < LARGE and (data := await stream[0].read(1 << 16)):
            count += len(data)
    except ConnectionResetError:
        pass
    return count
