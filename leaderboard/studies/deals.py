"""What it costs or saves that all rotations of a table play the same deal, measured from blocks that did.

A deal that suits a seat is met by every entrant of the block, and cancels; one that suits an entrant is met again and
again, and adds up. So the sum of what an entrant achieved in a block, beyond what ratings and seats let expect, varies
less or more than with a fresh deal in each match; by this factor fewer or more matches are as good.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock
from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.expectation import beyond_expectation
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.precision import MODEL, tables_in
from ballcourt.leaderboard.model.scale import Z95

FEWEST_BLOCKS: Final = 30
"""Fewer blocks are not enough for an estimate."""


@dataclass(frozen=True, slots=True)
class SharedDeals:
    """How many matches shared deals need, as a multiple of those with fresh deals, and its standard error."""

    factor: float
    error: float
    blocks: int

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of the factor."""
        return max(0.0, self.factor - Z95 * self.error), self.factor + Z95 * self.error

    @property
    def recommended(self) -> Deals:
        """Shared deals if they are known to save matches; else fresh ones, which no bot can remember."""
        return Deals.BLOCK if self.interval[1] < 1 else Deals.MATCH


def shared_deals(tables: Iterable[tuple[Sequence[PlayedBlock], int]]) -> SharedDeals | None:
    """Measure from the blocks of each table of ratings and its number of entrants; None if there are too few.

    The rotations of each block played one deal.
    """
    parts = [_variation(tables_in(results, entrants)) for results, entrants in tables if results]
    if sum(len(of_sums) for of_sums, _ in parts) < FEWEST_BLOCKS:
        return None
    of_sums, of_matches = (np.concatenate(of) for of in zip(*parts, strict=True))
    factor = float(of_sums.sum() / of_matches.sum())
    errors = (of_sums - factor * of_matches) / of_matches.mean()  # of a ratio of means
    return SharedDeals(factor, float(errors.std(ddof=1)) / sqrt(len(errors)), len(errors))


def _variation(tables: Tables) -> tuple[Floats, Floats]:
    """Return by block the squares of what entrants achieved beyond expectation: of their sums, and of each match."""
    beyond = beyond_expectation(tables, fit_pairs(tables, MODEL))
    owner = np.repeat(tables.block, tables.sizes)
    sums = np.zeros((tables.blocks, tables.entrants))
    np.add.at(sums, (owner, tables.entrant), beyond)
    return (sums**2).sum(axis=1), np.asarray(np.bincount(owner, beyond**2, tables.blocks), np.float64)
