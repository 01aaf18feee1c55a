"""Work that was begun and is awaited later, or never. Unlike a task it costs no turn of the event loop."""

import asyncio
from collections.abc import Coroutine, Generator
from typing import Any


class Begun:
    """A coroutine that runs at once up to its first wait; to await it, once at most, runs the rest.

    The waits of a coroutine are the futures that it yields. A task which awaits it later yields the same future.
    """

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        """Run to the first wait. Raises what the coroutine raises before that."""
        self._rest = work.__await__()
        self._waits_for: asyncio.Future[object] | None = next(self._rest, None)

    def __await__(self) -> Generator[Any, Any, None]:
        if self._waits_for:
            if not self._waits_for.done():
                yield self._waits_for
            yield from self._rest

    def abandon(self) -> None:
        """Let nobody await it: asyncio complains about a future whose exception nobody has seen."""
        if self._waits_for:
            self._waits_for.add_done_callback(lambda future: future.cancelled() or future.exception())
