"""What pages say about ladders and bots, computed from all matches of a database at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from ballcourt.leaderboard.model.arrays import Columns, informative
from ballcourt.leaderboard.model.estimates import MODEL, estimate_of
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.model.fit.questions import placed_above
from ballcourt.leaderboard.model.fit.shares import Shares, by_opponent
from ballcourt.leaderboard.model.results import Entrant, Ladder
from ballcourt.leaderboard.model.standings import Board, marked
from ballcourt.leaderboard.pages.addresses import bot_id, ladder_id
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.snapshot import boards_of, encoded, version
from ballcourt.leaderboard.store.tallies import Tally
from ballcourt.leaderboard.studies.seats import seat_results_of

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_CHECKPOINTS: Final = 20
CELLS: Final = 30
"""How many bots a page of the matrix compares with how many others."""

Answer = tuple[str, Any]
Rated = Mapping[Ladder, tuple[Columns, Board]]
"""By ladder its matches and its table."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The field of a ladder after its first matches: by entrant the rating, its standard error and the rank."""

    matches: int
    ratings: dict[Entrant, tuple[float, float, int]]


class Summaries:
    """Makes the answers for pages. It caches what new matches do not change."""

    def __init__(self) -> None:
        self._moments: dict[tuple[int, int], Moment] = {}
        self._version: object = None
        self._boards: Mapping[Ladder, Board] = {}

    def tables(self, database: Database, statuses: Mapping[Entrant, str]) -> tuple[list[Answer], Rated]:
        """Return the answers about ladders and bots as they are now, and what `histories` needs."""
        (_, kept), contents, counted = version(database), database.contents(), database.tallies()
        if (contents.digest, kept) != self._version:
            self._version, self._boards = (contents.digest, kept), boards_of(database, contents)
        answers: list[Answer] = []
        ladders: list[Any] = []
        bots: dict[str, list[str]] = {}
        for ladder, columns in contents.ladders.items():
            board = marked(self._boards[ladder], statuses)
            answers += _of_ladder(ladder, columns, board, counted.get(ladder, {}))
            bots |= {bot_id(one): [one.name, one.version, one.content_hash] for one in columns.entrants}
            ladders.append(
                {
                    "id": ladder_id(ladder),
                    "ladder": _plain(ladder),
                    "matches": len(columns.deal),
                    "bots": len(board.rows),
                }
            )
        answers.append(("overview", {"ladders": ladders, "bots": len(bots)}))
        rated = {ladder: (columns, self._boards[ladder]) for ladder, columns in contents.ladders.items()}
        return [*answers, *((f"bot {name}", bot) for name, bot in bots.items())], rated

    def histories(self, rated: Rated) -> Iterator[Answer]:
        """Yield the ratings of each bot over the matches of a ladder, as if its table had been made then."""
        known, self._moments = self._moments, {}
        for ladder, (columns, board) in rated.items():
            moments = []
            for end in checkpoints(len(columns.deal)):
                first = _first(columns, end)
                key = end, _hash(first)
                is_last = end == len(columns.deal)
                self._moments[key] = known.get(key) or (_last_moment(end, board) if is_last else _moment(first))
                moments.append(self._moments[key])
            name, trends = ladder_id(ladder), {}
            for entrant in columns.entrants:
                points = [[one.matches, *one.ratings[entrant]] for one in moments if entrant in one.ratings]
                trends[bot_id(entrant)] = [rating for _, rating, *_ in points]
                yield f"history {name} {bot_id(entrant)}", points
            yield f"trends {name}", trends


def checkpoints(matches: int) -> list[int]:
    """Return after how many matches a field is rated for its history: steps of a power of two, and the end.

    Adding matches does not move the steps until there are too many of them.
    """
    step = 1
    while matches > MOST_CHECKPOINTS * step:
        step *= 2
    return sorted({*range(step, matches + 1, step), matches} - {0})


def _of_ladder(ladder: Ladder, columns: Columns, board: Board, counted: Mapping[Entrant, Tally]) -> Iterator[Answer]:
    name = ladder_id(ladder)
    yield f"board {name}", encoded({ladder: board})
    yield (
        f"seats {name}",
        {
            "effects": [asdict(one) | {"low": one.low, "high": one.high} for one in seat_results_of(columns)],
            "scores": [_spread(columns.score[~columns.vacated[:, seat], seat]) for seat in range(columns.seats)],
        },
    )
    yield f"counts {name}", {bot_id(one): _counts(tally) for one, tally in counted.items()}
    found = by_opponent(informative(columns.tables))
    ratings = np.array([row.rating for row in board.rows])
    ranked = [row.entrant for row in board.rows]
    number = {entrant: index for index, entrant in enumerate(columns.entrants)}
    order = np.array([number[entrant] for entrant in ranked])
    names = [*map(bot_id, ranked)]
    for page, first in enumerate(range(0, len(order), CELLS), start=1):
        yield f"matrix {name} {page}", _above(found, order[first : first + CELLS], order)
    for rank, entrant in enumerate(ranked):
        yield (
            f"bot {name} {bot_id(entrant)}",
            {
                "rank": rank,
                "tally": asdict(counted.get(entrant, Tally())),
                "opponents": _opponents(names, found, number[entrant] * len(order) + order, ratings[rank] - ratings),
            },
        )


def _counts(tally: Tally) -> list[float | None]:
    """Return mean placement, mean points, lost seats and matches with tolerated faults."""
    return [tally.mean_place, tally.mean_points, tally.lost, tally.tolerated]


def _above(found: Shares, some: Integers, others: Integers) -> list[list[float | None]]:
    """Return in which share of their meetings each of some bots was placed above each other; None without any."""
    cells = some[:, None] * len(others) + others
    known = found.share[cells].round(4).astype(object)
    known[found.count[cells] == 0] = None
    shares: list[list[float | None]] = known.tolist()
    return shares


def _opponents(names: Sequence[str], found: Shares, cells: Integers, leads: Floats) -> list[list[Any]]:
    """Return for each opponent that was met: its id, meetings, share, low, high, predicted share."""
    opponents: list[list[Any]] = []
    for index in np.flatnonzero(found.count[cells]).tolist():
        cell = cells[index]
        shares = (found.share[cell], found.low[cell], found.high[cell], placed_above(float(leads[index]), MODEL))
        opponents.append([names[index], int(found.count[cell]), *(round(float(one), 4) for one in shares)])
    return opponents


def _spread(scores: Floats) -> list[float]:
    """Return quantiles and the mean of points; an empty list without any."""
    return [*np.quantile(scores, QUANTILES).tolist(), float(scores.mean())] if scores.size else []


def _moment(columns: Columns) -> Moment:
    field = estimate_of(columns).estimates
    ratings = {one.entrant: _rounded(one.rating, one.error, rank) for rank, one in enumerate(field, start=1)}
    return Moment(len(columns.deal), ratings)


def _last_moment(matches: int, board: Board) -> Moment:
    return Moment(matches, {row.entrant: _rounded(row.rating, row.sigma, row.rank) for row in board.rows})


def _rounded(rating: float, error: float, rank: int) -> tuple[float, float, int]:
    return round(rating, 3), round(error, 3), rank


def _first(columns: Columns, count: int) -> Columns:
    """Return the first matches and the entrants that play in them; enough for an estimate."""
    present, entrant = np.unique(columns.entrant[:count], return_inverse=True)
    rivals = columns.rivals
    kept = rivals.match < count
    return replace(
        columns,
        entrants=[columns.entrants[index] for index in present.tolist()],
        owners=[columns.owners[index] for index in present.tolist()],
        entrant=entrant.reshape(-1, columns.seats).astype(np.int32),
        place=columns.place[:count],
        score=columns.score[:count],
        fault=columns.fault[:count],
        vacated=columns.vacated[:count],
        deal=columns.deal[:count],
        block=columns.block[:count],
        rivals=replace(
            rivals, match=rivals.match[kept], name=rivals.name[kept], place=rivals.place[kept], score=rivals.score[kept]
        ),
    )


def _hash(columns: Columns) -> int:
    arrays = (columns.entrant, columns.place, columns.score, columns.vacated, columns.deal, columns.block)
    rivals = (columns.rivals.match, columns.rivals.place, columns.rivals.score)
    return hash((tuple(columns.entrants), *(one.tobytes() for one in (*arrays, *rivals))))


def _plain(ladder: Ladder) -> list[Any]:
    return [ladder.game, ladder.rules_version, ladder.seats, [*map(list, ladder.options)]]
