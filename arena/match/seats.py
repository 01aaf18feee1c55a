"""A place at the table as the referee sees it: it is asked, it answers within its time, or it is at fault.

What carries the messages, a gRPC stream or a call in the same process, is a `Session`; what stands behind it is the
business of the subclasses.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter_ns
from typing import NamedTuple, Protocol

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.transcript import Transcript
from ballcourt.arena.match.watchdog import Watchdog
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Hello, MatchEnd, MatchStart, Observe, Termination
from ballcourt.v1.record_pb2 import DecidedBy, Exchange

MAX_STALE = 100
"""So many messages nobody asked for may arrive while one answer is awaited."""
MAX_THOUGHTS = 4096


class Answer(NamedTuple):
    """The answer to a decision. One that does not come from a bot takes no time."""

    action: int
    think_us: int = 0
    thoughts: str = ""
    decided_by: DecidedBy = DecidedBy.DECIDED_BY_BOT


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is left of a bot that lost its seat."""

    exit_code: int = 0
    """How its process ended by itself; 0 also if it did not."""
    stderr_tail: str = ""
    out_of_memory: str = ""
    """What shows that its process ended for want of memory; empty when nothing does."""


class Session(Protocol):
    """An open conversation with a bot that has said Hello. Both directions raise BotFault when the bot is gone."""

    hello: Hello
    asked: int
    """How many decisions it has been asked in all its matches; the last one's id."""

    transcript: Transcript
    patient: bool
    """Whether a wait for a message can be broken off and the next wait gets it; costs a little, so only on demand."""

    async def send(self, message: ArenaMessage) -> None:
        """Return when the message is written."""

    async def receive(self) -> BotMessage:
        """Wait for the next message; raises BotFault also when it is malformed."""


class Seat(ABC):
    """One seat of one match. Every method raises BotFault when the bot breaks the contract."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.dropped = 0  # late, stale and double messages so far
        self.patient = False  # whether the match goes on with a bot that timed out
        self.waited_ns = 0  # between the last question and its answer, by the arena's own clock
        self._session: Session | None = None
        self._watchdog = Watchdog(clock.tolerance_ms)
        self._frozen = False
        self._withheld: list[Observe] = []  # while it was frozen

    @abstractmethod
    async def connect(self) -> Session:
        """Reach a bot that has said Hello."""

    @abstractmethod
    async def vacate(self, cause: Termination) -> Evidence:
        """Be done with a bot that is at fault."""

    def stop(self) -> None:  # noqa: B027 (by default the bot is no process of ours and goes on)
        """Let the bot do nothing until `resume`."""

    def resume(self) -> None:  # noqa: B027
        """Let the bot go on."""

    def cpu_us(self) -> int:
        """How much CPU time the bot has used in this match, in microseconds; 0 when that cannot be known."""
        return 0

    def freeze(self) -> None:
        """Nothing is due from the bot: unless bots may ponder, stop it until it is asked or the match ends."""
        if not self._frozen and not self.clock.ponder:
            self._frozen = True
            self.stop()

    def _thaw(self) -> None:
        if self._frozen:
            self._frozen = False
            self.resume()

    @property
    def session(self) -> Session:
        """The session of a seat that has started."""
        assert self._session is not None, "the seat has not started"
        return self._session

    @property
    def observes(self) -> bool:
        """Whether the bot asked for a push after every decision of another seat."""
        return self.session.hello.capabilities.observe

    @property
    def work(self) -> int:
        """The units of work its bot may spend on a decision instead of time; 0 when it plays by the clock."""
        limited = self._session is not None and self._session.hello.capabilities.work_limited
        return self.clock.work if limited else 0

    def exchanges(self) -> list[Exchange]:
        """What was said in this match, first and last, for the author of a bot at fault; nothing before it started."""
        return self._session.transcript.exchanges() if self._session else []

    async def start(self, start: MatchStart) -> None:
        """Seat a bot and wait until it is ready."""
        self._session = await self.connect()
        self._session.transcript.begin()
        self._session.patient = self.patient
        start.clock.work = self.work
        late = f"the bot did not answer MatchStart with Ready within {self.clock.match_start_ms} ms"
        with self._watchdog.guard(self.clock.match_start_ms, late):
            await self.session.send(ArenaMessage(match_start=start))
            reply = await self._reply("ready")
        if reply.ready.match_id != start.match_id:
            raise _protocol_error(
                f"the bot is ready for match '{reply.ready.match_id}'; it was asked for '{start.match_id}'"
            )
        self.freeze()  # while others are still starting

    async def decide(self, question: ArenaMessage) -> Answer:
        """Put a question, under an id that no other question of this session has, and wait for its answer."""
        limit_ms = question.decide.limit_ms
        session = self.session
        session.asked += 1
        decision = question.decide.decision_id = session.asked
        late = f"the bot did not answer decision {decision} within {limit_ms} ms"
        self._thaw()
        with self._watchdog.guard(limit_ms + self.clock.grace_ms, late):
            if self._withheld:
                await self._catch_up()
            await session.send(question)
            self._watchdog.restart()
            written = perf_counter_ns()
            reply = await self._reply("action", decision)
        self.waited_ns = perf_counter_ns() - written
        return _answer(reply, decision, self.waited_ns // 1000)

    async def observe(self, push: Observe) -> None:
        """Push what changed; no answer is due. A frozen bot gets it when it is asked next: it could not read it."""
        if self._frozen:
            self._withheld.append(push)
            return
        with self._watchdog.guard(self.clock.cap_ms, f"the bot did not take an Observe within {self.clock.cap_ms} ms"):
            await self.session.send(ArenaMessage(observe=push))

    async def finish(self, end: MatchEnd) -> None:
        """Tell the result."""
        self._thaw()
        limit_ms = self.clock.match_start_ms
        with self._watchdog.guard(limit_ms, f"the bot did not take MatchEnd within {limit_ms} ms"):
            await self._catch_up()
            await self.session.send(ArenaMessage(match_end=end))

    async def _catch_up(self) -> None:
        """Push what was withheld."""
        pushes, self._withheld = self._withheld, []
        for push in pushes:
            await self.session.send(ArenaMessage(observe=push))

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
