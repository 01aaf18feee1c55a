"""The referee with seats that do as they are told, so that every order of events can be had."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from arena.bots import Bot
from arena.faults import ArenaError, BotFault
from arena.match import Clock, MatchSpec, bot_seed
from arena.referee import play_match
from arena.seats import Answer, Evidence, Seat, Session
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchEnd, MatchStart, Observe, Termination
from ballcourt.v1.record_pb2 import MatchRecord
from engine.core import NOBODY, Frame, Game, Wire, digest
from tests.bluff import GAME, Bid, Bluff, BluffState
from tests.bluff.wire import WIRE

SEED = 11
Choice = Callable[[Decide], Awaitable[Answer]]


class ScriptedSeat(Seat):
    """Answers what its choice says and keeps what it was told."""

    def __init__(self, choice: Choice, observes: bool = False) -> None:
        super().__init__(Clock())
        self.choice = choice
        self.wants_observe = observes
        self.started: MatchStart | None = None
        self.asked: list[Decide] = []
        self.pushed: list[Observe] = []
        self.ended: list[MatchEnd] = []
        self.causes: list[Termination] = []

    @property
    def observes(self) -> bool:
        return self.wants_observe

    async def connect(self) -> Session:
        raise NotImplementedError

    async def vacate(self, cause: Termination) -> Evidence:
        self.causes.append(cause)
        return Evidence(3, "last words")

    async def start(self, start: MatchStart) -> None:
        self.started = start

    async def decide(self, question: ArenaMessage) -> Answer:
        self.asked.append(question.decide)
        return await self.choice(question.decide)

    async def observe(self, push: Observe) -> None:
        self.pushed.append(push)

    async def finish(self, end: MatchEnd) -> None:
        self.ended.append(end)


def bids(action: int, *, pause: int = 0, think_us: int = 500) -> Choice:
    """Always the same bid, after giving way to the other seats some times."""

    async def choice(decide: Decide) -> Answer:
        for _ in range(pause):
            await asyncio.sleep(0)
        return Answer(action, think_us)

    return choice


def fails(termination: Termination, after: int = 0) -> Choice:
    """Bid 2, then be at fault."""
    answered: list[Decide] = []

    async def choice(decide: Decide) -> Answer:
        if len(answered) == after:
            raise BotFault(termination, "the bot did something")
        answered.append(decide)
        return Answer(2, 1)

    return choice


def play(seats: Sequence[Seat], game: Game = GAME, clock: Clock | None = None, rounds: str = "3") -> MatchRecord:
    bots = tuple(Bot(f"bot {seat}", "1", "", "", (), Path(), (), "") for seat in range(len(seats)))
    spec = MatchSpec("key", "bluff", {"rounds": rounds}, SEED, bots, clock or Clock())
    return asyncio.run(play_match(game, spec, seats))


def test_simultaneous_answers_are_applied_in_seat_order_whoever_answers_first() -> None:
    records = [
        play([ScriptedSeat(bids(1, pause=slow)), ScriptedSeat(bids(2, pause=6 - slow)), ScriptedSeat(bids(3))])
        for slow in (0, 3, 6)
    ]
    assert all(list(record.decisions.seats) == [0, 1, 2] * 3 for record in records)
    assert all(list(record.decisions.actions) == [1, 2, 3] * 3 for record in records)
    assert len({record.decisions.hashes for record in records}) == 1


def test_the_hash_chain_is_that_of_the_positions() -> None:
    record = play([ScriptedSeat(bids(1)), ScriptedSeat(bids(2))])
    state = GAME.initial_state(2, SEED, {"rounds": "3"})
    chain = [digest(state)]
    for seat, action in zip(record.decisions.seats, record.decisions.actions, strict=True):
        state.apply(seat, action)
        chain.append(digest(state, chain[-1]))
    assert record.opening_hash == chain[0]
    assert record.decisions.hashes == b"".join(chain[1:])


def test_the_record_says_all_there_is_to_know_of_a_match() -> None:
    record = play([ScriptedSeat(bids(1, think_us=70)), ScriptedSeat(bids(2, think_us=90))], clock=Clock(bank_ms=7))
    assert (record.format, record.key, record.game, record.seed) == ("ballcourt-match-1", "key", "bluff", SEED)
    assert record.rules_version == GAME.rules_version
    assert dict(record.options) == {"rounds": "3"}
    assert [entrant.name for entrant in record.entrants] == ["bot 0", "bot 1"]
    assert record.clock.bank_ms == 7
    assert list(record.decisions.think_us) == [70, 90] * 3
    assert [result.termination for result in record.results] == [Termination.TERMINATION_OK] * 2
    assert record.overhead_p99_us > 0


def test_a_bot_is_told_its_own_seed_and_nothing_of_the_key_or_the_match_seed() -> None:
    seat = ScriptedSeat(bids(1))
    play([ScriptedSeat(bids(1)), seat])
    start = seat.started
    assert start is not None
    assert (start.seat, start.seats, start.bot_seed) == (1, 2, bot_seed(SEED, 1))
    assert start.observation_type == "google.protobuf.ListValue"
    assert "key" not in start.match_id


def test_a_question_holds_what_the_seat_may_know_and_do() -> None:
    seat = ScriptedSeat(bids(1))
    play([seat, ScriptedSeat(bids(3))])
    first, second, _ = seat.asked
    assert list(first.legal) == [1, 2, 3]
    assert WIRE.decode(first.observation).seat == 0
    assert not first.events
    assert [(event.seat, event.action) for event in second.events] == [(0, 1), (1, 0)], "the other's bid is secret"


def test_every_decision_is_booked_on_the_bank() -> None:
    seat = ScriptedSeat(bids(1, think_us=300_000))
    play([seat], clock=Clock(bank_ms=1000, increment_ms=100, cap_ms=900))
    assert [(decide.bank_ms, decide.limit_ms) for decide in seat.asked] == [(1000, 900), (800, 800), (600, 600)]


def test_only_seats_that_asked_for_it_see_what_the_others_do() -> None:
    watching, other = ScriptedSeat(bids(1), observes=True), ScriptedSeat(bids(2))
    play([watching, other])
    assert len(watching.pushed) == 3
    assert not other.pushed
    assert [(event.seat, event.action) for event in watching.pushed[0].events] == [(0, 1), (1, 0)]
    assert not watching.asked[1].events, "an Observe has told them already"


def test_a_single_legal_action_is_played_without_asking() -> None:
    class OnlyOne(Bid):
        def options(self, state: BluffState, seat: int) -> list[int]:
            return [3] if seat == 0 else [1, 2]

        def row(self) -> list[int]:
            return [0]

    class Forced(Bluff):
        def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
            return BluffState(seats, [OnlyOne(0)], [0] * seats, [0] * seats, [1] * seats)

        def wire(self) -> Wire:
            return WIRE

    forced, free = ScriptedSeat(bids(1)), ScriptedSeat(bids(2))
    record = play([forced, free], Forced())
    assert not forced.asked
    assert list(free.asked[0].legal) == [1, 2]
    assert list(record.decisions.actions) == [3, 2]
    assert record.decisions.think_us[0] == 0


def test_a_seat_at_fault_is_played_on_with_its_lowest_legal_action() -> None:
    seat = ScriptedSeat(fails(Termination.TERMINATION_TIMEOUT, after=1))
    record = play([seat, ScriptedSeat(bids(3))])
    assert list(record.decisions.actions) == [2, 3, 1, 3, 1, 3]
    assert len(seat.asked) == 2
    assert seat.causes == [Termination.TERMINATION_TIMEOUT]
    assert not seat.ended


def test_a_fault_is_recorded_with_its_reason_and_what_the_process_left() -> None:
    record = play([ScriptedSeat(fails(Termination.TERMINATION_CRASH, after=1)), ScriptedSeat(bids(3))])
    [fault] = record.faults
    assert (fault.seat, fault.decision, fault.termination) == (0, 2, Termination.TERMINATION_CRASH)
    assert (fault.detail, fault.exit_code) == ("the bot did something (exit code 3)", 3)
    assert fault.stderr_tail == "last words"
    assert [result.placement for result in record.results] == [2, 1]


@pytest.mark.parametrize("action", [0, 4, 2**32 - 1])
def test_an_action_that_was_not_offered_costs_the_seat(action: int) -> None:
    record = play([ScriptedSeat(bids(action)), ScriptedSeat(bids(1))])
    assert record.results[0].termination == Termination.TERMINATION_ILLEGAL
    assert f"action {action} (" in record.faults[0].detail
    assert "legal were 1 BID_1, 2 BID_2, 3 BID_3" in record.faults[0].detail


def test_a_match_without_any_bot_left_is_played_to_its_end() -> None:
    early, late = (
        ScriptedSeat(fails(Termination.TERMINATION_CRASH)),
        ScriptedSeat(fails(Termination.TERMINATION_ILLEGAL, after=1)),
    )
    record = play([late, early])
    assert len(record.decisions.actions) == 6
    assert [result.placement for result in record.results] == [1, 2], "the earlier vacated is lower"


def test_a_vacated_seat_is_not_told_anything_any_more() -> None:
    seat = ScriptedSeat(fails(Termination.TERMINATION_CRASH), observes=True)
    play([seat, ScriptedSeat(bids(1))])
    assert not seat.pushed
    assert not seat.ended


def test_a_game_that_does_not_end_is_the_arenas_fault() -> None:
    class Short(Bluff):
        max_decisions = 5

        def wire(self) -> Wire:
            return WIRE

    with pytest.raises(ArenaError, match="bluff did not end within its own limit of 5 decisions"):
        play([ScriptedSeat(bids(1)), ScriptedSeat(bids(1))], Short())


def test_an_exception_of_the_rules_is_the_arenas_fault() -> None:
    class Faulty(Frame[BluffState]):
        def __init__(self) -> None:
            super().__init__(NOBODY + 1)

        def options(self, state: BluffState, seat: int) -> list[int]:
            raise ZeroDivisionError("corn divided by nobody")

    class Buggy(Bluff):
        def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
            return BluffState(seats, [Faulty()], [0] * seats, [0] * seats, [1] * seats)

        def wire(self) -> Wire:
            return WIRE

    with pytest.raises(ArenaError, match="match key of bluff broke off: ZeroDivisionError: corn divided by nobody"):
        play([ScriptedSeat(bids(1))], Buggy())
