"""What a tournament will take and give, known before it is played."""

from dataclasses import dataclass, field
from math import ceil, comb, isfinite
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ballcourt.arena.tournament.decisions.certificate import BotName, CertifiedSetUp, Count, to_json
from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.event.setups import in_words
from ballcourt.arena.tournament.folder.manifest import FolderError, check_same
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.forecast import Load, load, longest_match_s, match_s
from ballcourt.arena.tournament.schedules.stop import Separated, Within, time_limit
from ballcourt.leaderboard.model.precision import expected_half_width, variance_for
from ballcourt.leaderboard.studies.seeds_advice import Advice, AdviceForm, advice

Positive = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class PlanPage:
    """What `ballcourt tournament --plan --json` prints: what a tournament will take and give.

    Later versions may add properties.
    """

    format: Literal["ballcourt-plan-1"] = field(default="ballcourt-plan-1", init=False)
    setups: Annotated[list[CertifiedSetUp], Field(min_length=1)]
    """What is played at the tables; each has a table of its own."""
    bots: list[BotName]
    """In the order of the event."""
    schedule: str
    """The format, such as balanced."""
    blocks: Count
    """In all, those played before included."""
    matches: Count
    """In all; the most there can be unless `is_exact`."""
    is_exact: bool
    """Whether there will be exactly this number of matches if no bot is suspended."""
    stop: list[str]
    """The rules that end it early, such as `±1.0`."""
    expected_matches: Count | None
    """null: it cannot be foreseen when a rule of `stop` ends it."""
    matches_played: Count
    """How many matches have a record already."""
    round_blocks: Positive
    """The blocks of a whole round."""
    seconds: Amount
    """How long the rest takes."""
    seconds_are: Literal["expected", "the most"]
    seconds_from_matches: Count
    """How many records show how long matches take; 0: the clock does."""
    workers: Positive
    """Matches at the same time."""
    processes: Positive
    """All processes at the same time."""
    bot_processes: Count
    """Those of bots."""
    memory_mb: Count
    """About as much as they take."""
    most_memory_mb: Count | None
    """The most that the sandbox allows them; null: it sets no limit."""
    expected_half_width: Amount | None
    """Of the 95 % intervals of ratings; null: it cannot be foreseen, or some bots never meet."""
    seeds: Deals
    """Which matches of a block share a deal, as the file says."""
    seeds_advice: AdviceForm | None
    """Which `seeds` to choose; null where nothing can be chosen or measured."""


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

    tournament: Plan
    folder: Path
    expected: int | None
    """How many matches there will be; None if a rule ends it that cannot be foreseen, so that it may be any number."""
    played: int
    """How many matches have a record already."""
    duration: Duration
    load: Load
    half_width: float | None
    """Expected half width of the 95 % intervals of ratings; None if some bots never meet, or if a rule ends it."""
    advice: Advice | None
    """Which `seeds` to choose."""

    def to_json(self) -> PlanPage:
        """Return it for programs."""
        planned, load = self.tournament, self.load
        return PlanPage(
            setups=to_json(planned.setups, planned.balances()),
            bots=[BotName(bot.bot.name, bot.bot.version) for bot in planned.entrants],
            schedule=planned.design.format,
            blocks=planned.schedule.blocks,
            matches=planned.matches,
            is_exact=planned.is_exact,
            stop=list(map(str, planned.stop)),
            expected_matches=self.expected,
            matches_played=self.played,
            round_blocks=planned.schedule.round_size,
            seconds=round(self.duration.seconds, 1),
            seconds_are="the most" if self.duration.source is None or self.expected is None else "expected",
            seconds_from_matches=self.duration.matches,
            workers=load.workers,
            processes=load.processes,
            bot_processes=load.bots,
            memory_mb=load.memory_mb,
            most_memory_mb=load.limit_mb or None,
            expected_half_width=None if self.half_width is None else round(self.half_width, 3),
            seeds=planned.deals,
            seeds_advice=self.advice.to_json() if self.advice else None,
        )


def forecast(planned: Plan, folder: Path, times: Path | None, workers: int) -> Forecast:
    """Look ahead. Raises FolderError, and LeaderboardError if the folder of `times` has no records of the game."""
    check_same(folder, planned)
    carried, expected = load(planned, workers), _expected(planned)
    most = planned.matches if expected is None else expected
    played = min(len(record_files(folder)), planned.matches)
    lasting = _duration(planned, folder, times, max(0, most - played), carried.workers)
    width = None if planned.stop else _half_width(planned)
    return Forecast(planned, folder, expected, played, lasting, carried, width, advice(planned, times or folder))


def _expected(planned: Plan) -> int | None:
    """Return how many matches there will be; None if that cannot be foreseen."""
    if any(isinstance(rule, Separated) for rule in planned.stop):
        return None
    needed = float(planned.matches)
    for rule in planned.stop:
        if isinstance(rule, Within):
            needed = min(needed, _matches_for(planned, rule.points))
    return ceil(needed)


def _matches_for(planned: Plan, half_width: float) -> float:
    """Return after how many matches the intervals have this half width in every set-up."""
    entrants = len(planned.entrants)
    return max(
        _variance_of_one_match(entrants, setup.seats)
        / variance_for(half_width, _compared(entrants, setup.seats))
        / share
        for share, setup in zip(planned.shares(), planned.setups, strict=True)
    )


def _compared(entrants: int, seats: int) -> int:
    """Return how many bots a result compares: with one seat, all of them on a deal."""
    return entrants if seats == 1 else seats


def _variance_of_one_match(entrants: int, seats: int) -> float:
    """Return the variance of a rating after one match, in units of what a meeting leaves.

    If meetings are spread evenly, that of more matches is this, divided by their number. With one seat, all entrants
    meet on a deal.
    """
    each_pair = 1 / entrants if seats == 1 else comb(seats, 2) / comb(entrants, 2)  # its meetings in a match
    return (entrants - 1) / entrants**2 / each_pair


def _duration(planned: Plan, folder: Path, times: Path | None, matches: int, workers: int) -> Duration:
    """Estimate from the records in `times`, else from those in the output folder, else from the clock."""
    source = times or folder
    found = match_s(planned, source)
    if found is None and times:
        asked = " and ".join(dict.fromkeys(in_words(setup) for setup in planned.setups))
        raise FolderError(f"{times} has no records of {asked}; name the output folder of a tournament that has")
    if found is None:
        return Duration(_in_time(planned, matches * longest_match_s(planned) / workers), None, 0)
    seconds, read = found
    return Duration(_in_time(planned, matches * seconds / workers), source, read)


def _in_time(planned: Plan, seconds: float) -> float:
    """Return these seconds, or those after which the tournament ends at the latest."""
    limit = time_limit(planned.stop)
    return seconds if limit is None else min(seconds, limit)


def _half_width(planned: Plan) -> float | None:
    """Return the half width to expect in the set-up that is known least; None if some bots do not meet there."""
    entrants = len(planned.entrants)
    if entrants < 2:
        return None
    widths = []
    counted = planned.balances() if planned.seats > 1 else ()
    for number, (share, setup) in enumerate(zip(planned.shares(), planned.setups, strict=True)):
        evenly = _variance_of_one_match(entrants, setup.seats) / (planned.matches * share)
        variance = counted[number].rating_variance() if counted else evenly
        widths.append(expected_half_width(variance, _compared(entrants, setup.seats)) if isfinite(variance) else None)
    known = [width for width in widths if width is not None]
    return max(known) if len(known) == len(widths) else None
