"""A place at the table as the referee sees it: it is asked, it answers within its time, or it is at fault.

What carries the messages, a gRPC stream or a call in the same process, is a `Session`; what stands behind it is the
business of the subclasses.
"""

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter_ns
from typing import NamedTuple, Protocol

from arena.faults import ArenaError, BotFault
from arena.match import Clock
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Hello, MatchEnd, MatchStart, Observe, Termination

MAX_STALE = 100
"""So many messages nobody asked for may arrive while one answer is awaited."""
MAX_THOUGHTS = 4096
STALL_S = 2.0
"""A timer this late shows that the event loop was held up, or the process stopped."""
SLOW_WRITE_NS = 1_000_000  # a write that took longer is not counted against the limit; moving a timer is not free


class Answer(NamedTuple):
    """What a seat decided and how long it took; a referee's own answer takes no time."""

    action: int
    think_us: int = 0
    thoughts: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is left of a bot that lost its seat."""

    exit_code: int = 0
    """How its process ended by itself; 0 also if it did not."""
    stderr_tail: str = ""


class Session(Protocol):
    """An open conversation with a bot that has said Hello. Both directions raise BotFault when the bot is gone."""

    hello: Hello
    asked: int
    """How many decisions it has been asked in all its matches; the last one's id."""

    async def send(self, message: ArenaMessage) -> None:
        """Return when the message is written."""

    async def receive(self) -> BotMessage:
        """Wait for the next message; raises BotFault also when it is malformed."""


class Seat(ABC):
    """One seat of one match. Every method raises BotFault when the bot breaks the contract."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.dropped = 0  # late, stale and double messages so far
        self._session: Session | None = None

    @abstractmethod
    async def connect(self) -> Session:
        """Reach a bot that has said Hello."""

    @abstractmethod
    async def vacate(self, cause: Termination) -> Evidence:
        """Be done with a bot that is at fault."""

    @property
    def session(self) -> Session:
        """The session of a seat that has started."""
        assert self._session is not None, "the seat has not started"
        return self._session

    @property
    def observes(self) -> bool:
        """Whether the bot asked for a push after every decision of another seat."""
        return self.session.hello.capabilities.observe

    async def start(self, start: MatchStart) -> None:
        """Seat a bot and wait until it is ready."""
        self._session = await self.connect()
        late = f"the bot did not answer MatchStart with Ready within {self.clock.match_start_ms} ms"
        async with _Watchdog(self.clock.match_start_ms, late):
            await self.session.send(ArenaMessage(match_start=start))
            reply = await self._reply("ready")
        if reply.ready.match_id != start.match_id:
            raise _protocol_error(
                f"the bot is ready for match '{reply.ready.match_id}'; it was asked for '{start.match_id}'"
            )

    async def decide(self, question: ArenaMessage) -> Answer:
        """Put a question, under an id that no other question of this session has, and wait for its answer."""
        limit_ms = question.decide.limit_ms
        session = self.session
        session.asked += 1
        decision = question.decide.decision_id = session.asked
        budget_ms = limit_ms + self.clock.grace_ms
        began = perf_counter_ns()
        async with _Watchdog(budget_ms, f"the bot did not answer decision {decision} within {limit_ms} ms") as watchdog:
            await session.send(question)
            written = perf_counter_ns()
            if written - began > SLOW_WRITE_NS:
                watchdog.reschedule(asyncio.get_running_loop().time() + budget_ms / 1000)
            reply = await self._reply("action", decision)
        return _answer(reply, decision, (perf_counter_ns() - written) // 1000)

    async def observe(self, push: Observe) -> None:
        """Push what changed; no answer is due."""
        async with _Watchdog(self.clock.cap_ms, f"the bot did not take an Observe within {self.clock.cap_ms} ms"):
            await self.session.send(ArenaMessage(observe=push))

    async def finish(self, end: MatchEnd) -> None:
        """Tell the result."""
        async with _Watchdog(
            self.clock.match_start_ms, f"the bot did not take MatchEnd in {self.clock.match_start_ms} ms"
        ):
            await self.session.send(ArenaMessage(match_end=end))

    async def _reply(self, kind: str, decision: int = 0) -> BotMessage:
        """Wait for the message that is due; drop those of an earlier decision, up to a limit."""
        for _ in range(MAX_STALE + 1):
            message = await self.session.receive()
            which = message.WhichOneof("message")
            if which == kind and (not decision or message.action.decision_id >= decision):
                return message
            if which == "goodbye":
                raise BotFault(
                    Termination.TERMINATION_CRASH, f"the bot left the match: {message.goodbye.reason or 'Goodbye'}"
                )
            if which == "hello":
                raise _protocol_error("the bot said Hello twice; a stream has one Hello")
            self.dropped += 1
        raise _protocol_error(
            f"the bot sent more than {MAX_STALE} messages nobody asked for while its {kind} was awaited"
        )


class _Watchdog:
    """`asyncio.timeout` in milliseconds, whose expiry is the bot's fault, unless the arena itself stood still."""

    def __init__(self, limit_ms: int, sentence: str) -> None:
        self._timeout = asyncio.timeout(limit_ms / 1000)
        self._sentence = sentence

    async def __aenter__(self) -> asyncio.Timeout:
        return await self._timeout.__aenter__()

    async def __aexit__(self, *raised: object) -> None:
        try:
            await self._timeout.__aexit__(*raised)  # type: ignore[arg-type]
        except TimeoutError:
            late_s = asyncio.get_running_loop().time() - (self._timeout.when() or 0.0)
            if late_s > STALL_S:
                raise ArenaError(f"the arena stood still for {late_s:.1f} s and cannot judge the bot's time") from None
            raise BotFault(Termination.TERMINATION_TIMEOUT, self._sentence) from None


def _answer(reply: BotMessage, decision: int, think_us: int) -> Answer:
    action = reply.action
    if action.decision_id != decision:
        raise _protocol_error(
            f"the bot answered decision {action.decision_id}, which was never asked; asked was {decision}"
        )
    thoughts = action.thoughts
    if len(thoughts) * 4 > MAX_THOUGHTS and (size := len(thoughts.encode())) > MAX_THOUGHTS:
        raise _protocol_error(
            f"the bot sent thoughts of {size} bytes with decision {decision}; at most {MAX_THOUGHTS} fit"
        )
    return Answer(action.action, think_us, thoughts)


def _protocol_error(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_PROTOCOL_ERROR, sentence)
