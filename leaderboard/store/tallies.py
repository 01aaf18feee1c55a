"""What is counted for each bot of a database, seat by seat: how its matches ended and how long it thought."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.decisions import termination_name
from ballcourt.leaderboard.model.results import OK, Ladder
from ballcourt.leaderboard.store.tables import MATCHES, SEATS, read_entrants, read_ladders


@dataclass(slots=True)
class SeatTally:
    """What one bot did in one seat."""

    matches: int = 0
    places: int = 0
    """Sum of its placements."""
    kept: int = 0
    """Matches in which it kept the seat."""
    points: float = 0.0
    """Sum of its points in those."""


@dataclass(slots=True)
class Tally:
    """What one bot did in one ladder."""

    seats: dict[int, SeatTally] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    """Matches by how it ended them: "OK" or the kind of fault that vacated its seat."""
    tolerated: int = 0
    """Matches with faults after which it played on."""
    think_us: int = 0
    """The think time of all matches together, in microseconds."""

    @property
    def matches(self) -> int:
        """Matches in all seats together."""
        return sum(seat.matches for seat in self.seats.values())

    @property
    def kept(self) -> int:
        """Matches in which it kept its seat."""
        return sum(seat.kept for seat in self.seats.values())

    @property
    def think_ms(self) -> float | None:
        """The mean think time of a match, in milliseconds; None without any."""
        return self.think_us / self.matches / 1000 if self.matches else None

    @property
    def mean_place(self) -> float | None:
        """The mean placement over all matches; None without any."""
        return sum(seat.places for seat in self.seats.values()) / self.matches if self.matches else None

    @property
    def mean_points(self) -> float | None:
        """The mean score over the matches in which it kept its seat; None without any."""
        return sum(seat.points for seat in self.seats.values()) / self.kept if self.kept else None

    @property
    def lost(self) -> int:
        """Matches in which it lost its seat."""
        return self.matches - self.kept


def tallies(connection: Connection) -> dict[Ladder, dict[BotVersion, Tally]]:
    """Count everything, in one pass over all seats."""
    entrants, ladders = read_entrants(connection), read_ladders(connection)
    found: defaultdict[Ladder, defaultdict[BotVersion, Tally]] = defaultdict(lambda: defaultdict(Tally))
    keys = MATCHES.c.ladder, SEATS.c.entrant, SEATS.c.seat, SEATS.c.termination, SEATS.c.fault
    sums = (
        func.count().label("count"),
        func.sum(SEATS.c.placement).label("places"),
        func.sum(SEATS.c.score).label("points"),
        func.sum(SEATS.c.think_us).label("time"),
    )
    for row in connection.execute(select(*keys, *sums).join_from(SEATS, MATCHES).group_by(*keys)):
        entrant, _ = entrants[row.entrant]
        _add(found[ladders[row.ladder]][entrant], row)
    return {ladder: dict(bots) for ladder, bots in found.items()}


def _add(tally: Tally, row: Any) -> None:  # noqa: ANN401 - a row of the query
    count, ended = int(row.count), termination_name(int(row.termination))
    seat = tally.seats.setdefault(int(row.seat), SeatTally())
    seat.matches += count
    seat.places += int(row.places)
    if ended == OK:
        seat.kept += count
        seat.points += float(row.points)
        tally.tolerated += count if row.fault else 0
    tally.ended[ended] = tally.ended.get(ended, 0) + count
    tally.think_us += int(row.time)
