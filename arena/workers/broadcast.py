"""The worker's side of a broadcast: it writes a match down for those who watch, apart from the match itself."""

import asyncio
import time
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from ballcourt.arena.match.circumstances import now
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.printable import json_line
from ballcourt.arena.replays.broadcast import ASKED_S, asked, written
from ballcourt.arena.replays.document import opening_document, public_step
from ballcourt.arena.replays.view import View
from ballcourt.engine.core import Game
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR

LOOK_S: Final = 1.0
"""How long to wait between looks for a request, in seconds."""
WRITE_S: Final = 0.2
MOST_CHARACTERS: Final = 1 << 24
"""The most that is written about a match."""


class Broadcast:
    """Writes a running match down while it is asked for. An async context manager around the match.

    It executes the decisions again, one at a time in the pauses of the event loop, and writes in a thread. So neither
    a slow disk nor a failure in here reaches the match.
    """

    def __init__(self, folder: Path, game: Game, spec: MatchSpec) -> None:
        self._asked, self._path = asked(folder, spec.key), written(folder, spec.key)
        self._game = game
        self._spec = spec
        self._decisions: list[tuple[int, int]] = []
        self._over = asyncio.Event()
        self._file: IO[str] | None = None
        self._room = MOST_CHARACTERS
        self._started = now()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Write the rest for those who watch, and remove the file: the record takes its place."""
        self._over.set()
        await self._task  # not cancelled: its thread may be writing
        if self._file:
            self._file.close()
            self._path.unlink(missing_ok=True)

    def decided(self, seat: int, action: int) -> None:
        """Write down a decision of the referee."""
        self._decisions.append((seat, action))

    async def _run(self) -> None:
        try:
            async for line in self._lines():
                await asyncio.to_thread(self._write, line)
        except Exception as error:
            if self._file:
                with suppress(OSError):  # the disk may be what failed
                    self._file.write(json_line({"failed": f"{type(error).__name__}: {error}"}) + "\n")

    async def _lines(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what to write, the document first, while it is asked for."""
        await self._until_asked()
        if self._over.is_set():
            return
        spec = self._spec
        state = self._game.initial_state(len(spec.entrants), spec.seed, spec.options)
        state.ledger = []
        view = View(self._game, state, SPECTATOR)
        encoder = Encoder(self._game.wire())

        def seen() -> str:
            return b64encode(encoder.encode(state, SPECTATOR)).decode()

        begun = opening_document(spec.key, state, view, spec.options, _bots(spec), self._started)
        yield {"document": begun, "seen": seen()}
        written = 0
        while written < len(self._decisions) or not self._over.is_set():
            await self._until_asked()
            for seat, action in self._decisions[written:]:
                before = state.clone()
                state.apply(seat, action)
                yield {"step": public_step(seat, *view.step(before, seat, action, state)), "seen": seen()}
                written += 1
            await self._pause(WRITE_S)

    async def _until_asked(self) -> None:
        while not self._over.is_set() and not self._is_asked():
            await self._pause(LOOK_S)

    async def _pause(self, seconds: float) -> None:
        """Wait this long, or until the match is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._over.wait()

    def _is_asked(self) -> bool:
        try:
            return time.time() - self._asked.stat().st_mtime < ASKED_S
        except OSError:
            return False

    def _write(self, line: dict[str, Any]) -> None:
        """Add a line. Raises OSError, and ValueError if the match is too long."""
        text = json_line(line) + "\n"
        self._room -= len(text)
        if self._room < 0:
            raise ValueError(f"a broadcast has at most {MOST_CHARACTERS} characters")
        if self._file is None:
            self._path.unlink(missing_ok=True)  # readers of an older one go on to this
            self._file = self._path.open("x", buffering=1, encoding="utf-8")
        self._file.write(text)


def _bots(spec: MatchSpec) -> list[tuple[str, str]]:
    return [(entrant.bot.name, entrant.bot.version) for entrant in spec.entrants]
