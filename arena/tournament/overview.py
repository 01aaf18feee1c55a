"""How far a tournament is, from the entries of its log: what its terminal, `ballcourt watch` and pages show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ballcourt.arena.durations import duration
from ballcourt.arena.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ballcourt.arena.tournament.log import Entry

MOST_TABLES: Final = 8
"""How many running matches are listed."""


class Running(NamedTuple):
    """A running match: its game, its bots in seat order, and when it began."""

    game: str
    """Empty in logs of older versions."""
    bots: tuple[str, ...]
    began: float


class Overview:
    """Counts the matches of a tournament. All times are in seconds, of one clock that the caller chooses."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self.played: set[str] = set()
        self.expected = 0
        self._is_exact = True
        self.running: dict[str, Running] = {}
        """By key, the oldest first."""
        self.last = ""
        """The kind of the last entry."""
        self._reason = ""
        self._before = 0
        self._began = 0.0

    def add(self, entry: Entry, at: float) -> None:
        """Count what happened at a time. Entries of kinds that a later version adds are passed over."""
        match entry["event"]:
            case "planned":
                self._reset()
                self.expected, self._is_exact, self._began = entry["matches"], entry["exact"], at
            case "started":
                self.running[entry["match"]] = Running(entry.get("game", ""), tuple(entry["bots"]), at)
            case "played":
                self._count(entry["match"], at, is_new=entry["new"])
            case "voided":
                self._forget(entry["matches"])
            case "skipped":
                self.expected -= len(entry["matches"])
                self._forget(entry["matches"])
            case "decided":
                self.expected = entry["matches"]
            case "finished" | "stopped":
                self.running.clear()
        self.last, self._reason = entry["event"], entry.get("reason", "")

    def line(self, now: float) -> str:
        """Return how far the tournament is and, once matches have ended, how fast it goes and how long it will take."""
        done = f"{len(self.played)} of {'' if self._is_exact else 'at most '}{self.expected} matches"
        new = len(self.played) - self._before
        if new <= 0:
            return done
        rate = new / max(now - self._began, 1e-3)
        if not self._is_exact:
            return f"{done}, {rate:.1f} per second"
        left = duration(round((self.expected - len(self.played)) / rate))
        return f"{done}, {rate:.1f} per second, {left} to go"

    def sentence(self, now: float, *, is_held: bool) -> str:
        """Return how far the tournament is, and whether it is being played: then a process holds its folder."""
        done = f"{len(self.played)} of {self.expected} matches"
        if self.last == "finished":
            return f"the tournament is over: {len(self.played)} matches count"
        if is_held:
            return self.line(now)
        if self.last == "stopped":
            return f"{done}; its run ended early: {self._reason}"
        return f"{done}; nobody plays it at the moment" if self.last else "it has not been played yet"

    def tables(self, now: float) -> Iterator[str]:
        """Yield a line for each running match: its key, its bots in seat order, and for how long it has run."""
        for key, (_, bots, began) in [*self.running.items()][:MOST_TABLES]:
            yield printable(f"{key}: {', '.join(bots)} ({duration(round(max(0.0, now - began)))})")
        if (more := len(self.running) - MOST_TABLES) > 0:
            yield f"and {more} more"

    def _count(self, key: str, at: float, *, is_new: bool) -> None:
        self.running.pop(key, None)
        self.played.add(key)
        if not is_new:
            self._before += 1
            self._began = at

    def _forget(self, keys: list[str]) -> None:
        self.played.difference_update(keys)
        for key in keys:
            self.running.pop(key, None)
