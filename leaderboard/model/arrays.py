"""The matches of one ladder as arrays, which fits and tables are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, begins
from ballcourt.leaderboard.model.results import MatchResult, RivalResult, block_name
from ballcourt.leaderboard.model.scale import REACH

Small = NDArray[np.int32]
Flags = NDArray[np.bool_]
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""An odd number near 2^64 divided by the golden ratio, which spreads what it multiplies (Knuth, TAOCP 3, §6.4)."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """The results of players without a bot: the row of their match, the number of their name, place and points."""

    names: list[str]
    match: Integers
    name: Integers
    place: Integers
    score: Floats


@dataclass(frozen=True)
class Columns:
    """Matches as rows, in canonical order if they have one seat; `entrant` to `own` have a column for each seat.

    Matches with equal `deal` had the same deal. Matches of the same entrants with equal `block` are one block.
    """

    entrants: Sequence[BotVersion]
    """In ascending order."""
    owners: Sequence[tuple[str, ...]]
    """Of each entrant, in ascending order; usually one, none if the organiser named none."""
    entrant: Small
    """Indices of `entrants`."""
    place: Small
    score: Floats
    fault: Flags
    vacated: Flags
    own: Floats
    """Shares of the decisions that the bot of the seat chose itself."""
    deal: Integers
    block: Integers
    rivals: Rivals

    @property
    def seats(self) -> int:
        """Seats of each match."""
        return int(self.entrant.shape[1])

    @cached_property
    def tables(self) -> Tables:
        """The tables at which entrants are compared: matches of several seats, and for those of one seat each deal.

        If an entrant played a deal more than once, only its first match counts. Results on one deal are compared by
        the place among the rivals, then by points; vacated seats come last, and equal results are tied.
        """
        return _deals(self) if self.seats == 1 else _matches(self)

    @cached_property
    def counted(self) -> Floats:
        """The points of each seat, of the shape of `score`; nan where nothing can be said of a seat that was lost.

        Its own points are the arena's. It counts as far below the lowest of its table as bets on points reach: `REACH`
        standard deviations of the margin between two seats. So giving up never gains points. Nothing can be said at a
        table where no seat was kept, or if no two seats of any table were.
        """
        vacated, score = self.vacated.ravel(), self.score.ravel()
        table = self.deal if self.seats == 1 else np.repeat(np.arange(len(self.score)), self.seats)
        of, kept = table[~vacated], score[~vacated]
        size = np.bincount(of, minlength=table.max(initial=-1) + 1)
        means = np.bincount(of, kept, size.size) / np.maximum(size, 1)
        free = int(np.maximum(size - 1, 0).sum())
        spread = np.sqrt(2 * ((kept - means[of]) ** 2).sum() / free) if free else np.nan
        lowest = np.full(size.size, np.inf)
        np.minimum.at(lowest, of, kept)
        points = np.where(vacated, lowest[table] - REACH * spread, score)
        return np.asarray(np.where(np.isinf(points), np.nan, points).reshape(self.score.shape), np.float64)


def columns_of(matches: Iterable[MatchResult], entrants: Sequence[BotVersion] | None = None) -> Columns:
    """Return the matches of one ladder, in canonical order; with `entrants`, of all of these.

    The numbers of deals and blocks are those of their first matches.
    """
    played = sorted(matches, key=attrgetter("order"))
    known = sorted({seat.entrant for match in played for seat in match.seats}) if entrants is None else entrants
    number = {entrant: row for row, entrant in enumerate(known)}
    owners: defaultdict[BotVersion, set[str]] = defaultdict(set)
    for seat in (seat for match in played for seat in match.seats if seat.owner):
        owners[seat.entrant].add(seat.owner)
    shape = len(played), len(played[0].seats) if played else 0

    def column(values: Iterable[object], kind: type) -> NDArray[Any]:
        return np.array(list(values), kind).reshape(shape)

    seats = [seat for match in played for seat in match.seats]
    deals: dict[str, int] = {}
    blocks: dict[tuple[str, str], int] = {}
    return Columns(
        entrants=known,
        owners=[tuple(sorted(owners[one])) for one in known],
        entrant=column((number[seat.entrant] for seat in seats), np.int32),
        place=column((seat.placement for seat in seats), np.int32),
        score=column((seat.score for seat in seats), np.float64),
        fault=column((seat.fault for seat in seats), np.bool_),
        vacated=column((seat.vacated for seat in seats), np.bool_),
        own=column((seat.own for seat in seats), np.float64),
        deal=np.array([deals.setdefault(match.deal, len(deals)) for match in played], np.int64),
        block=np.array([blocks.setdefault(block_name(match, match.record), len(blocks)) for match in played], np.int64),
        rivals=rivals_of([(row, rival) for row, match in enumerate(played) for rival in match.rivals]),
    )


def by_owner(columns: Columns) -> Columns:
    """Return the same matches with one entrant for each owner, named after it: all bots that it alone entered.

    More entries of an owner are then no more chances to be first by luck. Bots of several owners or none, and those of
    the ladder itself, stay what they are.
    """
    entered = [
        BotVersion(owners[0], "") if len(owners) == 1 and owners[0] != LADDER_ITSELF else entrant
        for entrant, owners in zip(columns.entrants, columns.owners, strict=True)
    ]
    owners = dict(zip(entered, columns.owners, strict=True))
    known = sorted(owners)
    number = {entrant: row for row, entrant in enumerate(known)}
    rows = np.array([number[entrant] for entrant in entered], np.int32)
    return replace(columns, entrants=known, owners=[owners[one] for one in known], entrant=rows[columns.entrant])


def rivals_of(found: Sequence[tuple[int, RivalResult]]) -> Rivals:
    """Return the results of rivals, given with the rows of their matches."""
    names = sorted({rival.name for _, rival in found})
    number = {name: row for row, name in enumerate(names)}
    return Rivals(
        names,
        np.array([row for row, _ in found], np.int64),
        np.array([number[rival.name] for _, rival in found], np.int64),
        np.array([rival.placement for _, rival in found], np.int64),
        np.array([rival.score for _, rival in found], np.float64),
    )


def informative(tables: Tables) -> Tables:
    """Return the tables that say something about strength: those with at least two different entrants."""
    if not tables.sizes.size:
        return tables
    first = np.repeat(tables.entrant[tables.starts[:-1]], tables.sizes)
    differs = np.logical_or.reduceat(tables.entrant != first, tables.starts[:-1])
    if differs.all():
        return tables
    kept = np.repeat(differs, tables.sizes)
    _, block = np.unique(tables.block[differs], return_inverse=True)
    return replace(
        tables,
        starts=_starts(tables.sizes[differs]),
        entrant=tables.entrant[kept],
        place=tables.place[kept],
        seat=tables.seat[kept],
        block=block,
    )


def block_numbers(columns: Columns) -> Integers:
    """Number the block of each match: matches of the same entrants with the same `block`.

    Numbers count from 0 in the order of the first matches of the blocks, so that what belongs together is close.
    """
    entrants = np.sort(columns.entrant, axis=1)
    entrants[:, 1:][entrants[:, 1:] == entrants[:, :-1]] = -1  # it counts who sat there, not how often
    entrants.sort(axis=1)
    hashed = np.zeros(len(entrants), np.uint64)
    for column in (columns.block, *entrants.T):
        hashed = (hashed ^ column.astype(np.int64).view(np.uint64)) * HASH_FACTOR
        hashed ^= hashed >> np.uint64(29)
    starts = begins(hashed)  # of matches of one block in a row
    _, first, block = np.unique(hashed[starts], return_index=True, return_inverse=True)
    number = np.empty(first.size, np.int64)
    number[np.argsort(first)] = np.arange(first.size)
    return np.asarray(number[block][np.cumsum(starts) - 1], np.int64)


def _matches(columns: Columns) -> Tables:
    count, seats = columns.entrant.shape
    order = np.argsort(columns.place, axis=1, kind="stable")
    return Tables(
        entrants=len(columns.entrants),
        starts=np.arange(count + 1) * seats,
        entrant=np.take_along_axis(columns.entrant, order, axis=1).ravel().astype(np.int64),
        place=np.take_along_axis(columns.place, order, axis=1).ravel().astype(np.int64),
        seat=order.ravel(),
        block=block_numbers(columns),
    )


def _deals(columns: Columns) -> Tables:
    deals, deal = np.unique(columns.deal, return_inverse=True)
    _, first = np.unique(deal * len(columns.entrants) + columns.entrant[:, 0], return_index=True)
    shared = np.bincount(deal[first], minlength=deals.size) > 1
    first = np.sort(first[shared[deal[first]]])
    vacated = columns.vacated[first, 0]
    place, points = np.where(vacated, 0, columns.place[first, 0]), np.where(vacated, 0.0, -columns.score[first, 0])
    order = np.lexsort((points, place, vacated, deal[first]))
    chosen = first[order]
    _, table, sizes = np.unique(deal[chosen], return_inverse=True, return_counts=True)
    starts = _starts(sizes)
    ranks = begins(points[order], place[order], vacated[order], table)
    group = np.flatnonzero(ranks)[np.cumsum(ranks) - 1]
    return Tables(
        entrants=len(columns.entrants),
        starts=starts,
        entrant=columns.entrant[chosen, 0].astype(np.int64),
        place=1 + group - starts[table],
        seat=np.zeros(chosen.size, np.int64),
        block=np.arange(sizes.size),
    )


def _starts(sizes: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
