"""Leagues whose results are drawn from known strengths, so that nothing is started.

The strengths are the expected order statistics of a
normal distribution whose standard deviation is that of a bot's performances.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from scipy.stats import kendalltau

from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Design,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    PlayedMatch,
    Schedule,
    SeatOutcome,
    keyed_seatings,
)
from ballcourt.arena.tournament.schedules.sequential import Sequential
from ballcourt.arena.tournament.schedules.stop import Separated
from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.precision import MODEL, Precision, tables_in
from ballcourt.leaderboard.model.scale import BETA

SEATS = 4


class League:
    """Entrants of known strength who play whatever a schedule asks for."""

    def __init__(self, entrants: int, seed: int, luck: float = 0.0, *, tie: bool = False) -> None:
        """`luck` is the share of the variance that a block's matches have in common; with `tie` two are the best."""
        self._chance = np.random.default_rng([seed, entrants])
        scores = [NormalDist().inv_cdf((rank + 0.625) / (entrants + 0.25)) for rank in range(entrants)]
        if tie:
            scores[-2] = scores[-1]
        self.strengths: Floats = BETA * self._chance.permutation(np.array(scores))
        self._luck = luck

    def played(self, schedule: Schedule) -> list[PlayedBlock]:
        """Play a schedule to its end."""
        results: list[PlayedBlock] = []
        while stage := list(schedule.stage(results)):
            results += self.results(stage)
        return results

    def order(self, results: Sequence[PlayedBlock]) -> Floats:
        """Return what results say about the strengths."""
        return fit_pairs(tables_in(results, len(self.strengths)), MODEL).skill

    def results(self, blocks: Sequence[Block]) -> Iterator[PlayedBlock]:
        """Yield the results of blocks."""
        tables = np.array([block.tables for block in blocks])
        shared = self._chance.normal(0, BETA * sqrt(self._luck), (len(blocks), 1, len(self.strengths)))
        suits = np.take_along_axis(np.broadcast_to(shared, (*tables.shape[:2], shared.shape[2])), tables, axis=2)
        noise = self._chance.normal(0, BETA * sqrt(1 - self._luck), tables.shape)
        places = 1 + np.argsort(np.argsort(-(self.strengths[tables] + suits + noise), axis=2), axis=2)
        for block, placed in zip(blocks, places.tolist(), strict=True):
            yield PlayedBlock(block, tuple(map(_match, keyed_seatings(block), placed)))


@dataclass(frozen=True, slots=True)
class Found:
    """How a league ended: after how many matches, whether the best was separated, and whether that is the best."""

    matches: int
    separated: bool
    right: bool


def until_separated(format: str, league: League, most: int) -> Found:
    """Play until the best is separated at 95 %, looking after every round."""
    entrants = len(league.strengths)
    is_over = Precision([Separated(1, 0.95)], entrants)
    results = league.played(Sequential(schedule(format, entrants, most), is_over))
    right = int(np.argmax(league.order(results))) == int(np.argmax(league.strengths))  # of two best, the first
    matches = len(results) * SEATS
    return Found(matches, matches < most, right)


def order_after(format: str, league: League, matches: int) -> float:
    """Return Kendall's tau between the order by rating and the true one after this number of matches."""
    results = league.played(schedule(format, len(league.strengths), matches))
    return float(kendalltau(league.order(results), league.strengths).statistic)


def schedule(format: str, entrants: int, matches: int) -> Schedule:
    """Return the schedule of a format."""
    return schedule_of(Design(format, Length("matches", matches), FormatOptions()), Field(entrants, SEATS))


def _match(seating: tuple[str, tuple[int, ...]], places: list[int]) -> PlayedMatch:
    key, table = seating
    return PlayedMatch(key, table, tuple(SeatOutcome(place, 0.0, fault=False) for place in places))
