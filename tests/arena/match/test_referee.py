"""The referee with scripted seats, which can produce events in every order."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.seats import Answer, Evidence, Seat, Session
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.decisions import decided_by
from ballcourt.arena.records.replay import verify
from ballcourt.engine.core import NOBODY, Frame, Game, Wire, digest
from ballcourt.engine.core.chance import bot_seed
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchEnd, MatchStart, Observe, Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord, Package
from ballcourt.v1.record_pb2 import FaultPolicy as FaultTable
from tests.bluff import GAME, Bid, Bluff, BluffState, at_table
from tests.bluff.wire import WIRE

SEED = 11
Choice = Callable[[Decide], Awaitable[Answer]]


class ScriptedSeat(Seat):
    """Answers with a given function and keeps the requests."""

    def __init__(self, choice: Choice, observes: bool = False, work: int = 0) -> None:
        super().__init__(Clock())
        self.granted = work
        self.story: list[str] = []
        """Its events; several seats may share one list."""
        self.name = ""
        self.choice = choice
        self.wants_observe = observes
        self.started: MatchStart | None = None
        self.asked: list[Decide] = []
        self.pushed: list[Observe] = []
        self.reluctance_us = 0
        self.ended: list[MatchEnd] = []
        self.causes: list[Termination] = []

    @property
    def observes(self) -> bool:
        return self.wants_observe

    @property
    def work(self) -> int:
        return self.granted

    async def connect(self) -> Session:
        raise NotImplementedError

    async def vacate(self, cause: Termination) -> Evidence:
        self.causes.append(cause)
        return Evidence(3, "last words")

    async def start(self, start: MatchStart) -> None:
        self.started = start

    def freeze(self) -> None:
        self.story.append(f"{self.name} frozen")

    async def decide(self, question: ArenaMessage, meanwhile: Callable[[], None] | None = None) -> Answer:
        self.story.append(f"{self.name} asked")
        self.asked.append(question.decide)
        return await self.choice(question.decide)

    async def observe(self, push: Observe) -> int:
        self.pushed.append(push)
        return self.reluctance_us

    async def finish(self, end: MatchEnd) -> None:
        self.ended.append(end)


def bids(action: int, *, pause: int = 0, think_us: int = 500) -> Choice:
    """Always make the same bid, after yielding to the event loop some times."""

    async def choice(decide: Decide) -> Answer:
        for _ in range(pause):
            await asyncio.sleep(0)
        return Answer(action, think_us)

    return choice


def fails(termination: Termination, after: int = 0) -> Choice:
    """Bid 2, then commit a fault."""
    answered: list[Decide] = []

    async def choice(decide: Decide) -> Answer:
        if len(answered) == after:
            raise BotFault(termination, "the bot did something")
        answered.append(decide)
        return Answer(2, 1)

    return choice


def play(
    seats: Sequence[Seat],
    game: Game = GAME,
    clock: Clock | None = None,
    rounds: str = "3",
    policy: FaultPolicy | None = None,
) -> MatchRecord:
    entrants = tuple(Entrant(BotVersion(f"bot {seat}", "1")) for seat in range(len(seats)))
    spec = MatchSpec("key", "bluff", {"rounds": rounds}, SEED, entrants, clock or Clock(), policy or FaultPolicy())
    return asyncio.run(play_match(game, spec, seats))


def test_simultaneous_answers_are_applied_in_seat_order_whichever_comes_first() -> None:
    records = [
        play([ScriptedSeat(bids(1, pause=slow)), ScriptedSeat(bids(2, pause=6 - slow)), ScriptedSeat(bids(3))])
        for slow in (0, 3, 6)
    ]
    assert all(list(record.decisions.seats) == [0, 1, 2] * 3 for record in records)
    assert all(list(record.decisions.actions) == [1, 2, 3] * 3 for record in records)
    assert len({record.decisions.hashes for record in records}) == 1


def test_the_hash_chain_covers_every_position() -> None:
    record = play([ScriptedSeat(bids(1)), ScriptedSeat(bids(2))])
    state = GAME.initial_state(2, SEED, {"rounds": "3"})
    chain = [digest(state)]
    for seat, action in zip(record.decisions.seats, record.decisions.actions, strict=True):
        state.apply(seat, action)
        chain.append(digest(state, chain[-1]))
    assert record.opening_hash == chain[0]
    assert record.decisions.hashes == b"".join(chain[1:])


def test_the_record_describes_the_match_completely() -> None:
    seats = [ScriptedSeat(bids(1, think_us=70)), ScriptedSeat(bids(2, think_us=90))]
    record = play(seats, clock=Clock(bank_ms=7))
    assert (record.key, record.game, record.seed) == ("key", "bluff", SEED)
    assert record.rules_version == GAME.rules_version
    assert dict(record.options) == {"rounds": "3"}
    assert [entrant.name for entrant in record.entrants] == ["bot 0", "bot 1"]
    assert record.clock.bank_ms == 7
    assert list(record.decisions.think_us) == [70, 90] * 3
    assert [decided_by(record, number) for number in range(6)] == ["bot"] * 6
    assert record.started[:2] == "20"
    assert record.host.cpus > 0
    assert record.rules_package == Package(), "the game of the tests comes with no distribution"
    assert [result.termination for result in record.results] == [Termination.TERMINATION_OK] * 2


def test_the_overhead_does_not_depend_on_the_think_times_that_seats_report() -> None:
    hour_us = 3_600_000_000
    record = play([ScriptedSeat(bids(1, think_us=hour_us)), ScriptedSeat(bids(2, think_us=0))])
    assert 0 <= record.overhead_p50_us <= record.overhead_p99_us


def test_the_overhead_excludes_the_longest_wait_of_each_round() -> None:
    quick, slow = ScriptedSeat(bids(1)), ScriptedSeat(bids(2))
    quick.waited_ns, slow.waited_ns = -7_000_000_000_000, -5_000_000_000_000  # negative, so that the test need not wait
    assert 5e9 <= play([quick, slow]).overhead_p50_us < 7e9


def test_a_bot_learns_its_own_seed_but_not_the_key_or_the_match_seed() -> None:
    seat = ScriptedSeat(bids(1))
    play([ScriptedSeat(bids(1)), seat])
    start = seat.started
    assert start is not None
    assert (start.seat, start.seats, start.bot_seed) == (1, 2, bot_seed(SEED, 1))
    assert start.observation_type == "google.protobuf.ListValue"
    assert "key" not in start.match_id


def test_a_question_contains_what_the_seat_may_know_and_do() -> None:
    seat = ScriptedSeat(bids(1))
    play([seat, ScriptedSeat(bids(3))])
    first, second, _ = seat.asked
    assert list(first.legal) == [1, 2, 3]
    assert WIRE.decode(first.observation).seat == 0
    assert not first.events
    assert [(event.seat, event.action) for event in second.events] == [(0, 1), (1, 0)], "the other's bid is secret"


def test_every_decision_is_charged_to_the_bank() -> None:
    seat = ScriptedSeat(bids(1, think_us=300_000))
    play([seat], clock=Clock(bank_ms=1000, increment_ms=100, cap_ms=900))
    assert [(decide.bank_ms, decide.limit_ms) for decide in seat.asked] == [(1000, 900), (800, 800), (600, 600)]


def test_a_bot_that_counts_its_work_spends_no_bank_and_the_record_says_so() -> None:
    counting, other = ScriptedSeat(bids(1, think_us=300_000), work=50), ScriptedSeat(bids(1, think_us=300_000))
    record = play([counting, other], clock=Clock(bank_ms=1000, increment_ms=0, cap_ms=900))
    assert [(decide.bank_ms, decide.limit_ms) for decide in counting.asked] == [(1000, 900)] * 3
    assert [decide.limit_ms for decide in other.asked] == [900, 700, 400]
    assert list(record.work) == [50, 0]


def test_only_observing_seats_see_what_the_others_do() -> None:
    watching, other = ScriptedSeat(bids(1), observes=True), ScriptedSeat(bids(2))
    play([watching, other])
    assert len(watching.pushed) == 3
    assert not other.pushed
    assert [(event.seat, event.action) for event in watching.pushed[0].events] == [(0, 1), (1, 0)]
    assert not watching.asked[1].events, "an Observe has brought them already"


def test_a_single_legal_action_is_played_without_asking() -> None:
    class OnlyOne(Bid):
        def options(self, state: BluffState, seat: int) -> list[int]:
            return [3] if seat == 0 else [1, 2]

        def row(self) -> list[int]:
            return [0]

    class Forced(Bluff):
        def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
            return at_table([1] * seats, [OnlyOne(0)])

        def wire(self) -> Wire:
            return WIRE

    forced, free = ScriptedSeat(bids(1)), ScriptedSeat(bids(2))
    record = play([forced, free], Forced())
    assert not forced.asked
    assert list(free.asked[0].legal) == [1, 2]
    assert list(record.decisions.actions) == [3, 2]
    assert record.decisions.think_us[0] == 0
    assert [decided_by(record, number) for number in range(2)] == ["rules", "bot"]


def test_the_time_of_the_arena_is_recorded_and_spoils_no_match() -> None:
    late, held_up = ScriptedSeat(fails(Termination.TERMINATION_TIMEOUT, after=1)), ScriptedSeat(bids(1))
    for seat in (late, held_up):
        seat.waited_ns = -80_000_000  # the arena seems to have spent that much more time itself
    record = play([late, held_up], clock=Clock(grace_ms=0))
    assert record.overhead_p99_us >= record.overhead_p50_us >= 50_000
    assert [fault.termination for fault in record.faults] == [Termination.TERMINATION_TIMEOUT]


def test_a_bot_that_has_overdrawn_its_bank_is_asked_no_more() -> None:
    late = ScriptedSeat(bids(2, think_us=400_000))
    record = play([late, ScriptedSeat(bids(1))], clock=Clock(bank_ms=300, increment_ms=0))
    [fault] = record.faults
    assert fault.decision == 2
    assert fault.detail.startswith("the bot did not answer in time: its bank is overdrawn")
    assert len(late.asked) == 1


def test_a_bot_that_is_slow_to_take_a_push_pays_for_that_with_its_bank() -> None:
    slow = ScriptedSeat(bids(1), observes=True)
    slow.reluctance_us = 200_000
    play([slow, ScriptedSeat(bids(2))], clock=Clock(bank_ms=1000, increment_ms=0))
    assert slow.asked[1].bank_ms == 799


class Turn(Frame[BluffState]):
    """One seat at a time."""

    def options(self, state: BluffState, seat: int) -> list[int]:
        return [1, 2]

    def answer(self, state: BluffState, seat: int, action: int) -> None:
        pass

    def row(self) -> list[int]:
        return [self.seat]


class Turns(Bluff):
    """Seat 0 decides twice, then seat 1."""

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
        return at_table([1] * seats, [Turn(1), Turn(0), Turn(0)])

    def wire(self) -> Wire:
        return WIRE


def story(*seats: ScriptedSeat, game: Game = GAME, rounds: str = "1") -> list[str]:
    """Play a match; return who was asked and who was frozen, in order."""
    for name, seat in zip("ABC", seats, strict=False):
        seat.name, seat.story = name, seats[0].story
    play(seats, game, rounds=rounds)
    return seats[0].story


def test_a_bot_is_frozen_while_others_decide_but_not_between_consecutive_questions() -> None:
    assert story(ScriptedSeat(bids(1)), ScriptedSeat(bids(1)), game=Turns()) == [
        *("B frozen", "A asked", "B frozen", "A asked"),
        *("A frozen", "B asked"),
    ]


def test_bots_asked_simultaneously_are_each_frozen_when_they_have_answered() -> None:
    slow, quick = ScriptedSeat(bids(1, pause=5)), ScriptedSeat(bids(1))
    assert story(slow, quick) == ["A asked", "B asked", "B frozen", "A frozen"]


def test_a_seat_at_fault_is_not_frozen() -> None:
    failing = ScriptedSeat(fails(Termination.TERMINATION_CRASH))
    assert story(failing, ScriptedSeat(bids(1))) == ["A asked", "B asked", "B frozen"]


def test_a_vacated_seat_plays_its_lowest_legal_action() -> None:
    seat = ScriptedSeat(fails(Termination.TERMINATION_TIMEOUT, after=1))
    record = play([seat, ScriptedSeat(bids(3))])
    assert list(record.decisions.actions) == [2, 3, 1, 3, 1, 3]
    assert len(seat.asked) == 2
    assert seat.causes == [Termination.TERMINATION_TIMEOUT]
    assert not seat.ended


def test_a_fault_is_recorded_with_its_reason_and_the_output_of_the_process() -> None:
    record = play([ScriptedSeat(fails(Termination.TERMINATION_CRASH, after=1)), ScriptedSeat(bids(3))])
    [fault] = record.faults
    assert (fault.seat, fault.decision, fault.termination) == (0, 2, Termination.TERMINATION_CRASH)
    assert (fault.detail, fault.exit_code) == ("the bot did something (exit code 3)", 3)
    assert fault.stderr_tail == "last words"
    assert [result.placement for result in record.results] == [2, 1]


@pytest.mark.parametrize("action", [0, 4, 2**32 - 1])
def test_an_illegal_action_costs_the_seat(action: int) -> None:
    record = play([ScriptedSeat(bids(action)), ScriptedSeat(bids(1))])
    assert record.results[0].termination == Termination.TERMINATION_ILLEGAL
    assert f"action {action} (" in record.faults[0].detail
    assert "legal were 1 BID_1, 2 BID_2, 3 BID_3" in record.faults[0].detail


def answers(*given: int | BotFault) -> Choice:
    """Bid these in order, each after half a second."""
    remaining = iter(given)

    async def choice(decide: Decide) -> Answer:
        answer = next(remaining)
        if isinstance(answer, BotFault):
            raise answer
        return Answer(answer, 500_000)

    return choice


def late(think_us: int = 900_000) -> BotFault:
    return BotFault(Termination.TERMINATION_TIMEOUT, "the bot slept", think_us)


RETRY = parse_policy({"illegal": "retry 2"})
CLOCK = Clock(bank_ms=5000, increment_ms=100, cap_ms=2000)


def test_a_retried_decision_has_only_its_remaining_time() -> None:
    seat = ScriptedSeat(answers(9, 3, 2, 2))
    record = play([ScriptedSeat(bids(1)), seat], clock=CLOCK, policy=RETRY)
    first, again, after, _ = seat.asked
    assert (again.observation, again.legal) == (first.observation, first.legal)
    assert "action 9 (no action of this game)" in again.rejected
    assert [(decide.bank_ms, decide.limit_ms) for decide in (first, again, after)] == [
        (5000, 2000), (4500, 1500), (4100, 2000),
    ]  # fmt: skip
    assert not first.rejected
    assert not after.rejected
    assert list(record.decisions.actions) == [1, 3, 1, 2, 1, 2]
    assert list(record.decisions.think_us[1::2]) == [1_000_000, 500_000, 500_000]
    assert not record.faults


def test_a_tolerated_fault_is_recorded_with_its_decision_and_the_policy() -> None:
    record = play([ScriptedSeat(bids(1)), ScriptedSeat(answers(3, 9, 2, 2))], clock=CLOCK, policy=RETRY)
    (tolerated,) = record.tolerated
    assert (tolerated.seat, tolerated.decision, tolerated.remedy) == (1, 3, "retry")
    assert tolerated.termination == Termination.TERMINATION_ILLEGAL
    assert "action 9" in tolerated.detail
    assert record.results[1].termination == Termination.TERMINATION_OK
    assert record.fault_policy == FaultTable(**RETRY.table())


def test_tolerated_faults_are_counted_over_the_whole_match() -> None:
    record = play([ScriptedSeat(answers(9, 3, 9, 3, 9)), ScriptedSeat(bids(1))], clock=CLOCK, policy=RETRY)
    assert [fault.decision for fault in record.tolerated] == [0, 2]
    assert [(fault.seat, fault.decision) for fault in record.faults] == [(0, 4)]
    assert list(record.decisions.actions) == [3, 1, 3, 1, 1, 1]
    assert [decided_by(record, number) for number in range(0, 6, 2)] == ["bot", "bot", "nobody"]


@pytest.mark.parametrize(
    ("table", "by"),
    [
        ({"fallback": "never"}, ["fallback", "fallback", "fallback"]),
        ({"fallback": "accept 2"}, ["fallback", "fallback", "nobody"]),
        ({"fallback": "forfeit"}, ["nobody", "nobody", "nobody"]),
    ],
)
def test_a_bot_that_does_not_choose_itself_loses_its_seat_only_above_the_limit(
    table: dict[str, str], by: list[str]
) -> None:
    async def choice(decide: Decide) -> Answer:
        return Answer(decide.legal[-1], 500, decided_by=DecidedBy.DECIDED_BY_FALLBACK)

    record = play([ScriptedSeat(choice), ScriptedSeat(bids(1))], policy=parse_policy(table))
    assert [decided_by(record, number) for number in range(0, 6, 2)] == by
    ended = Termination.TERMINATION_FALLBACK if "nobody" in by else Termination.TERMINATION_OK
    assert record.results[0].termination == ended
    assert [fault.decision for fault in record.faults] == ([2 * by.index("nobody")] if "nobody" in by else [])


@pytest.mark.parametrize(
    ("fallbacks", "rounds", "is_lost"), [(0, 3, False), (1, 3, False), (2, 3, True), (50, 100, False), (51, 100, True)]
)
def test_a_bot_for_which_most_of_a_match_was_decided_has_lost_its_seat(
    fallbacks: int, rounds: int, is_lost: bool
) -> None:
    left = iter([DecidedBy.DECIDED_BY_FALLBACK] * fallbacks + [DecidedBy.DECIDED_BY_BOT] * (rounds - fallbacks))

    async def choice(decide: Decide) -> Answer:
        return Answer(decide.legal[0], 500, decided_by=next(left))

    seats = [ScriptedSeat(choice), ScriptedSeat(bids(1))]
    record = play(seats, rounds=str(rounds))
    assert [decided_by(record, number) for number in range(0, 2 * rounds, 2)].count("fallback") == fallbacks, (
        "all are played"
    )
    ended = Termination.TERMINATION_FALLBACK if is_lost else Termination.TERMINATION_OK
    assert record.results[0].termination == ended
    assert record.results[0].placement == (2 if is_lost else 1)
    sentence = f"the bot did not choose {fallbacks} of its {rounds} actions itself; a match accepts 50% of them"
    assert [fault.detail.startswith(sentence) for fault in record.faults] == [True] * is_lost
    assert verify(record).agrees


def test_the_lowest_action_is_substituted_and_the_bot_continues() -> None:
    seat = ScriptedSeat(answers(3, late(2_000_000), 3))
    record = play([seat, ScriptedSeat(bids(2))], clock=CLOCK, policy=parse_policy({"timeout": "substitute 1"}))
    assert list(record.decisions.actions) == [3, 2, 1, 2, 3, 2]
    assert list(record.decisions.think_us[::2]) == [500_000, 0, 500_000]
    assert [decided_by(record, number) for number in range(0, 6, 2)] == ["bot", "substitute", "bot"]
    assert [decide.bank_ms for decide in seat.asked] == [5000, 4600, 2700], "the bank pays for the late one"
    assert [(fault.decision, fault.remedy) for fault in record.tolerated] == [(2, "substitute")]
    assert [result.placement for result in record.results] == play_order(record)
    assert not seat.causes
    assert len(seat.ended) == 1


def play_order(record: MatchRecord) -> list[int]:
    """Return the placements by score; a fault places no seat last."""
    return [1 + sum(other.score > result.score for other in record.results) for result in record.results]


def test_each_kind_of_fault_has_its_own_tolerance() -> None:
    policy = parse_policy({"illegal": "substitute 1", "timeout": "substitute 1"})
    record = play([ScriptedSeat(answers(9, late(), 9)), ScriptedSeat(bids(2))], clock=CLOCK, policy=policy)
    assert [Termination.Name(fault.termination) for fault in record.tolerated] == [
        "TERMINATION_ILLEGAL",
        "TERMINATION_TIMEOUT",
    ]
    assert record.results[0].termination == Termination.TERMINATION_ILLEGAL


def test_a_crash_is_never_tolerated() -> None:
    policy = parse_policy({"illegal": "retry 9", "timeout": "substitute 9", "failed_to_start": "retry 9"})
    record = play([ScriptedSeat(fails(Termination.TERMINATION_CRASH)), ScriptedSeat(bids(1))], policy=policy)
    assert record.results[0].termination == Termination.TERMINATION_CRASH


def test_a_match_is_played_to_its_end_even_with_no_bots_left() -> None:
    early, late = (
        ScriptedSeat(fails(Termination.TERMINATION_CRASH)),
        ScriptedSeat(fails(Termination.TERMINATION_ILLEGAL, after=1)),
    )
    record = play([late, early])
    assert len(record.decisions.actions) == 6
    assert [result.placement for result in record.results] == [1, 2], "the earlier vacated is lower"


def test_a_vacated_seat_receives_no_further_messages() -> None:
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
            raise ZeroDivisionError("corn divided by zero seats")

    class Buggy(Bluff):
        def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
            return at_table([1] * seats, [Faulty()])

        def wire(self) -> Wire:
            return WIRE

    with pytest.raises(ArenaError, match="match key of bluff broke off: ZeroDivisionError: corn divided by zero seats"):
        play([ScriptedSeat(bids(1))], Buggy())


def test_a_failure_of_the_arena_during_simultaneous_answers_is_raised_unwrapped() -> None:
    async def breaks_off(decide: Decide) -> Answer:
        raise ArenaError("the launcher has ended")

    with pytest.raises(ArenaError, match=r"^the launcher has ended$"):
        play([ScriptedSeat(bids(1)), ScriptedSeat(breaks_off)])


def test_after_an_aborted_match_the_ends_of_its_bots_are_not_examined(caplog: pytest.LogCaptureFixture) -> None:
    class Lost(ScriptedSeat):
        async def vacate(self, cause: Termination) -> Evidence:
            raise ArenaError("an unknown failure")

    async def breaks_off(decide: Decide) -> Answer:
        for _ in range(10):
            await asyncio.sleep(0)
        raise ArenaError("the match")

    with pytest.raises(ArenaError, match="the match"):
        play([Lost(fails(Termination.TERMINATION_CRASH)), ScriptedSeat(breaks_off)])
    gc.collect()
    assert caplog.messages == []
