"""Lets one bot process of a worker think at a time, when the worker plays several matches at once."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple


class _Waiting(NamedTuple):
    """A question that waits to be asked."""

    process: object
    batches: bool
    admitted: asyncio.Future[int]


class Gate:
    """Admits one question after another, in the order in which they come.

    A process that answers questions of several matches in one batch is asked all those that wait for it at once.
    """

    def __init__(self) -> None:
        self._open = 0  # questions that were admitted together and are not answered yet
        self._waiting: deque[_Waiting] = deque()

    @asynccontextmanager
    async def admit(self, process: object, *, batches: bool = False) -> AsyncIterator[int]:
        """Wait until no other process thinks; yield how many questions this one is asked together."""
        together = await self._enter(process, batches)
        try:
            yield together
        finally:
            self._leave()

    async def _enter(self, process: object, batches: bool) -> int:
        if not self._open:  # then nothing waits either
            self._open = 1
            return 1
        waiting = _Waiting(process, batches, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            return await waiting.admitted
        except asyncio.CancelledError:
            if waiting.admitted.done() and not waiting.admitted.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        """Admit those who come next, once all that were admitted together have left."""
        self._open -= 1
        if self._open:
            return
        self._waiting = deque(each for each in self._waiting if not each.admitted.done())  # no match that broke off
        if not self._waiting:
            return
        first = self._waiting[0]
        batch = [each for each in self._waiting if each.process is first.process and each.batches]
        together = batch if first.batches else [first]
        self._open = len(together)
        for each in together:
            self._waiting.remove(each)
            each.admitted.set_result(len(together))
