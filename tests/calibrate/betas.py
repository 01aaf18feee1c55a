"""How well the model foresees matches that it has not seen, by how far performances spread."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from ballcourt.cli.results import read
from ballcourt.leaderboard.model.estimates import tables_of
from ballcourt.leaderboard.model.fit.arrays import pairs_of
from ballcourt.leaderboard.model.fit.pairs import compared, fit_pairs
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.results import Ladder, MatchResult, block_name
from ballcourt.leaderboard.model.scale import BETA
from ballcourt.leaderboard.model.standings import by_ladder

SPREADS = (0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0)
"""Of a performance, in units of the usual `beta`; strengths keep their prior."""
PARTS = 5
"""In how many parts blocks are split, of which each is foreseen from the others."""


def foreseen(folder: Path) -> Iterator[tuple[Ladder, int, list[float]]]:
    """Yield for each table of a tournament its matches, and the mean log-likelihood of a pair by spread, in nats."""
    for ladder, matches in by_ladder(read(str(folder))).items():
        yield ladder, len(matches), [_likelihood(matches, TrueSkill(beta=BETA * spread)) for spread in SPREADS]


def _likelihood(matches: Sequence[MatchResult], model: TrueSkill) -> float:
    entrants = sorted({seat.entrant for match in matches for seat in match.seats})
    number = {block: row for row, block in enumerate(sorted({block_name(match, match.record) for match in matches}))}
    found = []
    for part in range(PARTS):
        here = [number[block_name(match, match.record)] % PARTS == part for match in matches]
        known = [match for match, held_out in zip(matches, here, strict=True) if not held_out]
        fit = fit_pairs(tables_of(known, entrants), model)
        tables = tables_of((match for match, held_out in zip(matches, here, strict=True) if held_out), entrants)
        for pairs in pairs_of(tables):
            data = compared(tables, pairs)
            lead = fit.skill[data.above] + fit.seat[data.seat_above] - fit.skill[data.below] - fit.seat[data.seat_below]
            above, not_below = (ndtr((lead + side * fit.margin) / model.spread) for side in (-1, 1))
            found.append(np.log(np.where(data.tied, not_below - above, above)))
    return float(np.concatenate(found).mean())
