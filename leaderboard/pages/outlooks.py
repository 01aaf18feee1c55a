"""How running matches stand, as playouts from what a spectator knows say; a process of its own computes it.

It has a low priority and one processor, and judges only matches that are watched: the newest position first, then those
before it. So it holds up neither matches nor pages. It gets what is public, so what it says tells nothing secret.
"""

import os
import signal
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from hashlib import sha256
from logging import getLogger
from multiprocessing import get_context
from threading import Lock
from types import TracebackType
from typing import Final, Self

from ballcourt.arena.replays.document import Appraisal
from ballcourt.arena.replays.playouts import outlook
from ballcourt.engine.core.chance import stream
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.store.beside import NICE, begin_beside

LONGEST_S: Final = 30
"""The longest time that a position may take; then the process ends, and another one takes the next position."""
LOG: Final = getLogger(__name__)


class Outlooks:
    """The judge of running matches. A context manager: its process ends with the context or with this process."""

    def __init__(self, playouts: int) -> None:
        self.judge = f"{playouts} playouts"
        self._playouts = playouts
        self._pool = _pool()
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def ask(self, game: str, seen: str) -> Future[Appraisal]:
        """Ask how a match stands; `seen` is a spectator's observation as its broadcast has it."""
        with self._lock:
            try:
                return self._pool.submit(_judged, game, seen, self._playouts)
            except BrokenProcessPool:
                LOG.warning("the process that judges running matches has ended; another one is being started")
                self._pool = _pool()
                return self._pool.submit(_judged, game, seen, self._playouts)


class MatchOutlook:
    """What a judge makes of a match that is watched, position by position."""

    def __init__(self, judge: Outlooks, game: str) -> None:
        self._judge = judge
        self._game = game
        self._seen: dict[int, str] = {}
        """The positions about which nothing has been asked yet, by the number of the decision after them."""
        self._asked: tuple[int, Future[Appraisal]] | None = None
        self._found: dict[int, Appraisal] = {}

    def see(self, number: int, seen: str) -> None:
        """Add the position before a decision, which may not have been made yet."""
        self._seen[number] = seen

    def found(self, decisions: int) -> Iterator[tuple[int, Appraisal]]:
        """Yield what is new about positions before the decisions so far, and ask about the newest one that is left."""
        if self._asked and self._asked[1].done():
            number, future = self._asked
            self._asked = None
            with suppress(Exception, CancelledError):  # a position that cannot be judged is left out
                self._found[number] = future.result()
        for number in [one for one in self._found if one < decisions]:
            yield number, self._found.pop(number)
        if self._seen and self._asked is None:
            newest = max(self._seen)
            self._asked = newest, self._judge.ask(self._game, self._seen.pop(newest))

    def leave(self) -> None:
        """Ask no more."""
        if self._asked:
            self._asked[1].cancel()


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), _begin)


def _begin() -> None:
    os.nice(NICE)
    begin_beside()


def _judged(game: str, seen: str, playouts: int) -> Appraisal:
    """Judge a position; the same one always alike."""
    signal.alarm(LONGEST_S)
    try:
        message = b64decode(seen, validate=True)
        rules = find_game(game)
        chance = stream(int.from_bytes(sha256(message).digest()[:8]), "outlook")
        return outlook(rules, rules.wire().decode(message), playouts, chance)
    finally:
        signal.alarm(0)
