"""The standings of a ladder: one row per entrant, computed from the results alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.certainty import Beginning, ByPoints, CyclicShare, Estimate
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.model.scale import Estimated

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.arrays import Columns
    from ballcourt.leaderboard.model.ratings import Ratings


@dataclass(frozen=True, slots=True)
class Standing(Estimated):
    """One row. Ratings and their errors are in rating points; `beaten` and `wins` are shares from 0 to 1."""

    rank: int
    entrant: BotVersion
    rating: float
    sigma: float
    """Standard error of the rating."""
    matches: int
    beaten: float | None
    """Mean share of opponents placed lower; a tie counts half. None without opponents. In matches of one seat, the
    opponents are the entrants that played the same deal."""
    wins: float
    """Share of matches won, against rivals too; a shared first place is divided."""
    score: float | None
    """Mean points in the game's own measure. A lost seat, whose points are the arena's, counts below all others of its
    table: see `Columns.counted`. None without any."""
    faults: int
    """Number of matches with a fault of the bot, tolerated or not: a crash, timeout, illegal action and so on."""
    rivals: Mapping[str, float]
    """Mean points of each rival (a player without a bot) that it met, by name."""
    own: float = 1.0
    """Mean share of its decisions in a match that the bot chose itself; in the others it fell back, as it says."""
    status: str = ""
    """Whether the tournament makes it sit out: "disqualified", "on probation", or nothing."""
    owners: tuple[str, ...] = ()
    """Who entered it, in ascending order; usually one, none if the organiser named none."""
    estimate: Estimate | None = None
    """What else the fit says; None for the provisional ratings of a running tournament."""
    by_points: ByPoints | None = None
    """The same question asked of points; None for provisional ratings, and where there are too few blocks."""


@dataclass(frozen=True, slots=True)
class Board:
    """The published table of a ladder, and what is known of cycles and of groups among its entrants."""

    rows: list[Standing]
    cycles: CyclicShare | None = None
    groups: int = 1
    """In how many groups the entrants are that no chain of matches connects; between groups only the prior compares."""
    unplayed: list[tuple[BotVersion, str]] = field(default_factory=list)
    """The entrants of a tournament that have no match here, each with its status."""
    cautions: tuple[str, ...] = ()
    """Sentences about what of these ratings is less certain than it looks."""


def by_ladder(matches: Iterable[MatchResult]) -> dict[Ladder, list[MatchResult]]:
    """Group matches by ladder; ladders and matches are in canonical order."""
    ladders: defaultdict[Ladder, list[MatchResult]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.order):
        ladders[match.ladder].append(match)
    return dict(sorted(ladders.items()))


def boards(
    matches: Mapping[Ladder, Iterable[MatchResult]], anchors: Collection[str] | None = None, *, owners: bool = False
) -> dict[Ladder, Board]:
    """Fit the results of several ladders, see `fitted`."""
    from ballcourt.leaderboard.model.arrays import columns_of

    return fitted({ladder: columns_of(played) for ladder, played in matches.items()}, anchors, owners=owners)


def fitted(
    ladders: Mapping[Ladder, Columns], anchors: Collection[str] | None = None, *, owners: bool = False
) -> dict[Ladder, Board]:
    """Fit several ladders, see `board_of`; one that went on under other rules begins with the ratings before.

    With `owners`, all bots of an owner are one entrant, see `arrays.by_owner`.
    """
    if owners:
        from ballcourt.leaderboard.model.arrays import by_owner

        ladders = {ladder: by_owner(columns) for ladder, columns in ladders.items()}
    boards: dict[Ladder, Board] = {}
    due = [*ladders]
    while due:  # what begins with a table that is not there yet comes later, unless they are in a circle
        ready = [one for one in due if not any(one.after and one.is_next(other) for other in due)] or due[:1]
        boards |= {one: board_of(ladders[one], anchors, beginning_of(one, boards)) for one in ready}
        due = [one for one in due if one not in ready]
    return {ladder: boards[ladder] for ladder in ladders}


def beginning_of(ladder: Ladder, boards: Mapping[Ladder, Board]) -> Beginning:
    """Return with what the ratings of a ladder begin, given the tables of other ladders: usually with nothing."""
    earlier = (board.rows for other, board in boards.items() if ladder.after and ladder.is_next(other))
    rows = max(earlier, key=len, default=[])
    mean = sum(row.rating for row in rows) / max(1, len(rows))
    return {row.entrant: (row.rating - mean, row.estimate.spread if row.estimate else row.sigma) for row in rows}


def board_of(columns: Columns, anchors: Collection[str] | None = None, before: Beginning | None = None) -> Board:
    """Fit the results of one ladder and rank its entrants; the order and names of matches do not matter.

    `before` is what is known of entrants from matches under earlier rules.
    Ratings are relative to the mean of the bots named as anchors; by default a ladder's residents are. Raises
    LeaderboardError if an anchor has not played.
    """
    from ballcourt.leaderboard.model.by_points import by_points
    from ballcourt.leaderboard.model.estimates import estimate_of

    field = estimate_of(columns, anchors, before or {})
    ratings = {found.entrant: (found.rating, found.error) for found in field.estimates}
    by_rank = zip(_rows(ratings, columns), field.estimates, by_points(columns, [*ratings]), strict=True)
    rows = [replace(row, estimate=found, by_points=points) for row, found, points in by_rank]
    return Board(rows, field.cycles, field.groups, cautions=field.cautions)


def standings(matches: Iterable[MatchResult], ratings: Ratings) -> list[Standing]:
    """Rank the entrants of one ladder by the provisional ratings of a running tournament."""
    from ballcourt.leaderboard.model.arrays import columns_of

    columns = columns_of(matches)
    found = {entrant: ratings.of(entrant) for entrant in columns.entrants}
    ranked = sorted(found, key=lambda entrant: (-found[entrant][0], entrant))
    return _rows({entrant: found[entrant] for entrant in ranked}, columns)


def marked(board: Board, entrants: Mapping[BotVersion, str]) -> Board:
    """Return the board with the status of each entrant, and with those that have no match in it.

    Rows and ranks stay as they are.
    """
    unplayed = dict(entrants)
    rows = [replace(row, status=unplayed.pop(row.entrant, "")) for row in board.rows]
    return replace(board, rows=rows, unplayed=[*unplayed.items()])


def _rows(ranked: Mapping[BotVersion, tuple[float, float]], columns: Columns) -> list[Standing]:
    """Return the rows of entrants, which come with their ratings and errors in the order of their ranks."""
    from ballcourt.leaderboard.model.sums import plain

    found = plain(columns)
    numbers = zip(
        *(
            values.tolist()
            for values in (found.matches, found.beaten, found.wins, found.score, found.faults, found.own)
        ),
        found.rivals.tolist(),
        columns.owners,
        strict=True,
    )
    by_entrant = dict(zip(columns.entrants, numbers, strict=True))
    rows = []
    for rank, (entrant, (rating, sigma)) in enumerate(ranked.items(), start=1):
        matches, beaten, wins, score, faults, own, rivals, owners = by_entrant[entrant]
        met = {name: points for name, points in zip(columns.rivals.names, rivals, strict=True) if not isnan(points)}
        sums = (matches, _known(beaten), wins, _known(score), faults, met, own)
        rows.append(Standing(rank, entrant, rating, sigma, *sums, owners=owners))
    return rows


def _known(value: float) -> float | None:
    return None if isnan(value) else value
