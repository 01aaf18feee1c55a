from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.match.spec import MOST_MS, Bank, Clock, MatchSpec, Scale
from ballcourt.engine.core.chance import bot_seed


@pytest.mark.parametrize("budget", ["startup_ms", "match_start_ms", "bank_ms", "cap_ms"])
def test_a_clock_refuses_a_zero_budget(budget: str) -> None:
    with pytest.raises(ValueError, match=f"{budget} is 0; it must be a whole number of at least 1"):
        replace(Clock(), **{budget: 0})  # type: ignore[arg-type]


def test_a_clock_may_have_no_increment_and_no_grace() -> None:
    assert Clock(increment_ms=0, grace_ms=0).grace_ms == 0


def test_a_clock_does_not_accept_a_number_as_a_boolean() -> None:
    with pytest.raises(ValueError, match="ponder is 1; it must be true or false"):
        Clock(ponder=1)  # type: ignore[arg-type]


def test_a_clock_converts_to_a_message_and_back() -> None:
    clock = Clock(bank_ms=5, increment_ms=4, cap_ms=3, work=1 << 40, ponder=True)
    assert Clock.from_message(clock.to_message()) == clock


def test_a_scaled_clock_gives_a_slow_machine_more_time_for_all_that_bots_compute() -> None:
    clock = Clock(startup_ms=30, bank_ms=100, increment_ms=0, cap_ms=10, grace_ms=7, work=5, scale=Scale.REFERENCE)
    slow = clock.on(0.5)
    assert (slow.startup_ms, slow.bank_ms, slow.increment_ms, slow.cap_ms) == (60, 200, 0, 20)
    assert (slow.grace_ms, slow.work) == (7, 5)
    assert clock.on(1e3).cap_ms == 1, "no budget vanishes"
    assert replace(clock, bank_ms=MOST_MS).on(0.01).bank_ms == MOST_MS
    assert Clock().on(0.5) == Clock()
    spec = MatchSpec("m", "bluff", {}, 1, (), clock, seat_clocks=(clock, Clock()))
    assert (spec.on(0.5).clock, spec.on(0.5).seat_clocks) == (slow, (slow, Clock()))


def test_a_clock_refuses_a_scale_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="scale is 'mine'; it must be none or reference"):
        Clock(scale="mine")  # type: ignore[arg-type]


def test_the_bank_of_a_bot_that_counts_its_work_does_not_run() -> None:
    bank = Bank(Clock(bank_ms=1000, cap_ms=300), runs=False)
    bank.spend(900_000)
    assert (bank.limit_ms(), bank.left_ms) == (300, 1000)


def test_a_decision_may_take_the_cap_or_what_is_left_in_the_bank() -> None:
    bank = Bank(Clock(bank_ms=1000, cap_ms=300, increment_ms=0))
    assert bank.limit_ms() == 300
    bank.spend(800_000)
    assert bank.limit_ms() == 200


def test_the_increment_is_added_after_each_decision() -> None:
    bank = Bank(Clock(bank_ms=1000, increment_ms=50))
    bank.spend(200_000)
    assert bank.left_ms == 850


def test_a_bank_can_be_overdrawn_and_the_increments_pay_for_that() -> None:
    bank = Bank(Clock(bank_ms=100, increment_ms=20))
    bank.spend(150_000)
    assert (bank.left_ms, bank.limit_ms(), bank.is_overdrawn) == (0, 0, False)
    bank.spend(10_000)
    assert (bank.left_ms, bank.is_overdrawn) == (0, False)
    bank.spend(60_000)
    assert bank.is_overdrawn
    bank.pay(5000)
    for _ in range(6):
        bank.spend(0)
    assert bank.left_ms == 6 * 20 - 65


@given(seed=st.integers(0, 2**64 - 1))
def test_every_seat_gets_its_own_seed_and_never_the_match_seed(seed: int) -> None:
    seeds = {bot_seed(seed, seat) for seat in range(4)}
    assert len(seeds) == 4
    assert seed not in seeds
    assert all(0 <= derived < 2**64 for derived in seeds)


def test_bot_seeds_are_the_same_in_every_process() -> None:
    assert bot_seed(5, 0) == bot_seed(5, 0)
    assert bot_seed(5, 0) != bot_seed(6, 0)
