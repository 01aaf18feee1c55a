"""Waits that end in time, waits that time out, and waits that are cancelled.

The time of these tests passes by waiting alone, and waiting takes no real time.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

import pytest

from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match import watchdog
from ballcourt.arena.match.watchdog import Watchdog
from ballcourt.v1.protocol_pb2 import Termination

LONG_MS = 60_000
T = TypeVar("T")


class Waitless(selectors.DefaultSelector):
    """Does not wait; its clock shows for how long it would have."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing would ever end this wait"
            self.now += timeout
        return found


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose time passes by waiting, and by `stand_still`."""

    look_s = 0.0
    """How much of it passes at each look at the clock."""

    def __init__(self) -> None:
        self.clock = Waitless()
        super().__init__(self.clock)

    def time(self) -> float:
        self.clock.now += self.look_s
        return self.clock.now


def run(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(main)


def loop() -> Loop:
    found = asyncio.get_running_loop()
    assert isinstance(found, Loop)
    return found


def stand_still(seconds: float) -> None:
    """Pass time in which the arena does nothing, as when its process was stopped or computes something else."""
    loop().clock.now += seconds


def waits(*limits_ms: int, last: Awaitable[object] | None = None, grace_ms: int = 0) -> Watchdog:
    """Guard waits that end at once by one watchdog, and then `last`, which is endless by default; return it."""

    async def main() -> Watchdog:
        dog = Watchdog(grace_ms)
        for limit_ms in limits_ms[:-1]:
            with dog.guard(limit_ms, "the bot took too long"):
                await asyncio.sleep(0)
        with dog.guard(limits_ms[-1], "the bot took too long"):
            await (last or asyncio.Event().wait())
        return dog

    return run(main())


def test_a_wait_that_takes_too_long_is_the_bots_fault() -> None:
    with pytest.raises(BotFault, match="the bot took too long") as fault:
        waits(1)
    assert fault.value.termination == Termination.TERMINATION_TIMEOUT


def test_a_short_wait_after_a_long_one_has_its_own_limit() -> None:
    with pytest.raises(BotFault):
        waits(LONG_MS, 1)


def test_a_long_wait_after_a_short_one_is_not_ended_by_the_earlier_timer() -> None:
    waits(1, 5, LONG_MS, last=asyncio.sleep(0.02))


def test_a_wait_may_be_longer_than_the_timer_looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATROL_S", 0.001)
    waits(LONG_MS, last=asyncio.sleep(0.02))
    with pytest.raises(BotFault):
        waits(5)


def test_a_task_cancelled_while_waiting_stays_cancelled() -> None:
    async def main() -> None:
        dog = Watchdog()

        async def guarded() -> None:
            with dog.guard(LONG_MS, "the bot took too long"):
                await asyncio.Event().wait()

        waiting = asyncio.create_task(guarded())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run(main())


def test_an_error_raised_while_waiting_is_propagated() -> None:
    async def fail() -> None:
        raise ValueError("something else")

    with pytest.raises(ValueError, match="something else"):
        waits(LONG_MS, last=fail())


async def late_loop(then: Awaitable[object]) -> None:
    stand_still(0.2)
    await then


def test_the_delay_of_the_arena_is_credited_to_the_bot() -> None:
    waits(1, last=late_loop(asyncio.sleep(0.02)))


def test_a_bot_that_still_does_not_answer_is_at_fault() -> None:
    with pytest.raises(BotFault, match="the bot took too long"):
        waits(1, last=late_loop(asyncio.Event().wait()))


@pytest.mark.parametrize(
    ("seconds", "termination", "error"),
    [
        (25, Termination.TERMINATION_CRASH, ArenaError),
        (25, Termination.TERMINATION_FAILED_TO_START, ArenaError),
        (25, Termination.TERMINATION_PROTOCOL_ERROR, BotFault),
        (4, Termination.TERMINATION_CRASH, BotFault),
    ],
)
def test_a_bot_may_give_up_an_arena_that_stood_still(
    seconds: float, termination: Termination, error: type[Exception]
) -> None:
    async def give_up() -> None:
        stand_still(seconds)
        raise BotFault(termination, "the bot has gone")

    with pytest.raises(error):
        waits(LONG_MS, last=give_up())


def test_an_arena_that_stood_still_before_the_wait_can_judge() -> None:
    async def main() -> None:
        dog = Watchdog()
        with dog.guard(LONG_MS, "the bot took too long"):
            await asyncio.sleep(0)
        stand_still(25)
        with dog.guard(LONG_MS, "the bot took too long"):
            raise BotFault(Termination.TERMINATION_CRASH, "the bot has gone")

    with pytest.raises(BotFault, match="the bot has gone"):
        run(main())


async def answers_after_a_pause(limit_s: float, pause_s: float) -> None:
    """Pause the arena when the limit is nearly over; answer when it goes on."""
    stand_still(limit_s - 0.01)
    await asyncio.sleep(0.001)
    stand_still(pause_s)
    await asyncio.sleep(0.001)


@pytest.mark.parametrize("pause_s", [0.5, 3, 12, 40])
def test_the_time_that_the_arena_stood_still_is_given_back(pause_s: float) -> None:
    dog = waits(60_000, last=answers_after_a_pause(0.02, pause_s), grace_ms=100)
    assert pause_s - watchdog.PATROL_S <= dog.late_s <= pause_s + 0.02
    assert bool(dog.stood_still_s) == (pause_s > watchdog.STALL_S)


@pytest.mark.parametrize("pause_s", [0.5, 3, 12, 40])
def test_a_bot_that_does_not_answer_is_at_fault_however_long_the_arena_paused(
    pause_s: float,
) -> None:
    async def never() -> None:
        stand_still(pause_s)
        await asyncio.Event().wait()

    with pytest.raises(BotFault, match="the bot took too long"):
        waits(1, last=never(), grace_ms=100)


def test_an_arena_that_is_always_late_comes_to_an_end() -> None:
    """Each look at the clock takes time, so that every timer is late."""

    async def never() -> None:
        loop().look_s = 0.3
        await asyncio.Event().wait()

    with pytest.raises(BotFault):
        waits(1, last=never())


def ended_after_s(grace_ms: int, pause_s: float) -> float:
    """Return how long a bot that never answers is waited for, besides a pause of the arena; its limit is 1 s."""

    async def main() -> float:
        dog, began = Watchdog(grace_ms), loop().time()
        with pytest.raises(BotFault), dog.guard(1000, "the bot took too long"):
            if pause_s:
                stand_still(pause_s)
            await asyncio.Event().wait()
        return loop().time() - began - pause_s

    return run(main())


def test_the_grace_counts_only_if_the_arena_was_late() -> None:
    assert ended_after_s(100_000, 0) == pytest.approx(1, abs=watchdog.PATROL_S)
    assert ended_after_s(1000, 4) == pytest.approx(2 - watchdog.PATROL_S)
