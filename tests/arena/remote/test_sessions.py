"""Remote bots whose connections break: what is resumed, what is lost, and that no bot gains by it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import grpc
import pytest

from ballcourt.arena.bots.entries import remote_entry
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.stream import session
from ballcourt.arena.match.stream.session import MAX_MESSAGE
from ballcourt.arena.remote import sessions
from ballcourt.arena.remote.sessions import MOST_UNREAD, RemoteSeat
from ballcourt.bots.sdk.python import Bot, Decision, Session, View, stream
from ballcourt.bots.sdk.python.address import Address
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import (
    Action,
    ArenaMessage,
    BotMessage,
    GameSupport,
    Goodbye,
    Hello,
    MatchEnd,
    Ready,
    Termination,
)
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import PATIENCE_S
from tests.arena.hosted import Host, Line, dialled, hello, hosting, until, wire_to
from tests.bluff.installed import bluff_installed
from tests.bots.honest import Random

CLOCK = Clock(match_start_ms=20_000, cap_ms=20_000)
OWNERS = {"alice-bot": "alice", "bob-bot": "bob"}


@pytest.fixture(autouse=True)
def no_wait_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "FIRST_WAIT_S", 0.01)


class Watched(Random):
    """Plays at random and reports every event to a listener before it reacts."""

    version = "1"

    def __init__(self, name: str, listener: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.listener = listener

    def match_started(self) -> None:
        self.listener()

    def choose(self, decision: Decision) -> int:
        self.listener()
        return super().choose(decision)

    def observed(self, view: View) -> None:
        self.listener()

    def match_ended(self, end: MatchEnd) -> None:
        self.listener()


@asynccontextmanager
async def dialling(host: Host, bot: Bot, address: str = "") -> AsyncIterator[asyncio.Task[None]]:
    """Connect a bot with its own token, and reconnect it whenever its connection breaks."""
    _, secret = host.tokens.new(bot.name, OWNERS[bot.name])
    where = Address(host_port=address or host.address, tls=False)
    session = Session(bot)
    task = asyncio.create_task(stream.converse(session, where, secret))
    try:
        await until(lambda: session.streams > 0)  # a bot cut off earlier has nothing to resume
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, stream.Disconnected):
            await task


async def played(host: Host, *, seed: int = 5, clock: Clock = CLOCK) -> MatchRecord:
    """Play a match between alice's and bob's bot as soon as both are connected."""
    entrants = tuple(remote_entry(name, "1", owner).entrant for name, owner in OWNERS.items())
    spec = MatchSpec("m", "bluff", {"rounds": "3"}, seed, entrants, clock)
    async with host.registry.reserve(list(OWNERS)) as sessions:
        return await play_match(find_game("bluff"), spec, [RemoteSeat(sessions[name], clock) for name in OWNERS])


def course(record: MatchRecord) -> tuple[object, ...]:
    outcomes = [(result.placement, result.score, result.termination) for result in record.results]
    return list(record.decisions.actions), record.decisions.hashes, outcomes, list(record.dropped)


async def with_cuts(when: Callable[[int], bool] = lambda _: False, whose: str = "alice-bot") -> tuple[object, ...]:
    """Play with alice's connection cut at some events of one of the bots; return how the match went."""
    moments = dict.fromkeys(OWNERS, 0)

    async with hosting() as host, wire_to(host) as wire:

        def listener(name: str) -> Callable[[], None]:
            def listen() -> None:
                moments[name] += 1
                if name == whose and when(moments[name]):
                    wire.cut()

            return listen

        async with (
            dialling(host, Watched("alice-bot", listener("alice-bot")), wire.address),
            dialling(host, Watched("bob-bot", listener("bob-bot"))),
        ):
            record = await played(host)
            await until(lambda: min(moments.values()) >= MOMENTS and bool(wire.cuts) <= bool(host.events("back")))
        assert set(moments.values()) == {MOMENTS}, "no bot saw anything twice"
        return course(record)


MOMENTS = 8
"""A bot's events in a match of three rounds: start, end, three decisions, and three of the other's that it observes."""


@pytest.fixture(scope="module")
def undisturbed() -> Iterator[tuple[object, ...]]:
    with bluff_installed():
        yield asyncio.run(with_cuts())


@pytest.mark.parametrize("moment", range(1, MOMENTS + 1))
def test_a_match_continues_unchanged_wherever_the_connection_is_cut(
    undisturbed: tuple[object, ...], moment: int
) -> None:
    assert asyncio.run(with_cuts(lambda now: now == moment)) == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(1, MOMENTS))
def test_messages_in_flight_are_sent_again(undisturbed: tuple[object, ...], moment: int) -> None:
    assert asyncio.run(with_cuts(lambda now: now == moment, "bob-bot")) == undisturbed


def test_a_connection_that_is_cut_after_every_message_changes_nothing(undisturbed: tuple[object, ...]) -> None:
    assert asyncio.run(with_cuts(lambda _: True)) == undisturbed


async def cut_for_good(host: Host, clock: Clock) -> MatchRecord:
    """Play with alice's connection cut in her first decision and never restored."""
    async with wire_to(host) as wire:

        class Gone(Watched):
            def choose(self, decision: Decision) -> int:
                wire.close()
                return super().choose(decision)

        async with dialling(host, Gone("alice-bot"), wire.address), dialling(host, Watched("bob-bot")):
            return await played(host, clock=clock)


async def test_a_bot_that_does_not_return_in_time_loses_only_its_seat() -> None:
    async with hosting(reconnect_ms=30) as host:
        record = await cut_for_good(host, CLOCK)
        [fault] = record.faults
        assert (fault.seat, fault.termination) == (0, Termination.TERMINATION_CRASH)
        assert fault.detail == "the bot's stream broke and the bot did not reconnect within 30 ms"
        assert [result.placement for result in record.results] == [2, 1]
        assert (await host.event("left"))["bot"] == "alice-bot"
        assert host.registry.sessions_of("alice-bot") == []


async def test_the_clock_keeps_running_while_a_bot_is_disconnected() -> None:
    async with hosting() as host:
        record = await cut_for_good(host, Clock(cap_ms=500, grace_ms=0))
        [fault] = [fault for fault in record.faults if fault.seat == 0]  # bob may be late as well
        assert (fault.termination, fault.detail) == (
            Termination.TERMINATION_TIMEOUT,
            "the bot did not answer within 500 ms",
        )


async def test_a_bot_that_lost_its_seat_by_being_slow_or_wrong_plays_the_next_match() -> None:
    class Wrong(Watched):
        matches = 0

        def match_started(self) -> None:
            self.matches += 1

        def choose(self, decision: Decision) -> int:
            return 77 if self.matches == 1 else super().choose(decision)

    async with hosting() as host, dialling(host, Wrong("alice-bot")), dialling(host, Watched("bob-bot")):
        lost, won = [await played(host, seed=seed) for seed in (1, 2)]
        assert list(won.remote) == [0, 1]
        assert lost.results[0].termination == Termination.TERMINATION_ILLEGAL
        assert [fault.detail for fault in won.faults] == []


@asynccontextmanager
async def by_hand(host: Host) -> AsyncIterator[tuple[Line, str]]:
    """Alice's bot after its Welcome, with messages written by the test; and its token."""
    _, secret = host.tokens.new("alice-bot", "alice")
    async with dialled(host) as line:
        await line.say(hello(secret))
        await host.event("arrived")
        yield line, secret


async def test_a_stream_that_resumes_a_session_replaces_the_previous_one() -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialled(host) as new:
        session = (await old.hear()).welcome.session
        await new.say(hello(secret, session=session))
        assert (await new.hear()).welcome.session == session
        assert await old.hear() == ArenaMessage(), "its stream has ended"
        await host.event("back")
        assert len(host.registry.sessions_of("alice-bot")) == 1


@pytest.mark.parametrize(("name", "received"), [("of yesterday", 0), ("", 3)])
async def test_a_session_that_cannot_be_resumed_is_replaced_by_a_new_one(name: str, received: int) -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialled(host) as new:
        session = (await old.hear()).welcome.session
        await new.say(hello(secret, session=name or session, received=received))
        welcome = (await new.hear()).welcome
        assert welcome.session not in ("", session)
        assert welcome.received == 0


async def test_a_bot_that_restarts_before_its_first_message_keeps_its_seat() -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialling(host, Watched("bob-bot")):
        session = (await old.hear()).welcome.session
        match = asyncio.create_task(played(host))
        started = await old.hear()
        old.call.cancel()
        await host.event("broken")
        async with dialled(host) as new:
            await new.say(hello(secret))
            assert (await new.hear()).welcome.session == session
            assert await new.hear() == started
            assert (await host.event("back"))["bot"] == "alice-bot"
            await new.say(BotMessage(ready=Ready(match_id=started.match_start.match_id)))
            assert (await new.hear()).decide.decision_id == 1
            match.cancel()


@pytest.mark.parametrize("other", ["token", "games"])
async def test_a_bot_that_restarts_with_a_different_hello_gets_a_new_session(other: str) -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialled(host) as new:
        session = (await old.hear()).welcome.session
        old.call.cancel()
        await host.event("broken")
        token = host.tokens.new("alice-bot", "alice")[1] if other == "token" else secret
        await new.say(hello(token, games=[GameSupport(game="bluff")] if other == "games" else []))
        assert (await new.hear()).welcome.session not in ("", session)


async def test_a_session_that_has_begun_is_resumed_only_by_its_id() -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialled(host) as new:
        session = (await old.hear()).welcome.session
        await old.say(BotMessage(ready=Ready(match_id="a word")))
        await until(lambda: host.registry.sessions_of("alice-bot")[0].received == 1)
        old.call.cancel()
        await host.event("broken")
        await new.say(hello(secret))
        assert (await new.hear()).welcome.session != session


async def test_two_restarted_bots_get_separate_sessions() -> None:
    async with hosting() as host, by_hand(host) as (one, secret), dialled(host) as two:
        await two.say(hello(secret))
        lost = {(await line.hear()).welcome.session for line in (one, two)}
        for line in (one, two):
            line.call.cancel()
        await host.event("broken", 2)
        async with dialled(host) as three, dialled(host) as four:
            await asyncio.gather(*(line.say(hello(secret)) for line in (three, four)))
            assert {(await line.hear()).welcome.session for line in (three, four)} == lost


async def test_a_bot_cannot_take_over_the_session_of_another() -> None:
    async with hosting() as host, by_hand(host) as (old, _), dialled(host) as new:
        session = (await old.hear()).welcome.session
        _, bobs = host.tokens.new("bob-bot", "bob")
        await new.say(hello(bobs, "bob-bot", session=session))
        assert (await new.hear()).welcome.session != session
        await host.event("arrived", 2)
        assert len(host.registry.sessions_of("alice-bot")) == 1


async def test_the_session_of_a_bot_that_leaves_while_waiting_ends_at_once() -> None:
    async with hosting() as host, by_hand(host) as (line, _):
        await line.say(BotMessage(goodbye=Goodbye(reason="dinner")))
        await line.hear()
        assert (await host.event("left"))["missing"] == ["alice-bot", "bob-bot"]
        assert host.events("broken") == []
        assert await line.hear() == ArenaMessage(), "its stream has ended"


LARGE_WHEN_PARSED = BotMessage(hello=Hello(games=[GameSupport()] * 30_000))
WRONG = [
    ([BotMessage(action=Action())] * (MOST_UNREAD + 1), "unsolicited"),
    ([b"\xff\xfe"], "bytes that are not a BotMessage"),
    ([b"x" * (MAX_MESSAGE + 1)], f"at most {MAX_MESSAGE} are allowed"),
]


@pytest.mark.parametrize(("what", "sentence"), [*WRONG, ([LARGE_WHEN_PARSED] * 5, "or 262144 bytes unsolicited")])
async def test_a_protocol_violation_while_waiting_costs_the_session(
    what: list[BotMessage | bytes], sentence: str
) -> None:
    async with hosting() as host, by_hand(host) as (line, _):
        await line.hear()
        for message in what:
            await line.say(message)
        assert sentence in (await line.hear()).goodbye.reason
        assert (await host.event("left"))["bot"] == "alice-bot"
        assert host.registry.sessions_of("alice-bot") == []


@pytest.mark.parametrize(("what", "sentence"), WRONG)
async def test_a_protocol_violation_during_a_match_also_costs_the_seat(
    what: list[BotMessage | bytes], sentence: str
) -> None:
    async with hosting() as host, by_hand(host) as (line, _), dialling(host, Watched("bob-bot")):
        await line.hear()
        match = asyncio.create_task(played(host))
        assert (await line.hear()).match_start.game == "bluff"
        with suppress(grpc.aio.AioRpcError):  # the stream may end before everything is sent
            for message in what:
                await line.say(message)
        [fault] = (await match).faults
        assert fault.termination == Termination.TERMINATION_PROTOCOL_ERROR
        assert sentence in fault.detail
        assert host.registry.sessions_of("alice-bot") == []


async def test_a_late_ready_does_not_affect_the_next_match() -> None:
    async with hosting() as host, by_hand(host) as (line, _), dialling(host, Watched("bob-bot")):
        await line.hear()
        faults = (await played(host, clock=Clock(match_start_ms=50))).faults
        [fault] = [fault for fault in faults if fault.seat == 0]
        assert fault.detail == "the bot did not answer MatchStart with Ready within 50 ms"
        match = asyncio.create_task(played(host))
        for _ in range(2):
            start = (await line.hear()).match_start
            await line.say(BotMessage(ready=Ready(match_id=start.match_id)))
        while (question := (await line.hear()).decide).decision_id:
            await line.say(BotMessage(action=Action(decision_id=question.decision_id, action=1)))
        assert [fault.detail for fault in (await match).faults] == []


async def test_an_action_before_the_match_does_not_cost_the_bot_its_match_start() -> None:
    async with hosting() as host, by_hand(host) as (line, _), dialling(host, Watched("bob-bot")):
        await line.hear()
        await line.say(BotMessage(action=Action()))
        [session] = host.registry.sessions_of("alice-bot")
        await until(lambda: session.received == 1)
        match = asyncio.create_task(played(host))
        assert (await line.hear()).match_start.game == "bluff"
        match.cancel()


async def test_a_bot_on_a_silent_link_loses_one_match_and_gets_no_other_until_it_is_heard() -> None:
    async with hosting() as host, wire_to(host) as wire:
        bots = Watched("alice-bot"), Watched("bob-bot")
        async with dialling(host, bots[0], wire.address), dialling(host, bots[1]):
            await played(host)
            wire.hold()
            [fault] = (await played(host, clock=Clock(match_start_ms=100))).faults
            assert (fault.seat, fault.termination) == (0, Termination.TERMINATION_TIMEOUT)
            match = asyncio.create_task(played(host))
            assert (await host.event("silent"))["bot"] == "alice-bot"
            wire.release()
            assert (await host.event("heard"))["bot"] == "alice-bot"
            assert [fault.detail for fault in (await match).faults] == []


async def test_a_bot_that_does_not_answer_keepalive_is_given_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting() as host, by_hand(host) as (line, _), dialling(host, Watched("bob-bot")):
        await line.hear()
        monkeypatch.setattr(sessions, "SILENT_S", 0.0)
        match = asyncio.create_task(played(host))
        await host.event("silent", 2)
        monkeypatch.undo()
        assert not match.done()
        await line.say(BotMessage(action=Action()))
        assert (await line.hear()).match_start.game == "bluff"
        match.cancel()


@pytest.mark.parametrize("moment", ["waiting", "asked to start", "asked to decide"])
async def test_a_stream_whose_bot_closes_its_side_ends_with_status_ok(moment: str) -> None:
    async with hosting() as host, by_hand(host) as (line, _), dialling(host, Watched("bob-bot")):
        await line.hear()
        if moment != "waiting":
            match = asyncio.create_task(played(host))
            start = (await line.hear()).match_start
        if moment == "asked to decide":
            await line.say(BotMessage(ready=Ready(match_id=start.match_id)))
            await line.hear()
        await line.call.done_writing()
        while await line.hear() != ArenaMessage():
            pass
        assert await line.call.code() == grpc.StatusCode.OK
        await host.event("broken")
        if moment != "waiting":
            match.cancel()


async def test_the_stream_of_a_bot_that_closes_its_side_right_after_its_hello_ends() -> None:
    async with hosting() as host, dialled(host) as line:
        await line.say(hello(host.tokens.new("alice-bot", "alice")[1]))
        await line.call.done_writing()
        while await line.hear() != ArenaMessage():
            pass
        assert await line.call.code() == grpc.StatusCode.OK


async def test_a_refused_bot_may_close_its_stream_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LEAVE_S", PATIENCE_S)
    async with hosting() as host, dialled(host) as line:
        await line.say(hello("ballcourt_wrong"))
        assert (await line.hear()).refused.reason
        for _ in range(20):  # a stream that ends first does not take these
            await line.say(BotMessage())
            await asyncio.sleep(0.01)
        await line.call.done_writing()
        assert await line.hear() == ArenaMessage()
        assert await line.call.code() == grpc.StatusCode.OK


async def test_the_stream_of_a_refused_bot_that_does_not_close_it_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LEAVE_S", 0.01)
    async with hosting() as host, dialled(host) as line:
        await line.say(hello("ballcourt_wrong"))
        assert (await line.hear()).refused.reason
        assert await line.hear() == ArenaMessage()


async def test_a_bot_whose_stream_broke_after_the_last_match_is_waited_for_and_gets_a_goodbye() -> None:
    async with (
        hosting() as host,
        wire_to(host) as wire,
        dialling(host, Watched("alice-bot"), wire.address) as alice,
        dialling(host, Watched("bob-bot")) as bob,
    ):
        await played(host)
        wire.cut()
        await host.event("broken")
        await host.registry.dismiss("the arena closes")
        await asyncio.wait_for(asyncio.gather(alice, bob), PATIENCE_S)
        assert (await host.event("back"))["bot"] == "alice-bot"


async def test_goodbye_is_repeated_to_a_bot_whose_stream_breaks_before_it_has_closed_its_side() -> None:
    async with hosting() as host, by_hand(host) as (old, secret), dialled(host) as new:
        name = (await old.hear()).welcome.session
        dismissal = asyncio.create_task(host.registry.dismiss("the arena closes"))
        assert (await old.hear()).goodbye.reason == "the arena closes"
        old.call.cancel()
        await host.event("broken")
        assert not dismissal.done()
        await new.say(hello(secret, session=name))
        assert (await new.hear()).welcome.session == name
        assert (await new.hear()).goodbye.reason == "the arena closes"
        await new.call.done_writing()
        assert await new.hear() == ArenaMessage()
        await asyncio.wait_for(dismissal, PATIENCE_S)


async def test_a_bot_that_stays_away_after_the_end_is_waited_for_no_longer_than_during_a_match() -> None:
    async with hosting(reconnect_ms=30) as host, by_hand(host) as (line, _):
        await line.hear()
        line.call.cancel()
        await host.event("broken")
        await asyncio.wait_for(host.registry.dismiss("the arena closes"), PATIENCE_S)


async def test_a_bot_that_connects_after_the_end_gets_a_goodbye() -> None:
    async with hosting() as host:
        await host.registry.dismiss("the arena closes")
        async with by_hand(host) as (line, _):
            assert (await line.hear()).welcome.session
            assert (await line.hear()).goodbye.reason == "the arena closes"
            await line.call.done_writing()
            assert await line.hear() == ArenaMessage()


def test_a_bot_that_got_a_goodbye_during_a_match_does_not_reconnect() -> None:
    async def run(steps: int) -> None:
        async with (
            hosting() as host,
            dialling(host, Watched("alice-bot")) as alice,
            dialling(host, Watched("bob-bot")) as bob,
        ):
            match = asyncio.create_task(played(host))
            for _ in range(steps):
                await asyncio.sleep(0)
            match.cancel()
            await asyncio.wait([match], timeout=PATIENCE_S)
            await host.registry.dismiss("the arena closes")
            await asyncio.wait_for(asyncio.gather(alice, bob), PATIENCE_S)
            assert len(host.events("arrived")) == 2

    for steps in range(0, 60, 7):
        asyncio.run(run(steps))


async def test_a_bot_that_got_a_goodbye_does_not_reconnect() -> None:
    async with hosting() as host, dialling(host, Watched("alice-bot")) as bot:
        await host.registry.dismiss("the arena closes")
        await asyncio.wait_for(bot, PATIENCE_S)
