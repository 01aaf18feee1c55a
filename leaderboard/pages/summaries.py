"""What pages say about ladders and bots, computed from all matches of a database at once.

A summary never changes. Another process makes each one, and the server shows it until it gets the next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

import numpy as np

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.leaderboard.model.arrays import Columns, informative
from ballcourt.leaderboard.model.certainty import Beginning
from ballcourt.leaderboard.model.estimates import MODEL, estimate_of
from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.fit.questions import placed_above
from ballcourt.leaderboard.model.fit.shares import Shares, by_opponent
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.model.standings import Board, Standing, beginning_of, marked
from ballcourt.leaderboard.pages.happening import Happening
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.snapshot import boards_of
from ballcourt.leaderboard.store.tallies import Tally
from ballcourt.leaderboard.studies.head_to_head import Meeting, share_of
from ballcourt.leaderboard.studies.seats import SeatEffect, seat_results_of

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_CHECKPOINTS: Final = 20
BY_MATCH: Final = ("place", "score", "fault", "vacated", "own", "deal", "block")
"""The columns that the first matches of a ladder have as all have them."""

Moment = Mapping[BotVersion, "Point"]
"""The field of a ladder after its first matches."""
Rated = Mapping[str, tuple[Columns, Board, Beginning]]
"""By the id of a ladder its matches, its table, and with what its ratings begin."""


@lru_cache(maxsize=8192)
def bot_id(entrant: BotVersion) -> str:
    """Return the id of a bot version in addresses: a hash, since names may contain anything."""
    return _address(entrant.name, entrant.version, entrant.content_hash)


def ladder_id(ladder: Ladder) -> str:
    """Return the id of a ladder in addresses."""
    options = (word for option in ladder.options for word in option)
    return _address(ladder.game, ladder.rules_version, str(ladder.seats), *options, *filter(None, [ladder.after]))


def _address(*words: str) -> str:
    return sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:16]


class Point(NamedTuple):
    """A bot after the first matches of its ladder."""

    matches: int
    rating: float
    sigma: float
    rank: int


@dataclass(frozen=True, slots=True)
class LadderSummary:
    """What pages say about a ladder."""

    id: str
    ladder: Ladder
    matches: int
    board: Board
    rows: Mapping[str, int]
    """The row of each bot in the table, by its id."""
    tallies: Mapping[BotVersion, Tally]
    effects: Sequence[SeatEffect]
    scores: Sequence[Sequence[float]]
    """By seat the quantiles and the mean of points; empty without any."""
    shares: Shares
    """How often each bot was placed above each other one: row by row, in the order of the table."""
    histories: Mapping[str, Sequence[Point]] = field(default_factory=dict)
    """The course of each bot, by its id; empty until it has been computed."""

    @property
    def bots(self) -> int:
        """How many bots have played."""
        return len(self.board.rows)

    def standing(self, bot: str) -> Standing | None:
        """Return the row of a bot by its id; None if it has not played here."""
        return self.board.rows[self.rows[bot]] if bot in self.rows else None

    def tally(self, bot: BotVersion) -> Tally:
        """Return what was counted for a bot."""
        return self.tallies.get(bot) or Tally()

    def opponents(self, bot: str, most: int) -> tuple[list[tuple[Standing, Meeting]], int]:
        """Return the opponents that a bot met most often, by rank, and how many more there are."""
        row = self.rows[bot]
        counts = self.shares.count[row * self.bots : (row + 1) * self.bots]
        met = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
        shown = sorted(met[:most].tolist())
        return [(self.board.rows[other], self._meeting(row, other)) for other in shown], len(met) - len(shown)

    def meeting(self, bot: str, rival: str) -> Meeting | None:
        """Return how two bots, named by their ids, fared against each other; None if they have not met."""
        if bot not in self.rows or rival not in self.rows:
            return None
        found = self._meeting(self.rows[bot], self.rows[rival])
        return found if found.share.meetings else None

    def _meeting(self, row: int, other: int) -> Meeting:
        one, rival = self.board.rows[row], self.board.rows[other]
        share = share_of(self.shares, row * self.bots + other)
        return Meeting(one.entrant, rival.entrant, share, placed_above(one.rating - rival.rating, MODEL))

    def placed_above(self, some: slice, others: slice) -> list[list[float | None]]:
        """Return in which share of their meetings each of some rows was above each of others; None without any."""
        square = (self.bots, self.bots)
        shares = self.shares.share.reshape(square)[some, others].round(4).astype(object)
        shares[self.shares.count.reshape(square)[some, others] == 0] = None
        found: list[list[float | None]] = shares.tolist()
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """All that pages show besides matches."""

    version: str = ""
    """Differs after every change of what pages show."""
    at: str = ""
    """When it was made; empty before the first."""
    trouble: str = ""
    """Why there is no newer one; empty if there is."""
    ladders: Mapping[str, LadderSummary] = field(default_factory=dict)
    """By their ids, in canonical order."""
    tournament: Mapping[str, Any] | None = None
    """See `tournament.about`."""
    placing: PlacingPage | None = None
    """Who is where by the rules of the tournament's format; None if ratings decide."""
    news: Sequence[Happening] = ()
    """What happened, the newest first."""
    last: MatchResult | None = None
    """The newest match."""

    def boards(self) -> dict[Ladder, Board]:
        """Return all tables."""
        return {one.ladder: one.board for one in self.ladders.values()}


def renamed(summary: Summary, rename: Callable[[BotVersion], BotVersion], version: str, why: str) -> Summary:
    """Return the tables of a summary with other names for the bots, and nothing else that names any of them.

    Owners, statuses, cautions, news and what is known of the tournament are left out. `version` is that of the new
    summary; the sentence `why` stands below its tables.
    """
    how = "cannot be made now; the organiser sees why" if summary.at else "are being made; the organiser sees how far"
    trouble = summary.trouble and f"they {how}"
    ladders = {name: _renamed(one, rename, why) for name, one in summary.ladders.items()}
    return Summary(version, summary.at, trouble, ladders)


def _renamed(info: LadderSummary, rename: Callable[[BotVersion], BotVersion], why: str) -> LadderSummary:
    names = {row.entrant: rename(row.entrant) for row in info.board.rows}
    ids = {bot_id(bot): bot_id(name) for bot, name in names.items()}
    rows = [_standing(row, names[row.entrant]) for row in info.board.rows]
    cycles = info.board.cycles
    if cycles:
        cycles = replace(cycles, mix=tuple((names[bot], share) for bot, share in cycles.mix))
    unplayed = sorted((rename(bot), "") for bot, _ in info.board.unplayed)
    return replace(
        info,
        board=Board(rows, cycles, info.board.groups, unplayed, (why,)),
        rows={ids[bot]: row for bot, row in info.rows.items()},
        tallies={names[bot]: tally for bot, tally in info.tallies.items() if bot in names},
        histories={ids[bot]: points for bot, points in info.histories.items() if bot in ids},
    )


def _standing(row: Standing, name: BotVersion) -> Standing:
    estimate = row.estimate and replace(row.estimate, entrant=name)
    return replace(row, entrant=name, status="", owners=(), estimate=estimate)


class Summaries:
    """Makes summaries. It caches what new matches do not change."""

    def __init__(self) -> None:
        self._moments: dict[tuple[int, int], Moment] = {}

    def tables(
        self, database: Database, entrants: Mapping[BotVersion, str], report: Callable[[str], None] = lambda _: None
    ) -> tuple[list[LadderSummary], Rated]:
        """Return what is known of each ladder now, and what `histories` needs; `report` gets how far that is."""
        report("the matches are being read from the database")
        (found, _), counted = database.contents(), database.tallies()
        matches = sum(len(columns.deal) for columns in found.values())
        report(f"all {matches} matches have been read, and the tables are being made")
        boards = boards_of(database, found)
        summaries = [
            _summary(ladder, columns, marked(boards[ladder], entrants), counted.get(ladder, {}))
            for ladder, columns in found.items()
        ]
        rated = {ladder_id(one): (columns, boards[one], beginning_of(one, boards)) for one, columns in found.items()}
        return summaries, rated

    def histories(self, rated: Rated) -> dict[str, dict[str, list[Point]]]:
        """Return by ladder and bot its ratings over the matches of the ladder, as if its table had been made then."""
        known, self._moments = self._moments, {}
        found: dict[str, dict[str, list[Point]]] = {}
        for name, (columns, board, before) in rated.items():
            moments = []
            for end in checkpoints(len(columns.deal)):
                first = _first(columns, end)
                key = end, _hash(first)
                is_last = end == len(columns.deal)
                self._moments[key] = known.get(key) or (_last_moment(end, board) if is_last else _moment(first, before))
                moments.append(self._moments[key])
            found[name] = {
                bot_id(entrant): [one[entrant] for one in moments if entrant in one] for entrant in columns.entrants
            }
        return found


def checkpoints(matches: int) -> list[int]:
    """Return after how many matches a field is rated for its history: steps of a power of two, and the end.

    Adding matches does not move the steps until there are too many of them.
    """
    step = 1
    while matches > MOST_CHECKPOINTS * step:
        step *= 2
    return sorted({*range(step, matches + 1, step), matches} - {0})


def _summary(ladder: Ladder, columns: Columns, board: Board, tallies: Mapping[BotVersion, Tally]) -> LadderSummary:
    number = {entrant: index for index, entrant in enumerate(columns.entrants)}
    order = np.array([number[row.entrant] for row in board.rows])
    found, cells = by_opponent(informative(columns.tables)), (order[:, None] * len(order) + order).ravel()
    return LadderSummary(
        id=ladder_id(ladder),
        ladder=ladder,
        matches=len(columns.deal),
        board=board,
        rows={bot_id(row.entrant): index for index, row in enumerate(board.rows)},
        tallies=tallies,
        effects=seat_results_of(columns),
        scores=[_spread(columns.score[~columns.vacated[:, seat], seat]) for seat in range(columns.seats)],
        shares=Shares(found.count[cells], found.blocks[cells], found.share[cells], found.low[cells], found.high[cells]),
    )


def _spread(scores: Floats) -> list[float]:
    """Return quantiles and the mean of points; an empty list without any."""
    return [*np.quantile(scores, QUANTILES).tolist(), float(scores.mean())] if scores.size else []


def _moment(columns: Columns, before: Beginning) -> Moment:
    matches, field = len(columns.deal), estimate_of(columns, before=before).estimates
    ranked = enumerate(field, start=1)
    return {one.entrant: _point(matches, one.rating, one.error, rank) for rank, one in ranked}


def _last_moment(matches: int, board: Board) -> Moment:
    return {row.entrant: _point(matches, row.rating, row.sigma, row.rank) for row in board.rows}


def _point(matches: int, rating: float, error: float, rank: int) -> Point:
    return Point(matches, round(rating, 3), round(error, 3), rank)


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
        rivals=replace(rivals, **{name: getattr(rivals, name)[kept] for name in ("match", "name", "place", "score")}),
        **{name: getattr(columns, name)[:count] for name in BY_MATCH},
    )


def _hash(columns: Columns) -> int:
    arrays = (columns.entrant, columns.place, columns.score, columns.vacated, columns.deal, columns.block)
    rivals = (columns.rivals.match, columns.rivals.place, columns.rivals.score)
    return hash((tuple(columns.entrants), *(one.tobytes() for one in (*arrays, *rivals))))
