"""Seats as the referee sees them: a seat answers a question in time, or it is at fault.

A `Session` carries the messages, over a gRPC stream or by calls in the same process. Subclasses of `Seat` know what is
behind it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import NamedTuple, Protocol

from ballcourt.arena.faults import BotFault, describe_exit, in_words
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.arena.match.watchdog import Watchdog
from ballcourt.arena.records.evaluations import objection
from ballcourt.v1.protocol_pb2 import (
    Action,
    ArenaMessage,
    BotMessage,
    Evaluation,
    Hello,
    MatchEnd,
    MatchStart,
    Observe,
    Termination,
)
from ballcourt.v1.record_pb2 import DecidedBy, Exchange, SeatFault

MAX_STALE = 100
"""How many unsolicited messages may arrive while an answer is awaited."""
MAX_THOUGHTS = 4096
ALONE = nullcontext(1)


class Answer(NamedTuple):
    """The answer to a decision. One that does not come from a bot takes no time."""

    action: int
    think_us: int = 0
    thoughts: str = ""
    decided_by: DecidedBy = DecidedBy.DECIDED_BY_BOT
    evaluation: Evaluation | None = None


ENDED = (Termination.TERMINATION_CRASH, Termination.TERMINATION_FAILED_TO_START)
"""How a bot that runs out of memory or CPU time seems to have ended, until there is evidence."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the process of a bot that lost its seat."""

    exit_code: int | None = None
    """The exit code of a process that ended by itself."""
    stderr_tail: str = ""
    limits: Mapping[str, str] = field(default_factory=dict)
    """What shows that its process ran into limits, by the termination that this is, such as OUT_OF_MEMORY."""

    def add_to(self, fault: SeatFault) -> None:
        """Put it into the fault for which the bot lost its seat."""
        for name, shown in self.limits.items():
            if fault.termination in ENDED:  # the first limit counts
                fault.termination = getattr(Termination, f"TERMINATION_{name}")
                fault.detail = f"the bot ran {in_words(name)}: {shown}"
        fault.exit_code = self.exit_code or 0
        fault.stderr_tail = self.stderr_tail
        if self.exit_code is not None:
            fault.detail += f" ({describe_exit(self.exit_code)})"


class Session(Protocol):
    """An open conversation with a bot that has sent Hello. Both directions raise BotFault if the bot is gone."""

    hello: Hello
    asked: int
    """How many decisions it has been asked in all its matches, which is the id of the last one."""

    transcript: Transcript
    patient: bool
    """Whether a wait for a message can be cancelled without losing the message, which costs a little."""

    async def send(self, message: ArenaMessage) -> None:
        """Write a message; return when it is written."""

    async def begin(self, message: ArenaMessage) -> None:
        """Begin to write a message, whose answer is awaited next."""

    async def receive(self) -> BotMessage:
        """Wait for the next message. Raises BotFault also if it is malformed."""


class Seat(ABC):
    """One seat of one match. Every method raises BotFault if the bot breaks the contract."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.dropped = 0  # late, stale and duplicate messages so far
        self.patient = False  # whether a bot that timed out may play on
        self.beside = 0  # the most matches that its bot's process played at the same time as this one
        self.waited_ns = 0  # between the last question and its answer, by the arena's own clock
        self._session: Session | None = None
        self._watchdog = Watchdog(clock.grace_ms)
        self._seats = 0  # of the match
        self._frozen = False
        self._withheld: list[Observe] = []  # while it was frozen

    @abstractmethod
    async def connect(self) -> Session:
        """Return a session with a bot that has sent Hello."""

    @abstractmethod
    async def vacate(self, cause: Termination) -> Evidence:
        """Part with a bot that is at fault; return what its process shows about that."""

    def turn(self, *, is_asked: bool = False) -> AbstractAsyncContextManager[int]:
        """Return a context that begins when the bot may think and ends its turn; by default it begins at once.

        It yields how many questions of several matches the bot is asked together; one, unless this `is_asked`.
        """
        return ALONE

    def stop(self) -> None:  # noqa: B027 (by default the bot is not a process of the arena)
        """Stop the bot until `resume`."""

    def resume(self) -> None:  # noqa: B027
        """Resume the bot."""

    async def log(self) -> str:
        """Return what the bot has printed in this match, at most the end of it; empty if it is not known."""
        return ""

    def release(self, *, finished: bool) -> None:  # noqa: B027
        """Release the seat's resources, whether or not the match finished."""

    def cpu_us(self) -> int:
        """Return the CPU time that the bot has used in this match, in microseconds; 0 if unknown."""
        return 0

    def freeze(self) -> None:
        """Stop the bot until it is asked or the match ends, unless bots may ponder."""
        if not self._frozen and self.clock.in_turns:
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
        """The units of work its bot may spend per decision; 0 if it plays by the clock."""
        limited = self._session is not None and self._session.hello.capabilities.work_limited
        return self.clock.work if limited else 0

    def exchanges(self) -> list[Exchange]:
        """Return the messages of this match, for the author of a bot at fault; of many, the first and the last."""
        return self._session.transcript.exchanges() if self._session else []

    def left_out(self) -> int:
        """Return how many requests `exchanges` leaves out after the first."""
        return self._session.transcript.left_out if self._session else 0

    async def start(self, start: MatchStart) -> None:
        """Send MatchStart to a bot and wait until it is ready."""
        self._session = await self.connect()
        self._session.transcript.begin()
        self._session.patient = self.patient
        start.clock.work = self.work
        late = f"the bot did not answer MatchStart with Ready within {self.clock.match_start_ms} ms"
        async with self.turn():
            self._thaw()
            with self._watchdog.guard(self.clock.match_start_ms, late):
                await self.session.send(ArenaMessage(match_start=start))
                reply = await self._reply("ready")
        if reply.ready.match_id != start.match_id:
            raise _protocol_error(
                f"the bot is ready for match '{reply.ready.match_id}'; it was asked for '{start.match_id}'"
            )
        self._seats = start.seats
        self.freeze()  # while others are still starting

    async def decide(self, question: ArenaMessage, meanwhile: Callable[[], None] | None = None) -> Answer:
        """Ask a question, with an id that is unique in the session, and wait for the answer.

        The clock starts when the question is ready and it is the bot's turn, so a bot gains nothing by reading it
        slowly. Of the time that a bot takes for questions which it is asked together, each pays an equal share.
        `meanwhile` is called as soon as the question is written, so it must be quick.
        """
        session = self.session
        session.asked += 1
        decision = question.decide.decision_id = session.asked
        waits_ns = perf_counter_ns()
        async with self.turn(is_asked=True) as together:
            limit_ms = self.limit_ms(question) * together
            late = f"the bot did not answer within {limit_ms} ms"
            if together > 1:
                question.decide.together = together
                late += f", in which it was asked {together} questions"
            self._thaw()
            asked_ns = perf_counter_ns()
            with self._watchdog.guard(limit_ms, late):
                if self._withheld:
                    await self._catch_up()
                await session.begin(question)
                if meanwhile:
                    meanwhile()
                reply = await self._reply("action", decision)
            think_us = self._think_us(asked_ns, limit_ms) // together
        self.waited_ns = perf_counter_ns() - waits_ns
        return _answer(reply, decision, think_us, self._seats)

    def limit_ms(self, question: ArenaMessage) -> int:
        """Return how long the bot may take for a question."""
        return question.decide.limit_ms

    def _think_us(self, began_ns: int, limit_ms: int) -> int:
        """Return how long the bot took in the wait that is over, without the delay of the arena."""
        think_us = (perf_counter_ns() - began_ns) // 1000
        late_s = self._watchdog.late_s
        return max(0, min(think_us - round(late_s * 1e6), limit_ms * 1000)) if late_s else think_us

    async def observe(self, push: Observe) -> int:
        """Push a change; no answer is due. A frozen bot gets it with its next question.

        Return how many microseconds the bot took to let it in, which no other seat should pay for.
        """
        if self._frozen:
            self._withheld.append(push)
            return 0
        began_ns, cap_ms = perf_counter_ns(), self.clock.cap_ms
        with self._watchdog.guard(cap_ms, f"the bot did not take an Observe within {cap_ms} ms"):
            await self.session.send(ArenaMessage(observe=push))
        return self._think_us(began_ns, cap_ms)

    async def finish(self, end: MatchEnd) -> None:
        """Send the result."""
        limit_ms = self.clock.match_start_ms
        async with self.turn():
            self._thaw()
            with self._watchdog.guard(limit_ms, f"the bot did not take MatchEnd within {limit_ms} ms"):
                await self._catch_up()
                await self.session.send(ArenaMessage(match_end=end))

    async def _catch_up(self) -> None:
        """Send the pushes that were withheld while the bot was frozen."""
        pushes, self._withheld = self._withheld, []
        for push in pushes:
            await self.session.send(ArenaMessage(observe=push))

    async def _reply(self, kind: str, decision: int = 0) -> BotMessage:
        """Wait for the message that is due; drop up to `MAX_STALE` others."""
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
                raise _protocol_error("the bot sent Hello twice; a stream has one Hello")
            self.dropped += 1
        raise _protocol_error(f"the bot sent more than {MAX_STALE} unsolicited messages while its {kind} was awaited")


def _answer(reply: BotMessage, decision: int, think_us: int, seats: int) -> Answer:
    action = reply.action
    if action.decision_id != decision:
        raise _protocol_error(
            f"the bot answered decision {action.decision_id}, which was never asked; it was asked {decision}"
        )
    thoughts = action.thoughts
    if len(thoughts) * 4 > MAX_THOUGHTS and (size := len(thoughts.encode())) > MAX_THOUGHTS:
        raise _protocol_error(
            f"the bot sent thoughts of {size} bytes with decision {decision}; at most {MAX_THOUGHTS} are allowed"
        )
    by = DecidedBy.DECIDED_BY_FALLBACK if action.fallback else DecidedBy.DECIDED_BY_BOT
    return Answer(action.action, think_us, thoughts, by, _evaluation(action, decision, seats))


def _evaluation(action: Action, decision: int, seats: int) -> Evaluation | None:
    if not action.HasField("evaluation"):
        return None
    if sentence := objection(action.evaluation, seats):
        raise _protocol_error(f"the evaluation that the bot sent with decision {decision} {sentence}")
    return action.evaluation


def _protocol_error(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_PROTOCOL_ERROR, sentence)
