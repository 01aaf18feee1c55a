"""Time limits on waits for a bot. A wait that ends in time costs almost nothing: it rarely touches a timer."""

import asyncio
from typing import Self

from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.v1.protocol_pb2 import Termination

STALL_S = 2.0
"""A wait whose timer was late by more than this in total cannot be judged: the loop or the process stood still."""
PATROL_S = 10.0
"""The longest time of a timer: one of an unused watchdog goes off once more within this time.

A stall of the arena in the middle of a wait is noticed if it is longer than this by `STALL_S`.
"""
GONE = frozenset({Termination.TERMINATION_CRASH, Termination.TERMINATION_FAILED_TO_START})
"""What a bot may do because the arena stood still: it gives up an arena that does not answer."""


class Watchdog:
    """Guards one wait after another: `with watchdog.guard(...)` around everything that is awaited.

    Its timer is not reset for every wait. When it goes off and the current wait is within its limit, it is set again.
    So it is if it went off late: the busy loop may not have read an answer yet, so the arena's delay is credited to the
    bot.
    """

    def __init__(self, tolerance_ms: int) -> None:
        """The timer may be late by `tolerance_ms` before that is credited to the bot."""
        self._tolerance_s = tolerance_ms / 1000
        self._loop: asyncio.AbstractEventLoop
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0  # requests to cancel the task that are not ours
        self._timer: asyncio.TimerHandle | None = None
        self._limit_s = 0.0
        self._due = 0.0
        self._began = 0.0
        self._late_s = 0.0  # total delay of the timer in this wait, once the wait was over
        self._stall_s = 0.0  # longest delay of the timer in this wait
        self._ended = False  # whether it ended the wait
        self._sentence = ""

    def guard(self, limit_ms: int, sentence: str) -> Self:
        """Guard a wait of at most `limit_ms`; `sentence` is the fault of a bot that takes longer.

        Leaving the guard raises BotFault if the wait took too long, and ArenaError if the arena itself stood still.
        """
        self._limit_s = limit_ms / 1000
        self._sentence = sentence
        return self

    def restart(self) -> None:
        """Restart the time of the current wait."""
        self._began = self._loop.time()
        self._due = self._began + self._limit_s

    @property
    def stood_still_s(self) -> float:
        """How long the arena stood still during the wait that ends now, in seconds; 0 if it did not."""
        self._note_stall()
        return self._stall_s if self._stall_s > STALL_S else 0.0

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None, "a wait belongs to a task"
        self._loop = asyncio.get_running_loop()
        self._task, self._cancelling, self._ended = task, task.cancelling(), False
        self._late_s = self._stall_s = 0.0
        self.restart()
        if self._timer is None or self._timer.when() > self._due:
            self._set_timer(self._due)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        task, self._task = self._task, None
        if isinstance(error, BotFault) and error.termination in GONE and self.stood_still_s:
            raise stood_still(self._stall_s) from error
        if not self._ended or task is None:
            return
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise self._verdict() from None

    def _verdict(self) -> Exception:
        late_s = max(self._late_s, self._stall_s)
        if late_s > STALL_S:
            return stood_still(late_s)
        return BotFault(Termination.TERMINATION_TIMEOUT, self._sentence, round(self._limit_s * 1e6))

    def _note_stall(self) -> None:
        """Note how late the timer is, if it is, and if this wait had begun when it was due."""
        if self._timer:
            self._stall_s = max(self._stall_s, self._loop.time() - max(self._timer.when(), self._began))

    def _set_timer(self, when: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_at(min(when, self._loop.time() + PATROL_S), self._look)

    def _look(self) -> None:
        self._note_stall()
        self._timer = None
        if self._task is None:
            return
        late_s = self._loop.time() - self._due
        if late_s > self._tolerance_s:
            self._late_s += late_s
            self._due += 2 * late_s  # as far ahead as it lies behind
        if late_s < 0 or (late_s > self._tolerance_s and self._late_s <= STALL_S):
            self._set_timer(self._due)
        else:
            self._ended = True
            self._task.cancel()


def stood_still(seconds: float) -> ArenaError:
    """Return the error for an arena that cannot judge a bot because it stood still."""
    return ArenaError(f"the arena stood still for {seconds:.1f} s and cannot judge the bot's time")
