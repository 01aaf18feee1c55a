"""A bot that sends anything in any order, driven by hypothesis, against the real session, seat and referee."""

import asyncio
from dataclasses import replace
from typing import cast

import grpc
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.scripted_seats import ScriptedSeat, SessionSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.stream.session import MAX_MESSAGE, StreamSession
from ballcourt.arena.records.replay import verify
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Action, ArenaMessage, BotMessage, Goodbye, Hello, Ready, Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import PATIENCE_S
from tests.fuzz.damage import TEXTS, damaged, distorted, tried

CLOCK = Clock(match_start_ms=50, bank_ms=200, cap_ms=50, grace_ms=10)
TURNS = 20
"""How many turns of the event loop it takes until everything waits for the bot."""
POLICIES = [{}, {"illegal": "retry 2", "timeout": "substitute 1"}, {"illegal": "substitute 1"}]
FAULTS = {
    Termination.TERMINATION_ILLEGAL,
    Termination.TERMINATION_TIMEOUT,
    Termination.TERMINATION_CRASH,
    Termination.TERMINATION_PROTOCOL_ERROR,
}


class Wire:
    """The arena's end of a stream, without gRPC between it and the bot."""

    def __init__(self) -> None:
        self.heard: list[ArenaMessage] = []
        """The messages sent to the bot."""
        self.broken = False
        self._said: asyncio.Queue[object] = asyncio.Queue()

    async def write(self, data: bytes) -> None:
        if self.broken:
            raise grpc.aio.UsageError("the stream is broken")
        self.heard.append(ArenaMessage.FromString(data))

    async def read(self) -> object:
        if self.broken and self._said.empty():
            return grpc.aio.EOF
        return await self._said.get()

    def say(self, data: object) -> None:
        self._said.put_nowait(data)

    def last(self, kind: str) -> ArenaMessage:
        """Return the last message of a kind; an empty message if there was none."""
        return next((message for message in reversed(self.heard) if message.HasField(kind)), ArenaMessage())


class AnyBot(RuleBasedStateMachine):
    """The bot's side of a match against an honest bot, and of further matches if it keeps its seat."""

    @initialize(policy=st.sampled_from(POLICIES), ponder=st.booleans(), observes=st.booleans())
    def connect(self, policy: dict[str, str], ponder: bool, observes: bool) -> None:
        self.runner = asyncio.Runner()
        self.wire = self.runner.run(self._wired())
        context = cast("grpc.aio.ServicerContext[bytes, bytes]", self.wire)
        self.session = StreamSession(context)
        self.session.hello.capabilities.observe = observes
        self.clock = replace(CLOCK, ponder=ponder)
        self.policy = parse_policy(policy)
        self.matches = 0
        self.begin()

    async def _wired(self) -> Wire:
        return Wire()

    def begin(self) -> None:
        """Create the session and seat of a new match."""
        self.matches += 1
        seats = [SessionSeat(self.session, self.clock), ScriptedSeat(lambda decide: Answer(decide.legal[0]))]
        play = play_match(find_game("bluff"), spec(self.clock, self.policy, self.matches), seats)
        self.match: asyncio.Task[MatchRecord] = self.runner.get_loop().create_task(play)
        self.settle()

    def settle(self) -> None:
        async def turn() -> None:
            for _ in range(TURNS):
                await asyncio.sleep(0)

        self.runner.run(turn())

    def say(self, message: BotMessage | bytes | object) -> None:
        self.wire.say(message.SerializeToString() if isinstance(message, BotMessage) else message)
        self.settle()

    @rule()
    def is_ready(self) -> None:
        self.say(ready(self.wire.last("match_start").match_start.match_id))

    @rule(match_id=TEXTS)
    def is_ready_for_another_match(self, match_id: str) -> None:
        self.say(ready(match_id))

    @rule(choice=st.integers(1, 3), times=st.integers(1, 2))
    def answers(self, choice: int, times: int) -> None:
        for _ in range(times):
            self.say(action(self.wire.last("decide").decide.decision_id, choice))

    @rule(times=st.integers(1, 3))
    def plays_on(self, times: int) -> None:
        self.is_ready()
        for _ in range(times):
            self.answers(1, 1)

    @rule(distance=st.integers(-3, 3), choice=st.integers(0, 4) | st.integers(0, (1 << 32) - 1))
    def answers_something_else(self, distance: int, choice: int) -> None:
        self.say(action(max(0, self.wire.last("decide").decide.decision_id + distance), choice))

    @rule(letters=st.sampled_from([4096, 4097, 2 * MAX_MESSAGE]), letter=st.sampled_from(["x", "é"]))
    def thinks_aloud(self, letters: int, letter: str) -> None:
        self.say(action(self.wire.last("decide").decide.decision_id, 1, letter * letters))

    @rule(times=st.sampled_from([1, 99, 101]))
    def repeats_itself(self, times: int) -> None:
        for _ in range(times):
            self.wire.say(action(0, 1).SerializeToString())
        self.settle()

    @rule(
        message=st.sampled_from([BotMessage(hello=Hello()), BotMessage(), BotMessage(goodbye=Goodbye(reason="a\0b"))])
    )
    def says_what_was_not_asked_for(self, message: BotMessage) -> None:
        self.say(message)

    @rule(message=distorted(BotMessage(action=Action(decision_id=1, action=1), hello=Hello())))
    def says_anything(self, message: BotMessage) -> None:
        self.say(message)

    @rule(data=st.binary(max_size=60) | damaged(b"\x1a\x08\x08\x01\x10\x01\x1a\x02hi\xa2\x06\x03odd"))
    def says_bytes(self, data: bytes) -> None:
        self.say(data)

    @rule()
    def closes_its_end(self) -> None:
        self.say(grpc.aio.EOF)
        self.wire.broken = True

    @rule()
    def breaks_off(self) -> None:
        self.wire.broken = True

    @rule()
    def plays_another_match(self) -> None:
        # no precondition: when a match is over may depend on the clock, and hypothesis wants its choices the same
        if self.match.done() and judged(self.match.result()) == Termination.TERMINATION_OK:
            self.begin()

    def teardown(self) -> None:
        """Send nothing more, and check how the match ended."""
        if not hasattr(self, "match"):
            return
        judged(self.runner.run(asyncio.wait_for(self.match, PATIENCE_S)))
        self.runner.close()


def judged(record: MatchRecord) -> Termination:
    """Check that the match was finished and that only the bot may have lost its seat; return the bot's termination."""
    any_bot, honest = record.results
    assert honest.termination == Termination.TERMINATION_OK
    assert verify(record).agrees, verify(record).difference
    if any_bot.termination == Termination.TERMINATION_OK:
        assert not record.faults
    else:
        [fault] = record.faults
        assert (fault.seat, fault.termination) == (0, any_bot.termination)
        assert fault.termination in FAULTS
        assert fault.detail
    return any_bot.termination


def spec(clock: Clock, policy: FaultPolicy, number: int) -> MatchSpec:
    entrants = tuple(Entrant(BotVersion(name, "1")) for name in ("any", "honest"))
    return MatchSpec(str(number), "bluff", {"rounds": "3"}, number, entrants, clock, policy)


def ready(match_id: str) -> BotMessage:
    return BotMessage(ready=Ready(match_id=match_id))


def action(decision: int, choice: int, thoughts: str = "") -> BotMessage:
    return BotMessage(action=Action(decision_id=decision, action=choice, thoughts=thoughts))


AnyBot.TestCase.settings = tried(60)
test_whatever_a_bot_says_the_match_is_played_to_its_end = AnyBot.TestCase
