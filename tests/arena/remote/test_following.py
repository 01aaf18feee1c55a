"""What a host tells the owners of remote bots, and what they do when it goes away."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import grpc
import pytest

from ballcourt.arena.remote import board, proxy
from ballcourt.arena.remote.board import MOST_NAMED, StatusBoard
from ballcourt.arena.remote.connect import OLDER, Follower
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.v1.following_pb2 import EventStatus, FinalPlace, FollowRequest
from tests.arena.conftest import PATIENCE_S
from tests.arena.hosted import Host, dialled, hello, hosting, until


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "PACE_S", 0.001)
    monkeypatch.setattr(proxy, "LEAVE_S", 0.05)  # a call, and with it the connection, stays until it is collected


class Listener:
    """The call of an owner."""

    def __init__(self, call: "grpc.aio.UnaryStreamCall[FollowRequest, EventStatus]") -> None:
        self._call = call

    async def hear(self) -> EventStatus | None:
        """Return the next status; None at the end."""
        status = await asyncio.wait_for(self._call.read(), PATIENCE_S)
        return status if isinstance(status, EventStatus) else None

    async def refusal(self, code: grpc.StatusCode = grpc.StatusCode.PERMISSION_DENIED) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await self.hear()
        assert refused.value.code() == code
        return refused.value.details() or ""


@asynccontextmanager
async def listening(host: Host, secret: str) -> AsyncIterator[Listener]:
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(host.address, options) as channel:
        follow: grpc.aio.UnaryStreamMultiCallable[FollowRequest, EventStatus] = channel.unary_stream(
            "/ballcourt.v1.Following/Follow", FollowRequest.SerializeToString, EventStatus.FromString
        )
        yield Listener(follow(FollowRequest(token=secret)))


def told(host: Host, **fields: object) -> None:
    status = EventStatus(begun=True, **fields)  # type: ignore[arg-type]  # its fields
    host.registry.board.tell({"alice-bot": status.SerializeToString()}, ())


async def test_an_owner_learns_who_is_missing_then_of_the_matches_then_of_the_end() -> None:
    async with hosting() as host:
        secret = host.tokens.new("alice-bot", "alice")[1]
        async with listening(host, secret) as owner:
            first = await owner.hear()
            assert first == EventStatus(missing=["bob-bot"], missing_count=1), "the bot itself is not connected"
            async with dialled(host) as line:
                await line.say(hello(secret))
                assert await owner.hear() == EventStatus(connected=True, missing=["bob-bot"], missing_count=1)
                told(host, matches=4, played=2)
                heard = await owner.hear()
                assert heard and (heard.begun, heard.matches, heard.played, heard.over) == (True, 4, 2, False)
                told(host, over=True, place=FinalPlace(place=2, bots=3))
                last = await owner.hear()
                assert last and last.over and last.place.place == 2
                assert await owner.hear() is None, "the call ends with the event"
        assert secret not in host.journal.getvalue()


async def test_an_owner_learns_nothing_about_other_bots() -> None:
    async with hosting() as host, listening(host, host.tokens.new("bob-bot", "bob")[1]) as owner:
        await owner.hear()
        told(host, matches=4)
        host.registry.board.tell({"bob-bot": EventStatus(begun=True, matches=9).SerializeToString()}, ())
        heard = await owner.hear()
        assert heard and heard.matches == 9


@pytest.mark.parametrize(
    ("secret", "sentence"),
    [
        ("", "has no token"),
        ("ballcourt_x", "the token is unknown here"),
        ("revoked", "the token was revoked on"),
        ("stranger", "the bot 'eve-bot' is not entered in what is played here"),
    ],
)
async def test_a_call_without_a_valid_token_is_refused_and_logged(secret: str, sentence: str) -> None:
    async with hosting() as host:
        name = "eve-bot" if secret == "stranger" else "alice-bot"
        token, own = host.tokens.new(name, "owner")
        if secret == "revoked":
            host.tokens.revoke(token.id)
        async with listening(host, own if secret in ("revoked", "stranger") else secret) as owner:
            assert sentence in await owner.refusal()
        assert len(host.events("refused")) == 1


async def test_a_token_has_a_limited_number_of_listeners_and_those_that_leave_make_room() -> None:
    async with hosting(limits=HostLimits(streams_per_bot=1)) as host:
        secret = host.tokens.new("alice-bot", "alice")[1]
        async with listening(host, secret) as first:
            await first.hear()
            async with listening(host, secret) as second:
                sentence = await second.refusal(grpc.StatusCode.RESOURCE_EXHAUSTED)
                assert "1 programs follow the event for alice-bot already" in sentence
        await until(lambda: host.registry.board.listeners("alice-bot") == 0)
        async with listening(host, secret) as third:
            assert await third.hear()


async def test_a_follower_that_is_one_too_many_says_so_once_and_leaves_the_bot_alone() -> None:
    sentences: list[str] = []
    async with hosting(limits=HostLimits(streams_per_bot=1)) as host:
        secret = host.tokens.new("alice-bot", "alice")[1]
        async with listening(host, secret) as first:
            await first.hear()
            with Follower(host.address, secret, None, lambda _: None, sentences.append) as second:
                await until(lambda: not second.is_alive)
    told = "1 programs follow the event for alice-bot already, and more are not allowed"
    assert sentences == [f"{told}; the bot plays on, and nothing is said here about the event"]


async def test_a_listener_is_not_cut_off_for_want_of_a_hello() -> None:
    async with hosting(limits=HostLimits(hello_s=0.2)) as host:
        async with listening(host, host.tokens.new("alice-bot", "alice")[1]) as owner:
            await owner.hear()
            async with dialled(host):  # one that says nothing, later
                await host.event("refused")
                await host.event("cut off")
            told(host, matches=4)
            heard = await owner.hear()
            assert heard and heard.matches == 4
        assert len(host.events("cut off")) == 1


async def test_listeners_get_the_last_status_before_a_host_closes() -> None:
    async with hosting() as host, listening(host, host.tokens.new("alice-bot", "alice")[1]) as owner:
        await owner.hear()
        told(host, played=7)
        await host.registry.dismiss("the arena closes")
        heard = await owner.hear()
        assert heard and heard.played == 7
        assert await owner.hear() is None


async def test_a_listener_that_is_slow_gets_the_latest_status_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "PACE_S", PATIENCE_S)
    statuses = StatusBoard()
    heard = []
    async for status in statuses.follow("alice-bot"):
        heard.append(status.played)
        if status.played == 0:
            for played in range(1, 1000):
                statuses.tell({"alice-bot": EventStatus(played=played).SerializeToString()}, ())
            closing = asyncio.create_task(statuses.close())
    await closing
    assert heard == [0, 999]


def test_of_many_bots_that_are_missing_the_first_are_named_and_the_withdrawn_are_not_waited_for() -> None:
    names = [f"bot-{number:03}" for number in range(300)]
    statuses = StatusBoard("2030-12-01T18:00:00+00:00")
    statuses.see(names)
    statuses.tell({}, names[:100])
    status = statuses.status("bot-150")
    assert [*status.missing] == names[100 : 100 + MOST_NAMED]
    assert status.missing_count == 199, "without those who are out and the bot itself"
    assert status.start_at == "2030-12-01T18:00:00+00:00"
    statuses.tell({"bot-150": EventStatus(begun=True).SerializeToString()}, names[:100])
    assert statuses.status("bot-150").start_at == ""


def test_a_host_without_the_call_is_named_as_older_once() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    heard: list[EventStatus] = []
    sentences: list[str] = []
    with Follower(f"127.0.0.1:{port}", "ballcourt_x", None, heard.append, sentences.append) as follower:
        follower.finish()
    server.stop(None).wait()
    assert (heard, sentences) == ([], [OLDER])


def test_a_follower_of_a_host_that_never_opens_leaves_when_it_is_asked_to() -> None:
    sentences: list[str] = []
    with Follower("127.0.0.1:1", "ballcourt_x", None, lambda _: None, sentences.append) as follower:
        pass
    assert not follower.is_alive
    assert sentences == []
