"""The proxy of a build, with servers on loopback that the organiser has named."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from ballcourt.arena.fetching import destinations, proxy
from ballcourt.arena.fetching.configured import Place
from ballcourt.arena.fetching.destinations import Destinations
from ballcourt.arena.fetching.proxy import Proxy
from ballcourt.arena.sandbox import entry
from ballcourt.arena.sandbox.bubblewrap import received
from ballcourt.arena.temporary import scratch_folder
from tests.arena.conftest import PATIENCE_S

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(destinations, "configured", lambda: iter(()))
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say `hello` and send back all that comes."""
    writer.write(b"hello ")
    while data := await reader.read(1000):
        writer.write(data)
    writer.close()


@asynccontextmanager
async def server(serve: Serve) -> AsyncIterator[Place]:
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        yield Place(*listening.sockets[0].getsockname())


@asynccontextmanager
async def proxied(
    *hosts: object, most_bytes: int = 0
) -> AsyncIterator[tuple[Proxy, Callable[[bytes], Awaitable[bytes]]]]:
    """Yield a proxy with these hosts open, and a function that sends a request to it and returns all that comes."""
    with scratch_folder() as place, socket.create_server(("127.0.0.1", 0)) as listener:
        async with Proxy(place / "out", Destinations(map(str, hosts)), most_bytes) as running:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
                way.connect(str(place / "out" / "proxy"))
                socket.send_fds(way, [b"0"], [listener.fileno()])

            async def ask(request: bytes) -> bytes:
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                writer.write(request)
                writer.write_eof()
                answer = await asyncio.wait_for(reader.read(), PATIENCE_S)
                writer.close()
                return answer

            yield running, ask


async def test_a_tunnel_passes_on_all_bytes_and_counts_them() -> None:
    async with server(echo) as place, proxied(place) as (running, ask):
        answer = await ask(f"CONNECT {place} HTTP/1.1\r\nHost: x\r\n\r\n".encode() + b"0" * 100_000)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head == b"HTTP/1.1 200 Connection established"
        assert body == b"hello " + b"0" * 100_000
        assert running.traffic.lines() == [f"exchanged 195.3 KB with {place}"]


async def test_a_plain_request_is_sent_on_alone_and_without_what_is_for_the_proxy() -> None:
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nyo")
        await asyncio.sleep(0)
        seen.append(await asyncio.wait_for(reader.read(), PATIENCE_S) if reader.at_eof() else b"")
        writer.close()

    async with server(serve) as place, proxied(place) as (_, ask):
        headers = "Host: other\r\nProxy-Authorization: x\r\nProxy-Connection: a\r\nContent-Length: 5\r\nAccept: */*"
        request = f"GET http://{place}/a?b HTTP/1.1\r\n{headers}\r\n\r\nGET http://{place}/second HTTP/1.1\r\n\r\n"
        assert (await ask(request.encode())).endswith(b"\r\n\r\nyo")
        lines = ["GET /a?b HTTP/1.1", f"Host: {place}", "Connection: close", "Accept: */*"]
        assert seen == ["\r\n".join([*lines, "", ""]).encode(), b""]


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        ("CONNECT {place} HTTP/1.1", 403, "is closed to builds: it is an address of this machine, and no registry"),
        ("CONNECT localhost:{port} HTTP/1.1", 403, "it has the address 127.0.0.1, which is an address of this machine"),
        ("GET http://{place}/ HTTP/1.1", 403, "is closed to builds: it is an address of this machine"),
        ("POST http://{place}/ HTTP/1.1", 405, "POST without encryption; only GET and HEAD are passed on"),
        ("GET https://{place}/ HTTP/1.1", 400, "is not an address of a web server"),
        ("GET http://me:mine@{place}/ HTTP/1.1", 400, "is not an address of a web server"),
        ("GET / HTTP/1.1", 400, "'/' is not an address of a web server"),
        ("CONNECT a@{place} HTTP/1.1", 400, "is not a host with a port"),
        ("CONNECT {place}", 400, "is not a request to a proxy"),
        ("CONNECT {place} HTTP/1.1\r\nno header", 400, "'no header' is not a header"),
        ("CONNECT {place} HTTP/1.1\r\na: b\nc: d", 400, "a head with control characters"),
        ("CONNECT {place} HTTP/1.1\r\na: " + "b" * 40_000, 431, "a head of more than 32768 bytes"),
    ],
)
async def test_what_is_not_passed_on_is_answered_and_noted_with_the_reason(
    request_: str, status: int, words: str
) -> None:
    async with server(echo) as place, proxied("*") as (running, ask):
        answer = await ask(request_.format(place=place, port=place.port).encode() + b"\r\n\r\n")
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())
        assert words in answer.decode()
        (line,) = running.traffic.lines()
        assert line.startswith("was refused: ")
        assert words in line


async def test_a_build_that_exchanges_too_much_is_cut_off() -> None:
    async with server(echo) as place, proxied(place, most_bytes=1 << 20) as (running, ask):
        with pytest.raises(ConnectionResetError):
            await ask(f"CONNECT {place} HTTP/1.1\r\n\r\n".encode() + b"0" * (1 << 24))
        assert running.traffic.lines()[1:] == ["was refused: more than 1 MB"]


async def test_further_connections_wait_until_one_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MOST_CONNECTIONS", 2)
    open_now = most = 0
    together = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        if open_now == 2:
            together.set()
        await together.wait()
        writer.write(b"done")
        await reader.read()
        open_now -= 1
        writer.close()

    async with server(serve) as place, proxied(place) as (_, ask):
        request = f"CONNECT {place} HTTP/1.1\r\n\r\n".encode()
        answers = await asyncio.gather(*(ask(request) for _ in range(6)))
        assert [answer.endswith(b"done") for answer in answers] == [True] * 6
        assert most == 2


async def test_the_door_is_closed_behind_the_first_listener_and_takes_nothing_else() -> None:
    async with server(echo) as place, proxied(place) as (running, ask):
        assert b"200" in await ask(f"CONNECT {place} HTTP/1.1\r\n\r\n".encode())
        assert not [*running.folder.iterdir()]
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs, pytest.raises(OSError, match="does not listen"):
        socket.send_fds(theirs, [b"0"], [theirs.fileno()])
        received(ours)


def test_what_enters_the_sandbox_hands_over_a_listener_and_keeps_nothing_of_it() -> None:
    with scratch_folder() as place, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(place / "proxy"))
        entry.hand_over(f"127.0.0.1:0={place / 'proxy'}")
        with received(door) as listener:
            address = listener.getsockname()
            socket.create_connection(address).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)


async def test_all_goes_through_the_organisers_proxy_whose_password_no_build_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads: list[str] = []

    async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        heads.append(head)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nfrom afar")
        writer.close()

    async with server(upstream) as way, proxied("far.invalid", "far.invalid:80", "*") as (_, ask):
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://me:hunter2@{way}")
        assert (await ask(b"CONNECT far.invalid:443 HTTP/1.1\r\n\r\n")).endswith(b"established\r\n\r\nfrom afar")
        assert (await ask(b"GET http://far.invalid/a HTTP/1.1\r\n\r\n")).endswith(b"from afar")
        assert b"only registries that a package manager here" in await ask(b"CONNECT a.invalid:443 HTTP/1.1\r\n\r\n")
        assert [head.splitlines()[0] for head in heads] == [
            "CONNECT far.invalid:443 HTTP/1.1",
            "GET http://far.invalid/a HTTP/1.1",
        ]
        assert all("Proxy-Authorization: Basic bWU6aHVudGVyMg==" in head for head in heads)
