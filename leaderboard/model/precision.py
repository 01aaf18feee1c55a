"""How precisely results separate strengths: whether that is enough to end a tournament, and what to expect of one.

Each set-up of a tournament has a table of its own, and a rule has to hold in every one of them.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import inf, log, sqrt
from typing import Final

import numpy as np

from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch
from ballcourt.arena.tournament.schedules.stop import Rule, Separated, Within
from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.questions import log_evidence
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA, SIGMA, Z95

Row = tuple[int, int, int]
"""An entrant at a table, its place and its seat."""

MODEL: Final = TrueSkill()
FEWEST_BLOCKS: Final = 6
"""With fewer blocks of an entrant, nothing certain is known about it."""
INFORMATION: Final = 0.48
"""What a meeting of two bots says about their difference, in units of 1 / (2 beta^2): the mean of
phi(x)^2 / (Phi(x) Phi(-x)) over x ~ N(0, 1), which is a field whose strengths have a standard deviation of beta."""


class Precision:
    """Whether results are as precise as any of some rules asks for; called after each round."""

    def __init__(self, rules: Sequence[Rule], entrants: int, gone: Collection[int] = ()) -> None:
        """Entrants who are `gone`, by index, may stay as uncertain as they are."""
        self._rules = rules
        self._entrants = entrants
        self._asked = np.array([entrant for entrant in range(entrants) if entrant not in gone], np.int64)

    def __call__(self, results: Sequence[PlayedBlock]) -> bool:
        """Whether any rule holds."""
        return self.holding(results) is not None

    def holding(self, results: Sequence[PlayedBlock]) -> Rule | None:
        """Return the first rule that holds; None if none does."""
        holding = list(self._rules)
        for _, own in groupby(sorted(results, key=_setup), _setup):
            holding = self._holding_in([*own], holding) if holding else []
        return holding[0] if holding and results else None

    def _holding_in(self, results: Sequence[PlayedBlock], rules: Sequence[Rule]) -> list[Rule]:
        """Return those of the rules that hold in the table of these results."""
        tables = tables_in(results, self._entrants)
        blocks = Blocks(tables)
        if blocks.met[self._asked].min(initial=FEWEST_BLOCKS) < FEWEST_BLOCKS:
            return []
        fit = fit_pairs(tables, MODEL)
        known = covariance(blocks, fit, MODEL)[np.ix_(self._asked, self._asked)]
        return [rule for rule in rules if _holds(rule, fit.skill[self._asked], known)]


def tables_in(results: Sequence[PlayedBlock], entrants: int) -> Tables:
    """Return the tables of blocks that have been played; a block of matches with one seat is one table."""
    rows: list[Row] = []
    sizes, blocks = [], []
    for number, block in enumerate(results):
        for table in _compared(block.matches):
            rows += table
            sizes.append(len(table))
            blocks.append(number)
    entrant, place, seat = np.array(rows, np.int64).reshape(-1, 3).T
    _, numbers = np.unique(blocks, return_inverse=True)  # without those that were skipped
    return Tables(entrants, np.cumsum([0, *sizes]), entrant, place, seat, numbers.astype(np.int64))


def expected_half_width(variance: float, seats: int) -> float:
    """Return by how much a rating may be off in either direction, with 95 % confidence, in rating points.

    `variance` is the mean variance of a rating in units of what one meeting leaves. The bots are taken to differ by as
    much as two performances of one bot do, which is common.
    """
    return Z95 / sqrt(_known(seats) / variance + SIGMA**-2)


def variance_for(half_width: float, seats: int) -> float:
    """Return the variance for which `expected_half_width` is this; infinity if nothing has to be played for it."""
    needed = (Z95 / half_width) ** 2 - SIGMA**-2
    return _known(seats) / needed if needed > 0 else inf


def _known(seats: int) -> float:
    """Return what one meeting at a table says about the difference of two bots: the inverse of a squared error."""
    weight = 2 / seats  # of a pair in the pairs model: `ballcourt docs ratings` derives it
    return weight * INFORMATION / (2 * BETA**2)


def _compared(matches: Sequence[PlayedMatch]) -> Iterator[list[Row]]:
    """Yield the rows of each table, the best first."""
    if matches and len(matches[0].table) == 1:
        yield _of_one_deal(matches)
        return
    for match in matches:
        order = sorted((outcome.placement, seat) for seat, outcome in enumerate(match.outcomes))
        yield [(match.table[seat], placement, seat) for placement, seat in order]


def _of_one_deal(matches: Sequence[PlayedMatch]) -> list[Row]:
    """Compare what entrants achieved alone: their places among the rivals, then their points; seats lost come last."""
    ends = {match.table[0]: match.outcomes[0] for match in matches}
    keys = {one: (True, 0, 0.0) if end.vacated else (False, end.placement, -end.score) for one, end in ends.items()}
    order = sorted(keys, key=keys.__getitem__)
    return [(one, 1 + sum(keys[other] < keys[one] for other in order), 0) for one in order]


def _setup(played: PlayedBlock) -> int:
    return played.block.setup


def _holds(rule: Rule, rating: Floats, known: Floats) -> bool:
    if isinstance(rule, Within):
        return bool(Z95 * np.sqrt(np.diag(known).max()) <= rule.points)
    return isinstance(rule, Separated) and _are_separated(rule, rating, known)


def _are_separated(rule: Separated, rating: Floats, known: Floats) -> bool:
    """Whether each of the first ranks is ahead of all behind it; every rank takes an equal part of the risk.

    Of two that are equally strong either may be found ahead, so each direction gets half of the risk.
    """
    needed = log(2 * rule.top / (1 - rule.level))
    order = np.argsort(-rating, kind="stable")
    return all(
        bool((log_evidence(rating, known, int(order[rank]), order[rank + 1 :]) >= needed).all())
        for rank in range(min(rule.top, len(order)))
    )
