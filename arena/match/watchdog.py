"""Time limits on waits for a bot, and how late the arena itself was. Most waits do not touch a timer."""

import asyncio
from typing import Self

from ballcourt.arena.faults import BotFault, Unjudged
from ballcourt.arena.match.spec import TOLERANCE_MS
from ballcourt.v1.protocol_pb2 import Termination

TOLERANCE_S = TOLERANCE_MS / 1000
PATROL_S = 0.1
"""The longest time of a timer. The arena notices with this precision how long it stood still."""
STALL_S = 5.0
"""A bot may give up an arena that stood still for longer than this. Processors that are merely busy delay no timer so
much, whatever a bot runs on them."""
GONE = frozenset({Termination.TERMINATION_CRASH, Termination.TERMINATION_FAILED_TO_START})
"""How a bot gives up an arena that does not answer."""


class Watchdog:
    """Guards one wait after another: `with watchdog.guard(...)` around everything that is awaited.

    Its timer goes off every `PATROL_S` at most, and shows by its own delay how late the arena is: because its process
    was stopped, or because its loop is busy with something else. The bot gets that time back. The timer is not reset
    for every wait; when it goes off and the current wait is within its limit, it is set again.
    """

    def __init__(self, grace_ms: int = 0) -> None:
        """A wait during which the arena was late may be longer by `grace_ms`, which covers what was not measured."""
        self._grace_s = max(grace_ms / 1000, TOLERANCE_S)
        self.late_s = 0.0
        """How late the arena was during the wait, in seconds, once that is over; 0 up to `TOLERANCE_S` at a time."""
        self._longest_s = 0.0  # of the delays that make up `late_s`
        self._loop: asyncio.AbstractEventLoop
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0  # requests to cancel the task that are not ours
        self._timer: asyncio.TimerHandle | None = None
        self._alarm = 0.0  # when the timer goes off
        self._limit_s = 0.0
        self._began = 0.0
        self._ended = False  # whether it ended the wait
        self._sentence = ""

    def guard(self, limit_ms: int, sentence: str) -> Self:
        """Guard a wait of at most `limit_ms`; `sentence` is the fault of a bot that takes longer.

        Leaving the guard raises BotFault if the wait took too long, and Unjudged if the bot gave up an arena that had
        stood still.
        """
        self._limit_s = limit_ms / 1000
        self._sentence = sentence
        return self

    @property
    def stood_still_s(self) -> float:
        """How long the arena stood still during the wait, in seconds; 0 if it did not."""
        return self._longest_s if self._longest_s > STALL_S else 0.0

    def __enter__(self) -> None:
        loop = self._loop = asyncio.get_running_loop()
        task = self._task = asyncio.current_task(loop)
        assert task is not None, "a wait belongs to a task"
        self._cancelling, self._ended = task.cancelling(), False
        self.late_s = self._longest_s = 0.0
        began = self._began = loop.time()
        if self._timer is None or self._alarm > began + self._limit_s + TOLERANCE_S:
            self._set_timer(self._due)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        task, self._task = self._task, None
        self._note_delay()
        if isinstance(error, BotFault) and error.termination in GONE and self.stood_still_s:
            raise stood_still(self._longest_s) from error
        if not self._ended or task is None:
            return
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            late = Termination.TERMINATION_TIMEOUT
            raise BotFault(late, self._sentence, round(self._limit_s * 1e6)) from None

    @property
    def _due(self) -> float:
        """When the wait has taken too long."""
        return self._began + self._limit_s + self.late_s + (self._grace_s if self.late_s else TOLERANCE_S)

    def _note_delay(self) -> float:
        """Add the delay of the timer to how late the arena was, and return it; 0 within the tolerance.

        It counts from the beginning of the wait.
        """
        now = self._loop.time()
        if self._timer is None or now - self._alarm <= TOLERANCE_S:
            return 0.0
        late_s = now - max(self._alarm, self._began)
        if late_s <= TOLERANCE_S:
            return 0.0
        self.late_s += late_s
        self._longest_s = max(self._longest_s, late_s)
        return late_s

    def _set_timer(self, when: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._alarm = min(when, self._loop.time() + PATROL_S)
        self._timer = self._loop.call_at(self._alarm, self._look)

    def _look(self) -> None:
        was_late, self._timer = bool(self._note_delay()), None
        if self._task is None:
            return
        overdue_s = self._loop.time() - self._due
        if overdue_s < 0:
            self._set_timer(self._due)
        elif was_late and overdue_s < STALL_S:  # the loop may not have read the answer yet
            self._set_timer(self._loop.time() + TOLERANCE_S)
        else:
            self._ended = True
            self._task.cancel()


def stood_still(seconds: float) -> Unjudged:
    """Return the error for an arena that a bot may have given up because it stood still."""
    return Unjudged(f"the arena stood still for {seconds:.1f} s, and cannot blame a bot that gave it up")
