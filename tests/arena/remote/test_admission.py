"""Which bots a host admits, and what the others and the log learn."""

import asyncio
import gc
import os
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from ballcourt.arena.match.stream.session import StreamSession
from ballcourt.arena.processes.memory import MB, resident
from ballcourt.arena.remote import proxy
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.v1.protocol_pb2 import Action, ArenaMessage, BotMessage, GameSupport
from tests.arena.conftest import PATIENCE_S
from tests.arena.hosted import Certificate, Host, Line, dialled, hello, hosting, make_certificate


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


async def answer(host: Host, message: BotMessage | bytes) -> str:
    """Return a host's reply to a first message: the reason for a refusal, or the id of the session."""
    async with dialled(host) as line:
        await line.say(message)
        first = await line.hear()
        return first.refused.reason or first.welcome.session


async def last_answer(host: Host, message: BotMessage) -> str:
    """Return a host's reply to a bot that dials again when it is cut off, as one that is slower than the grace."""
    while True:
        with suppress(grpc.aio.AioRpcError):
            return await answer(host, message)


def alices(host: Host) -> str:
    return host.tokens.new("alice-bot", "alice")[1]


async def test_a_bot_with_its_token_is_welcomed_over_tls(certificate: Certificate) -> None:
    async with hosting(certificate, reconnect_ms=700) as host, dialled(host) as line:
        secret = alices(host)
        await line.say(hello(secret))
        welcome = (await line.hear()).welcome
        assert (welcome.protocol, welcome.received, welcome.reconnect_ms) == (1, 0, 700)
        assert len(welcome.session) >= 20
        arrived = await host.event("arrived")
        assert (arrived["bot"], arrived["version"], arrived["missing"]) == ("alice-bot", "1", ["bob-bot"])
        assert arrived["peer"].startswith("127.0.0.1:")
        assert secret not in host.journal.getvalue()
        assert welcome.session not in host.journal.getvalue()


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    # what is wrong: fields of the Hello, words of the reason, words of the log
    "no token": ({"token": ""}, "has no token; set BALLCOURT_TOKEN", "no token"),
    "unknown token": ({"token": "ballcourt_x"}, "the token is unknown here", "unknown token"),
    "another's name": (
        {"name": "bob-bot"},
        "is for the bot 'alice-bot' and the bot calls itself 'bob-bot'",
        "of alice",
    ),
    "no version": ({"version": ""}, "the bot's version is ''; it must be 1 to 40", "version"),
    "long version": ({"version": "x" * 65}, "it must be 1 to 40 letters", "version"),
    "odd version": ({"version": "1\n2"}, "the Hello must say one", "version"),
    "other protocol": (
        {"protocol_min": 7, "protocol_max": 8},
        "speaks protocol 7 to 8 and this arena speaks 1",
        "protocol",
    ),
    "many games": ({"games": [GameSupport(game="bluff")] * 65}, "names 65 games; it may name 64", "65 games"),
    "other game": ({"games": [GameSupport(game="chess")]}, "plays chess (rules any)", "chess"),
}


@pytest.mark.parametrize("wrong", REFUSED)
async def test_a_wrong_hello_is_refused_with_a_reason_and_logged(wrong: str) -> None:
    fields, sentence, reason = REFUSED[wrong]
    async with hosting() as host:
        answers = await answer(host, hello(**{"token": alices(host), **fields}))
        assert sentence in answers
        [refused] = host.events("refused")
        assert reason in refused["reason"]
        assert refused["peer"].startswith("127.0.0.1:")
        assert "ballcourt_" not in host.journal.getvalue()
        assert host.events("arrived") == []


async def test_a_revoked_token_is_refused_from_the_next_connection() -> None:
    async with hosting() as host, dialled(host) as line:
        token, secret = host.tokens.new("alice-bot", "alice")
        await line.say(hello(secret))
        session = (await line.hear()).welcome.session
        host.tokens.revoke(token.id)
        assert "the token was revoked on 20" in await answer(host, hello(secret))
        assert "revoked" in await answer(host, hello(secret, session=session))
        assert [event["reason"] for event in host.events("refused")] == [f"token {token.id} is revoked"] * 2


async def test_a_token_created_while_the_host_runs_is_valid_immediately() -> None:
    async with hosting() as host:
        assert "unknown" in await answer(host, hello("ballcourt_early"))
        assert "unknown" not in await answer(host, hello(alices(host)))


async def test_a_bot_that_is_not_entered_is_refused() -> None:
    async with hosting() as host:
        _, secret = host.tokens.new("eve-bot", "eve")
        assert await answer(host, hello(secret, "eve-bot")) == "the bot 'eve-bot' is not entered in what is played here"


async def test_two_versions_of_a_bot_do_not_mix() -> None:
    async with hosting(versions={"bob-bot": "7"}) as host, dialled(host) as line:
        secret, bobs = alices(host), host.tokens.new("bob-bot", "bob")[1]
        await line.say(hello(secret))
        await line.hear()
        await host.event("arrived")
        assert "version '1' of alice-bot is playing here and the bot is version '2'" in await answer(
            host, hello(secret, version="2")
        )
        assert "version '7' of bob-bot" in await answer(host, hello(bobs, "bob-bot", "1"))


async def test_another_version_may_come_once_the_earlier_one_is_cut_off_and_does_not_take_over_its_session() -> None:
    async with hosting() as host:
        secret = alices(host)
        async with dialled(host) as line:
            await line.say(hello(secret))
            first = (await line.hear()).welcome
        await host.event("broken")
        async with dialled(host) as line:
            await line.say(hello(secret, version="2", session=first.session))
            assert (await line.hear()).welcome.session not in ("", first.session)
            assert host.registry.present() == {"alice-bot": "2"}


async def test_the_streams_of_a_bot_are_limited() -> None:
    async with hosting(limits=HostLimits(streams_per_bot=2)) as host, dialled(host) as one, dialled(host) as two:
        secret = alices(host)
        for line in (one, two):
            await line.say(hello(secret))
            await line.hear()
        await host.event("arrived", 2)
        assert await answer(host, hello(secret)) == "alice-bot has 2 streams already, and more are not allowed"


async def test_streams_opened_simultaneously_count_towards_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    send = StreamSession.send
    all_are_here = asyncio.Barrier(4)

    async def send_late(stream: StreamSession, message: ArenaMessage) -> None:
        await all_are_here.wait()
        await send(stream, message)

    monkeypatch.setattr(StreamSession, "send", send_late)
    async with hosting(limits=HostLimits(streams_per_bot=1)) as host:
        secret = alices(host)
        answers = await asyncio.gather(*(answer(host, hello(secret)) for _ in range(4)))
        assert answers.count("alice-bot has 1 streams already, and more are not allowed") == 3


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        (BotMessage(action=Action(decision_id=1)), "the first message of a stream must be Hello"),
        (b"\xff\xfe this is no protobuf", "bytes that are not a BotMessage"),
        (hello("x" * 5000), "at most 4096 are allowed"),
    ],
)
async def test_a_first_message_that_is_not_a_hello_or_too_large_is_refused(
    first: BotMessage | bytes, sentence: str
) -> None:
    async with hosting() as host:
        assert sentence in await answer(host, first)
        assert [event["reason"] for event in host.events("refused")] == ["no Hello"]


async def knocks(host: Host, count: int) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open connections that say nothing; return when the host serves them all."""
    knocking = [await asyncio.open_connection("127.0.0.1", host.port) for _ in range(count)]
    for _, writer in knocking:
        writer.write(PREFACE)
    return knocking


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


async def test_a_good_token_is_welcome_whatever_others_at_its_address_did() -> None:
    limits = HostLimits(failures=2, unproven=4, grace_s=0.2)
    async with hosting(limits=limits) as host:
        secret = alices(host)
        for _ in range(10):
            assert "unknown" in await answer(host, hello("ballcourt_guess"))
        silent = await knocks(host, 50)
        async with asyncio.timeout(PATIENCE_S):
            assert len(await last_answer(host, hello(secret))) >= 20
        assert (await host.event("arrived"))["bot"] == "alice-bot"
        for _, writer in silent:
            writer.close()


@pytest.mark.slow
async def test_a_class_room_of_bots_that_start_together_is_let_in(certificate: Certificate) -> None:
    async with hosting(certificate, HostLimits(unproven=8, streams_per_bot=100)) as host:
        secret = alices(host)
        answers = await asyncio.gather(*(answer(host, hello(secret)) for _ in range(60)))
        assert all(len(session) >= 20 for session in answers)
        assert host.events("turned away") == host.events("cut off") == []


async def test_a_flood_does_not_fill_the_journal() -> None:
    async with hosting(limits=HostLimits(failures=3)) as host:
        for _ in range(10):
            assert "unknown" in await answer(host, hello("ballcourt_guess"))
        assert len(host.events("refused")) == 3
        [flood] = host.events("flood")
        assert flood["peer"] == "127.0.0.1"
        assert flood["reason"] == "3 failed attempts in 60 s; further ones are not written down"


async def test_a_connection_whose_hellos_are_refused_again_and_again_is_cut_off() -> None:
    async with hosting(limits=HostLimits(refusals=2)) as host:
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(host.address, options) as channel:
            for number in range(3):
                line = Line(channel.stream_stream("/ballcourt.v1.Arena/Play")())
                await line.say(hello("ballcourt_guess"))
                if number < 2:
                    assert "unknown" in (await line.hear()).refused.reason
            with pytest.raises(grpc.aio.AioRpcError):
                while await line.hear() != ArenaMessage():
                    pass


async def test_the_hellos_of_a_token_are_limited() -> None:
    async with hosting(limits=HostLimits(hellos=2)) as host:
        secret = alices(host)
        for _ in range(2):
            assert len(await answer(host, hello(secret))) >= 20
        assert await answer(host, hello(secret)) == "the bot sent Hello 2 times in 60 s; try again in a minute"


async def test_a_stream_without_a_hello_is_refused_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "LENIENCY", 100)
    async with hosting(limits=HostLimits(hello_s=0.2)) as host, dialled(host) as line:
        assert (await line.hear()).refused.reason == "the bot did not say Hello within 0.2 s"


async def test_a_connection_without_a_hello_is_cut_off() -> None:
    async with hosting(limits=HostLimits(hello_s=0.1)) as host:
        [(reader, writer)] = await knocks(host, 1)
        with pytest.raises(ConnectionResetError):
            while True:
                await reader.read(1024)  # gRPC's greeting
        writer.close()
        assert (await host.event("cut off"))["reason"] == "no accepted Hello in time"


async def test_a_client_that_sends_too_much_before_its_token_is_cut_off() -> None:
    async with hosting(limits=HostLimits(unproven_bytes=4000)) as host, dialled(host) as line:
        with pytest.raises(grpc.aio.AioRpcError):
            await line.say(b"x" * 30_000)
            await line.hear()
        assert "bytes without a valid token" in (await host.event("cut off"))["reason"]


async def test_of_too_many_connections_without_a_token_the_oldest_is_cut_off() -> None:
    async with hosting(limits=HostLimits(unproven=2, grace_s=0)) as host, dialled(host) as line:
        await line.say(hello(alices(host)))
        await host.event("arrived")
        silent = await knocks(host, 3)
        assert (await host.event("cut off"))["reason"] == "2 connections are without a valid token"
        for _, writer in silent:
            writer.close()


async def test_a_connection_whose_stream_has_ended_needs_another_accepted_hello() -> None:
    async with hosting(limits=HostLimits(hello_s=2.0)) as host, dialled(host) as line:
        await line.say(hello(alices(host)))
        await host.event("arrived")
        await line.call.done_writing()
        await host.event("broken")
        assert (await host.event("cut off"))["reason"] == "no accepted Hello in time"


async def test_bytes_of_a_connection_are_read_at_a_limited_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        paused.append(seconds)
        await sleep(0)

    async with hosting(limits=HostLimits(bytes_per_s=10)) as host:
        monkeypatch.setattr(asyncio, "sleep", note)
        assert len(await answer(host, hello(alices(host)))) >= 20
        assert max(paused) > 5


async def test_a_bot_that_does_not_trust_the_certificate_fails_and_is_logged(
    certificate: Certificate, tmp_path: Path
) -> None:
    other = make_certificate(tmp_path)
    async with hosting(certificate, HostLimits(failures=1)) as host:
        async with dialled(host, trusted=other) as line:
            with pytest.raises(grpc.aio.AioRpcError, match="CERTIFICATE_VERIFY_FAILED"):
                await line.hear()
        assert (await host.event("bad handshake"))["reason"] == "closed by the other side"
        assert host.events("flood"), "it counts as a failed attempt"


async def test_a_client_without_tls_is_cut_off_and_logged(certificate: Certificate) -> None:
    async with hosting(certificate) as host:
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        assert b"It speaks gRPC over TLS" in await asyncio.wait_for(reader.read(), PATIENCE_S)
        writer.close()
        assert (await host.event("bad handshake"))["reason"] == "neither TLS nor gRPC"


async def test_a_bot_without_tls_is_refused_with_a_sentence_where_tls_is_asked_for(certificate: Certificate) -> None:
    async with hosting(certificate) as host, grpc.aio.insecure_channel(host.address) as channel:
        line = Line(channel.stream_stream("/ballcourt.v1.Arena/Play")())
        await line.say(hello(alices(host)))
        assert "this arena speaks TLS and the bot does not" in (await line.hear()).refused.reason
        assert (await host.event("refused"))["reason"] == "no TLS"
        del line.call  # it keeps the connection open


async def test_a_client_with_tls_is_logged_where_none_is_used(certificate: Certificate) -> None:
    async with hosting() as host, dialled(host, trusted=certificate) as line:
        with pytest.raises(grpc.aio.AioRpcError):
            await line.hear()
        assert (await host.event("bad handshake"))["reason"] == "TLS; this host was started with --insecure"


async def test_a_client_that_does_not_finish_the_handshake_is_cut_off(certificate: Certificate) -> None:
    async with hosting(certificate, HostLimits(hello_s=0.1)) as host:
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.read(), PATIENCE_S)
        writer.close()
        assert (await host.event("bad handshake"))["reason"] == "no handshake within 0.1 s"


async def test_a_name_cannot_inject_lines_into_the_log() -> None:
    async with hosting() as host:
        await answer(host, hello(alices(host), 'x"}\n{"event": "arrived"'))
        assert [event["event"] for event in host.events()] == ["refused"]


async def test_a_damaged_token_file_admits_no_bot_and_the_host_keeps_running() -> None:
    async with hosting() as host:
        secret = alices(host)
        kept = host.tokens.path.read_text()
        host.tokens.path.write_text("{")
        assert "cannot read its tokens" in await answer(host, hello(secret))
        host.tokens.path.write_text(kept)
        assert "cannot" not in await answer(host, hello(secret))


@pytest.mark.slow
def test_a_refused_visitor_that_goes_on_sending_leaves_no_garbage(certificate: Certificate) -> None:
    async def run() -> None:
        async with hosting(certificate) as host:
            await visits(host, certificate, 3)
            gc.collect()
            before = resident(os.getpid())
            await visits(host, certificate, 40)
            assert resident(os.getpid()) - before < 10 * MB

    gc.disable()  # what reference cycles hold is given back at some time, or never in a busy host
    try:
        asyncio.run(run())
    finally:
        gc.enable()


async def visits(host: Host, certificate: Certificate, count: int) -> None:
    """Connect again and again, and send noise until the connection is broken."""
    for _ in range(count):
        await asyncio.to_thread(noise, host.port, certificate)


def noise(port: int, certificate: Certificate) -> None:
    tls = ssl.create_default_context(cafile=certificate.path)
    with (
        socket.create_connection(("localhost", port)) as line,
        tls.wrap_socket(line, server_hostname="localhost") as encrypted,
        pytest.raises(OSError, match=r"reset|Broken pipe|EOF"),
    ):
        while True:
            encrypted.sendall(bytes(1 << 16))


async def test_a_visitor_without_grpc_gets_the_whole_answer_though_it_sends_more(certificate: Certificate) -> None:
    async with hosting(certificate) as host:
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        writer.write(b"POST / HTTP/1.1\r\n\r\n" + bytes(30_000))
        assert b"It speaks gRPC over TLS" in await asyncio.wait_for(reader.read(), PATIENCE_S)
        writer.close()
