"""`ballcourt tournament --plan`: what a tournament will take and give, without starting anything."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, isfinite
from typing import TYPE_CHECKING, Final

from ballcourt.arena.cli.announce import plan_lines
from ballcourt.arena.cli.output import duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ballcourt.arena.tournament.balance import Balance
    from ballcourt.arena.tournament.forecast import Load
    from ballcourt.arena.tournament.plan import Tournament

FORMAT: Final = "ballcourt-plan-1"
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Duration:
    """How long the matches take that have not been played."""

    seconds: float
    source: Path | None
    """The folder whose records say so; None if it is the most that the clock allows."""
    matches: int
    """How many records were read."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A tournament and what it will take."""

    tournament: Tournament
    folder: Path
    played: int
    """How many matches have a record already."""
    duration: Duration
    load: Load
    half_width: float | None
    """Expected half width of the 95 % intervals of ratings; None if some bots never meet."""

    def lines(self) -> Iterator[str]:
        """Say it in sentences."""
        yield from plan_lines(self.tournament)
        if self.played:
            yield f"{self.played} of them have been played before"
        yield _time(self.duration, self.load.workers)
        yield _processes(self.load)
        if self.half_width is not None:
            yield (
                f"ratings will be known to about ±{self.half_width:.1f} points (95% intervals), if the bots differ as "
                "much as usual"
            )
        yield f"output: {self.folder}; nothing has been started or written"

    def to_json(self) -> dict[str, object]:
        """Return it for programs."""
        planned, counted = self.tournament, self.tournament.balance()
        return {
            "format": FORMAT,
            "game": planned.game.name,
            "seats": planned.seats,
            "bots": [{"name": bot.name, "version": bot.version} for bot in planned.entrants],
            "schedule": planned.design.format,
            "blocks": planned.schedule.blocks,
            "matches": planned.matches,
            "is_exact": planned.schedule.is_exact,
            "matches_played": self.played,
            "round_blocks": planned.schedule.round_size,
            "seconds": round(self.duration.seconds, 1),
            "seconds_are": "the most" if self.duration.source is None else "expected",
            "seconds_from_matches": self.duration.matches,
            "workers": self.load.workers,
            "processes": self.load.processes,
            "bot_processes": self.load.bots,
            "memory_mb": self.load.memory_mb,
            "most_memory_mb": self.load.limit_mb or None,
            "expected_half_width": None if self.half_width is None else round(self.half_width, 3),
            "certificate": None if counted is None else _certificate(counted),
        }


def forecast(planned: Tournament, folder: Path, times: Path | None, workers: int) -> Forecast:
    """Look ahead. Raises FolderError, and LeaderboardError if the folder of `times` has no records of the game."""
    from ballcourt.arena.tournament.folder import record_files
    from ballcourt.arena.tournament.forecast import load
    from ballcourt.arena.tournament.manifest import check_same

    check_same(folder, planned)
    carried = load(planned, workers)
    played = min(len(record_files(folder)), planned.matches)
    lasting = _duration(planned, folder, times, planned.matches - played, carried.workers)
    return Forecast(planned, folder, played, lasting, carried, _half_width(planned))


def _duration(planned: Tournament, folder: Path, times: Path | None, matches: int, workers: int) -> Duration:
    """Estimate from the records in `times`, else from those in the output folder, else from the clock."""
    from ballcourt.arena.tournament.forecast import longest_match_s, recorded_pace
    from ballcourt.arena.tournament.manifest import FolderError

    source = times or folder
    pace = recorded_pace(source, planned.game.name, planned.seats)
    if pace is None and times:
        raise FolderError(
            f"{times} has no records of {planned.game.name} with {planned.seats} seats; name the output folder of a "
            "tournament that has"
        )
    if pace is None:
        return Duration(matches * longest_match_s(planned) / workers, None, 0)
    entrants = [(bot.name, bot.version) for bot in planned.entrants]
    return Duration(matches * pace.match_s(entrants, planned.seats) / workers, source, pace.matches)


def _half_width(planned: Tournament) -> float | None:
    from ballcourt.leaderboard.precision import expected_half_width

    entrants, seats = len(planned.entrants), planned.seats
    if entrants < 2:
        return None
    if seats == 1:  # a deal is a table of all
        return expected_half_width((entrants - 1) / entrants**2 / planned.schedule.blocks, entrants)
    counted = planned.balance()
    if counted:
        variance = counted.rating_variance()
        return expected_half_width(variance, seats) if isfinite(variance) else None
    meetings = planned.matches * comb(seats, 2) / comb(entrants, 2)  # of each pair, if they are spread evenly
    return expected_half_width((entrants - 1) / entrants**2 / meetings, seats)


def _time(lasting: Duration, workers: int) -> str:
    with_workers = f"with {workers} {'worker' if workers == 1 else 'workers'}"
    said = duration(round(lasting.seconds))
    if lasting.source is None:
        return (
            f"time: at most {said} {with_workers}, if all bots use up their clocks; "
            "name a folder with matches of these bots by --times to know more"
        )
    from ballcourt.arena.match.policy import counted

    return f"time: about {said} {with_workers}, as {counted(lasting.matches, 'match')} in {lasting.source} took"


def _processes(load: Load) -> str:
    from ballcourt.arena.match.policy import counted

    limit = f", at most {load.limit_mb:,} MB with the sandbox's limits" if load.limit_mb else ""
    return (
        f"{counted(load.processes, 'process')} at the same time, {load.bots} of them bots; "
        f"about {load.memory_mb:,} MB of memory{limit}"
    )


def _certificate(counted: Balance) -> dict[str, object]:
    """Return what the schedule gives each bot, in the order of the bots, and how often pairs meet."""
    meetings, factor = counted.pairs.values(), counted.variance_factor()
    return {
        "matches": list(counted.matches),
        "seats": [list(sat) for sat in counted.seats],
        "fewest_meetings": min(meetings, default=0),
        "most_meetings": max(meetings, default=0),
        "variance_factor": round(factor, 4) if isfinite(factor) else None,
    }
