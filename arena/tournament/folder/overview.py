"""How far a tournament has got, from the entries of its log: shown by `tournament`, `event watch` and pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ballcourt.arena.durations import duration, pace
from ballcourt.arena.printable import printable
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.engine.core import WrongInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ballcourt.arena.tournament.folder.log import Entry

MOST_TABLES: Final = 8
"""The most running matches that are listed."""
WAITING: Final = ("waiting", "resting")
"""The kinds of entries after which nothing is played until a match begins."""


class LogError(WrongInput):
    """The log of a tournament says what no run says; the sentence says what to do."""


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
        self._waits = ""  # why nothing is played at the moment
        self._reason = ""
        self._before = 0
        self._began = 0.0
        self.is_ladder = False
        self._earlier = 0  # matches of a ladder that its log only counts

    @property
    def matches(self) -> int:
        """How many matches have been played."""
        return self._earlier + len(self.played)

    def follow(self, entry: Entry) -> None:
        """Count what happened, at the time that a log has. Raises LogError for an entry that no run writes."""
        try:
            self.add(entry, datetime.fromisoformat(entry["at"]).timestamp())
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise LogError(
                "the log of the tournament, events.jsonl, is damaged; restore it from a copy, or remove it: the next "
                "run begins another"
            ) from error

    def add(self, entry: Entry, at: float) -> None:
        """Count what happened at a time. Entries of unknown kinds, which a later version may add, are ignored."""
        match entry["event"]:
            case "planned":
                self._reset()
                self.expected, self._is_exact, self._began = entry["matches"], entry["exact"], at
                self.is_ladder = entry.get("format") == LADDER
            case "resumed" if self.is_ladder:
                self._earlier = entry["matches"]
            case "played" if self.is_ladder and not entry["new"]:
                pass  # one of the last that an earlier run played, for databases
            case "started":
                self.running[entry["match"]] = Running(entry.get("game", ""), tuple(entry["bots"]), at)
            case "played":
                self._count(entry["match"], at, is_new=entry["new"])
            case "voided":
                self._forget(entry["matches"])
            case "skipped":
                self._skip(entry["matches"])
            case "decided" if not self.is_ladder:
                self.expected = entry["matches"]
            case "finished" | "stopped":
                self.running.clear()
        if entry["event"] in WAITING:
            self._waits = f"{entry['event']}: {entry['sentence']}"
        elif entry["event"] == "started":
            self._waits = ""
        self.last, self._reason = entry["event"], entry.get("reason", "")

    @property
    def done(self) -> str:
        """How many matches have been played, of how many."""
        if self.is_ladder:
            return f"{self.matches} matches" + (f" of {self.expected}" if self.expected else "")
        return f"{self.matches} of {'' if self._is_exact else 'at most '}{self.expected} matches"

    def line(self, now: float) -> str:
        """Return how far the tournament has got and, once matches have ended, its pace and how long it will take."""
        done = self.done
        new = len(self.played) - self._before
        if self._waits:
            return f"{done}; {self._waits}"
        if new <= 0:
            return done
        rate = new / max(now - self._began, 1e-3)
        if not self._is_exact:
            return f"{done}, {pace(rate)}"
        left = duration(round((self.expected - len(self.played)) / rate))
        return f"{done}, {pace(rate)}, {left} to go"

    def sentence(self, now: float, *, is_held: bool) -> str:
        """Return how far the tournament has got, and whether it is being played: then a process holds its folder."""
        done = self.done
        if self.last == "finished" and self.is_ladder:
            return f"{done}; its run has ended"
        if self.last == "finished":
            return f"the tournament is over: {self.matches} matches count"
        if is_held:
            return self.line(now)
        if self.last == "stopped":
            return f"{done}; its run ended early: {self._reason}"
        return f"{done}; it is not running" if self.last else "it has not been played yet"

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

    def _skip(self, keys: list[str]) -> None:
        if self.is_ladder:
            earlier = len({*keys} - self.played)
            self._earlier = max(0, self._earlier - earlier)
        else:
            self.expected -= len(keys)
        self._forget(keys)

    def _forget(self, keys: list[str]) -> None:
        self.played.difference_update(keys)
        for key in keys:
            self.running.pop(key, None)
