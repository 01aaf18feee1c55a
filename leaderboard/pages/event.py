"""What pages show of a tournament: its matches and tables, read again when there are new ones."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.results import Entrant, Ladder, MatchResult, SeatResult
from ballcourt.leaderboard.standings import Board


@dataclass(frozen=True)
class Results:
    """The matches of a tournament, and their tables."""

    matches: list[MatchResult]
    boards: Mapping[Ladder, Board]
    by_key: dict[str, MatchResult] = field(init=False)
    bots: dict[str, Entrant] = field(init=False)
    """By id, as it stands in addresses."""

    def __post_init__(self) -> None:
        entrants = {seat.entrant for match in self.matches for seat in match.seats}
        object.__setattr__(self, "by_key", {match.key: match for match in self.matches})
        object.__setattr__(self, "bots", {bot_id(entrant): entrant for entrant in sorted(entrants)})

    def newest(self, bot: Entrant | None = None) -> list[MatchResult]:
        """Return the matches, of one bot if it is given, the newest first."""
        wanted = [match for match in self.matches if bot is None or bot in {seat.entrant for seat in match.seats}]
        return sorted(wanted, key=lambda match: (match.started, match.key), reverse=True)


@dataclass(frozen=True, slots=True)
class Opponent:
    """What came of the tables that two bots had in common: how many, and how often the first was placed above."""

    entrant: Entrant
    tables: int
    above: float


def bot_id(entrant: Entrant) -> str:
    """Return what stands for a bot version in addresses: names may hold anything."""
    words = "\0".join((entrant.name, entrant.version, entrant.content_hash))
    return hashlib.sha256(words.encode(errors="surrogatepass")).hexdigest()[:16]


def own_seats(match: MatchResult, bot: Entrant) -> list[SeatResult]:
    """Return the results of a bot in a match; several if it had several seats."""
    return [seat for seat in match.seats if seat.entrant == bot]


def opponents(matches: list[MatchResult], bot: Entrant) -> list[Opponent]:
    """Compare a bot with each opponent over the pairs of seats that met; a tie counts half."""
    points: dict[Entrant, list[float]] = {}
    for match in matches:
        for own in own_seats(match, bot):
            for other in match.seats:
                if other.entrant != bot:
                    tie, won = own.placement == other.placement, own.placement < other.placement
                    points.setdefault(other.entrant, []).append(0.5 if tie else float(won))
    return [Opponent(other, len(won), sum(won) / len(won)) for other, won in sorted(points.items())]


class Event:
    """The output folder of a tournament. Its results are read when they are asked for and have changed since."""

    def __init__(self, folder: Path, load: Callable[[], Results]) -> None:
        """Read the results with `load` for the first time; what it raises passes through."""
        self.folder = folder
        self._load = load
        self._lock = Lock()
        self._state = self._read_state()
        self._results = load()

    def results(self) -> Results:
        """Return the results as they are now; while they are read again, and if they cannot be, those before."""
        if self._lock.acquire(blocking=False):
            try:
                self._refresh()
            finally:
                self._lock.release()
        return self._results

    def _refresh(self) -> None:
        with suppress(OSError, WrongInput):
            state = self._read_state()
            if state != self._state:
                self._results = self._load()
                self._state = state

    def _read_state(self) -> int:
        """Return a number that changes whenever a record is written; each is renamed into its folder."""
        return (self.folder / "records").stat().st_mtime_ns
