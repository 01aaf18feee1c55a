"""The plain columns of a table: sums over the matches of each entrant, without any model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ballcourt.leaderboard.model.arrays import Columns, Small
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables


@dataclass(frozen=True, slots=True)
class Plain:
    """By entrant; not a number (nan) where there is nothing to take the mean of. See `standings.Standing`."""

    matches: Integers
    beaten: Floats
    wins: Floats
    score: Floats
    faults: Integers
    own: Floats
    rivals: Floats
    """By entrant and rival."""


def plain(columns: Columns) -> Plain:
    """Sum up the matches of each entrant."""
    count = len(columns.entrants)
    tables, entrant = columns.tables, columns.entrant.ravel()
    points = columns.counted.ravel()
    counts = ~np.isnan(points)
    return Plain(
        matches=np.bincount(entrant, minlength=count),
        beaten=_mean(tables.entrant, _beaten(tables), count),
        wins=_mean(entrant, _won(columns).ravel(), count),
        score=_mean(entrant[counts], points[counts], count),
        faults=np.bincount(entrant[columns.fault.ravel()], minlength=count),
        own=_mean(entrant, columns.own.ravel(), count),
        rivals=_of_rivals(columns),
    )


def _mean(group: Integers | Small, values: Floats, groups: int) -> Floats:
    """Return the mean of the values of each group."""
    size = np.bincount(group, minlength=groups)
    mean: Floats = np.divide(np.bincount(group, values, groups), size, out=np.full(groups, np.nan), where=size > 0)
    return mean


def _beaten(tables: Tables) -> Floats:
    """Return the share of the others at its table that each seat was placed above, a tie counting half."""
    begins = np.diff(tables.place, prepend=0) != 0
    begins[tables.starts[:-1]] = True  # of seats that share a place
    first = np.flatnonzero(begins)
    level = np.diff(np.append(first, begins.size))
    share: Floats = np.repeat(first + (level - 1) / 2, level)  # where those are who share the place, on average
    np.subtract(np.repeat(tables.starts[1:] - 1.0, tables.sizes), share, out=share)
    share /= np.repeat(tables.sizes - 1.0, tables.sizes)
    return share


def _won(columns: Columns) -> Floats:
    """Return by match and seat what each has of the first place, against rivals too; a shared one is divided."""
    first = columns.place == 1
    rivals = np.bincount(columns.rivals.match[columns.rivals.place == 1], minlength=len(first))
    winners = np.maximum(first.sum(axis=1) + rivals, 1)
    return np.asarray(first / winners[:, None], np.float64)


def _of_rivals(columns: Columns) -> Floats:
    """Return by entrant and rival the mean points of the rival in their matches."""
    rivals, count = columns.rivals, len(columns.rivals.names)
    cells = columns.entrant[rivals.match].astype(np.int64) * count + rivals.name[:, None]
    points = np.broadcast_to(rivals.score[:, None], cells.shape)
    return _mean(cells.ravel(), points.ravel(), len(columns.entrants) * count).reshape(len(columns.entrants), count)
