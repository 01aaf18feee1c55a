"""One seat and its session: what counts as an answer, and what does not."""

import asyncio
import itertools
import time
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, nullcontext

import pytest

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match import seats as module
from ballcourt.arena.match.seats import Answer, Evidence, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.v1.protocol_pb2 import (
    Action,
    ArenaMessage,
    BotMessage,
    Hello,
    MatchEnd,
    MatchStart,
    Observe,
    Ready,
    Termination,
)

QUICK = Clock(match_start_ms=1, cap_ms=1, grace_ms=0)


class FakeSession:
    """Delivers prepared messages, then waits forever."""

    def __init__(self, *messages: BotMessage) -> None:
        self.hello = Hello()
        self.asked = 0
        self.patient = False
        self.transcript = Transcript()
        self.messages = list(messages)
        self.story: list[str] = []
        """The messages sent, and the signals to its process."""

    async def send(self, message: ArenaMessage) -> None:
        self.story.append(message.WhichOneof("message") or "nothing")

    async def begin(self, message: ArenaMessage) -> None:
        await self.send(message)

    async def receive(self) -> BotMessage:
        if not self.messages:
            await asyncio.Event().wait()
        return self.messages.pop(0)


def hold_up() -> None:
    time.sleep(0.2)


class StalledSession(FakeSession):
    """Blocks the whole event loop, like slow rules of another match."""

    async def receive(self) -> BotMessage:
        hold_up()
        return await super().receive()


class PluggedSession(FakeSession):
    """Its peer does not read."""

    async def send(self, message: ArenaMessage) -> None:
        await asyncio.Event().wait()


class FakeSeat(Seat):
    def __init__(self, session: FakeSession, clock: Clock | None = None) -> None:
        super().__init__(clock or Clock())
        self.fake = session

    def stop(self) -> None:
        self.fake.story.append("stopped")

    def resume(self) -> None:
        self.fake.story.append("resumed")

    async def connect(self) -> FakeSession:
        return self.fake

    async def vacate(self, cause: Termination) -> Evidence:
        return Evidence()


READY = BotMessage(ready=Ready(match_id="m"))


class TogetherSeat(FakeSeat):
    """Is asked two questions at once."""

    def turn(self, *, is_asked: bool = False) -> AbstractAsyncContextManager[int]:
        return nullcontext(2 if is_asked else 1)


def action(decision: int, choice: int = 1, thoughts: str = "") -> BotMessage:
    return BotMessage(action=Action(decision_id=decision, action=choice, thoughts=thoughts))


def question(limit_ms: int = 1000) -> ArenaMessage:
    message = ArenaMessage()
    message.decide.limit_ms = limit_ms
    return message


async def started(seat: Seat) -> Seat:
    await seat.start(MatchStart(match_id="m"))
    return seat


def decide(*messages: BotMessage, times: int = 1) -> tuple[list[Answer], int]:
    """Ask a seat for a number of decisions; return its answers and how many messages it dropped."""

    async def run() -> tuple[list[Answer], int]:
        seat = await started(FakeSeat(FakeSession(READY, *messages)))
        return [await seat.decide(question()) for _ in range(times)], seat.dropped

    return asyncio.run(run())


def fault_of(work: Awaitable[object]) -> BotFault:
    async def run() -> None:
        await work

    with pytest.raises(BotFault) as fault:
        asyncio.run(run())
    return fault.value


def test_an_answer_has_its_action_thoughts_and_time() -> None:
    [answer], dropped = decide(action(1, 3, "corn"))
    assert (answer.action, answer.thoughts) == (3, "corn")
    assert answer.think_us >= 0
    assert dropped == 0


def test_answers_to_earlier_decisions_are_dropped_and_counted() -> None:
    answers, dropped = decide(action(1, 1), action(1, 2), READY, BotMessage(), action(2, 3), times=2)
    assert [answer.action for answer in answers] == [1, 3]
    assert dropped == 3


async def test_leftover_answers_of_the_previous_match_do_not_count() -> None:
    session = FakeSession(READY, action(1, 1), action(1, 2), READY, action(1, 3), action(2, 1))
    for _ in range(2):
        seat = await started(FakeSeat(session))
        answer = await seat.decide(question())
    assert answer.action == 1
    assert session.asked == 2


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([action(2)], "answered decision 2, which was never asked; it was asked 1"),
        ([action(1, 1, "é" * 2049)], "thoughts of 4098 bytes with decision 1; at most 4096"),
        ([action(0)] * 101, "more than 100 unsolicited messages while its action was awaited"),
        ([BotMessage(hello=Hello())], "sent Hello twice"),
    ],
)
def test_a_protocol_violation_costs_the_seat(messages: list[BotMessage], sentence: str) -> None:
    with pytest.raises(BotFault, match=sentence) as fault:
        decide(*messages)
    assert fault.value.termination == Termination.TERMINATION_PROTOCOL_ERROR


def test_a_hundred_stale_messages_are_forgiven_and_thoughts_may_be_4096_bytes() -> None:
    [answer], dropped = decide(*[action(0)] * 100, action(1, 2, "é" * 2048))
    assert (answer.action, dropped) == (2, 100)


@pytest.mark.parametrize(("declares", "work"), [(True, 50), (False, 0)])
def test_only_a_bot_that_counts_its_work_is_granted_work(declares: bool, work: int) -> None:
    session = FakeSession(READY)
    session.hello.capabilities.work_limited = declares
    start = MatchStart(match_id="m", clock=Clock(work=50).to_message())
    asyncio.run(FakeSeat(session, Clock(work=50)).start(start))
    assert start.clock.work == work


def story(clock: Clock) -> list[str]:
    """Return the events of a bot that is ready, observes two decisions of others, is asked, and sees the end."""
    session = FakeSession(READY, action(1))

    async def run() -> None:
        seat = await started(FakeSeat(session, clock))
        for _ in range(2):
            seat.freeze()
            await seat.observe(Observe())
        await seat.decide(question())
        seat.freeze()
        await seat.observe(Observe())
        await seat.finish(MatchEnd())

    asyncio.run(run())
    return session.story


def test_a_bot_is_stopped_while_it_owes_nothing_and_then_receives_what_it_missed() -> None:
    assert story(Clock()) == [
        *("match_start", "stopped", "resumed", "observe", "observe", "decide"),
        *("stopped", "resumed", "observe", "match_end"),
    ]


def test_a_pondering_bot_is_never_stopped_and_receives_everything_immediately() -> None:
    assert story(Clock(ponder=True)) == ["match_start", "observe", "observe", "decide", "observe", "match_end"]


def test_no_answer_in_time_is_a_timeout() -> None:
    async def run() -> None:
        seat = await started(FakeSeat(FakeSession(READY), QUICK))
        await seat.decide(question(1))

    fault = fault_of(run())
    assert (fault.termination, fault.sentence) == (
        Termination.TERMINATION_TIMEOUT,
        "the bot did not answer within 1 ms",
    )


def test_a_bot_that_does_not_read_times_out() -> None:
    assert (
        fault_of(FakeSeat(PluggedSession(), QUICK).start(MatchStart())).termination == Termination.TERMINATION_TIMEOUT
    )


def test_a_bot_ready_for_another_match_is_at_fault() -> None:
    session = FakeSession(BotMessage(ready=Ready(match_id="x")))
    assert "ready for match 'x'; it was asked for 'm'" in fault_of(started(FakeSeat(session))).sentence


class Time:
    """A clock that a test sets, in place of the clock of the seats."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_ns = 0
        monkeypatch.setattr("ballcourt.arena.match.seats.perf_counter_ns", lambda: self.now_ns)

    def slow(self, session: FakeSession, kind: str, seconds: float) -> None:
        """Make a session take this time for every message of a kind."""
        send = session.send

        async def send_slowly(message: ArenaMessage) -> None:
            if message.WhichOneof("message") == kind:
                self.now_ns += round(seconds * 1e9)
            await send(message)

        session.send = send_slowly  # type: ignore[method-assign]


@pytest.mark.parametrize("kind", ["decide", "observe"])
async def test_the_clock_runs_while_a_bot_does_not_take_the_question_or_what_it_missed(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = FakeSession(READY, action(1))
    Time(monkeypatch).slow(session, kind, 0.7)
    seat = await started(FakeSeat(session))
    await seat.observe(Observe())
    assert (await seat.decide(question())).think_us == 700_000


async def test_a_bot_that_may_ponder_pays_for_taking_its_pushes_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    session = FakeSession(READY)
    Time(monkeypatch).slow(session, "observe", 0.7)
    assert await (await started(FakeSeat(session, Clock(ponder=True)))).observe(Observe()) == 700_000


async def test_questions_that_are_asked_together_share_their_time_and_have_the_limits_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, asked = FakeSession(READY, action(1)), question(limit_ms=500)
    Time(monkeypatch).slow(session, "decide", 0.7)
    assert (await (await started(TogetherSeat(session))).decide(asked)).think_us == 350_000
    assert asked.decide.together == 2


async def test_the_wait_for_an_answer_is_measured_by_the_arenas_own_clock_from_before_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = await started(FakeSeat(FakeSession(READY, action(1))))
    ticks = itertools.count(7_000_000, 1_000_000)
    monkeypatch.setattr(module, "perf_counter_ns", lambda: next(ticks))
    answer = await seat.decide(question())
    assert seat.waited_ns > 1000 * answer.think_us > 0
    assert seat.waited_ns == next(ticks) - 8_000_000, "from the first look at the clock to the last"


async def test_the_delay_of_the_arena_is_no_thinking_time() -> None:
    """The loop is held up for 0.2 s while the answer is awaited."""
    seat = FakeSeat(StalledSession(READY, action(1)))
    await started(seat)
    answer, waited_us = await seat.decide(question()), seat.waited_ns / 1000
    assert answer.think_us <= max(0, waited_us - 40_000), "the first tenth of a second of a delay may go unnoticed"


async def test_a_bot_pays_at_most_its_limit_when_the_arena_was_late(monkeypatch: pytest.MonkeyPatch) -> None:
    session = StalledSession(READY, action(1))
    Time(monkeypatch).slow(session, "decide", 5.0)
    assert (await (await started(FakeSeat(session))).decide(question(1000))).think_us == 1_000_000
