"""The published ratings of a ladder: from results to ratings, how certain they are and what they mean."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import Columns, columns_of, informative
from ballcourt.leaderboard.model.certainty import Beginning, CyclicShare, Estimate
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.cycles import find_cycles, maximal_lottery
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.expectation import in_streaks
from ballcourt.leaderboard.model.fit.jackknife import (
    Between,
    allowing_for,
    covariance_and_blocks,
    relative_to,
)
from ballcourt.leaderboard.model.fit.pairs import PairFit, fit_pairs
from ballcourt.leaderboard.model.fit.questions import groups_in, placed_above, ranks
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.model.scale import RENEWED, SIGMA, Z95

MODEL = TrueSkill()
ROUNDING: Final = 0.05
"""Rating points that no table shows."""
MOST_NAMED: Final = 5
NOTHING: Final[Beginning] = {}


@dataclass(frozen=True, slots=True)
class Field:
    """The entrants of a ladder, the highest rating first, and what is known of cycles and of groups among them."""

    estimates: list[Estimate]
    cycles: CyclicShare | None
    groups: int
    """See `Board.groups`."""
    cautions: tuple[str, ...] = ()
    """See `Board.cautions`."""


def estimate(matches: Iterable[MatchResult], anchors: Collection[str] | None = None) -> Field:
    """Rate the entrants of one ladder, see `estimate_of`."""
    return estimate_of(columns_of(matches), anchors)


def estimate_of(columns: Columns, anchors: Collection[str] | None = None, before: Beginning = NOTHING) -> Field:
    """Rate the entrants of one ladder. `before` is what is known of some of them from matches under earlier rules.

    Ratings are relative to the mean of the bots named as anchors, which is 25; by default to that of a ladder's
    residents, and to that of the field if there are no anchors. Matches of one seat are rated by comparing the entrants
    that played the same deal.

    Raises LeaderboardError if no entrant has the name of an anchor.
    """
    entrants, tables = columns.entrants, informative(columns.tables)
    model = _model(entrants, before)
    fit = fit_pairs(tables, model)
    known, between = covariance_and_blocks(Blocks(tables), fit, model)
    cyclic = _cyclic_share(between, fit, known, entrants, model)
    streaks = _about_streaks(between, entrants)
    del between  # which takes much memory
    rating = solve(tables.with_ties_by(fit.skill), fit, model).mu
    difference = rating - fit.skill
    difference -= difference.mean() if entrants else 0.0
    disagreements = _about_disagreement(difference, known, entrants)
    known = allowing_for(difference, known)
    spread = np.sqrt(np.maximum(np.diag(known), 0.0))
    everybody = [] if model is MODEL else [*range(len(entrants))]  # whose mean is that of the prior else by itself
    if rows := _anchors(columns, anchors) or everybody:
        rating, known = rating - rating[rows].mean() + MODEL.mean, relative_to(known, np.array(rows, np.int64))
    return Field(
        _estimates(entrants, rating, known, spread, tables), cyclic, groups_in(fit), (*disagreements, *streaks)
    )


def _model(entrants: Sequence[BotVersion], before: Beginning) -> TrueSkill:
    """Return the model in which strengths begin where they were, but less certain, and no less than a newcomer's.

    Glickman (1999), "Parameter estimation in large dynamic paired comparison experiments", adds such a variance for the
    time that has passed.
    """
    if before.keys().isdisjoint(entrants):
        return MODEL
    found = [before.get(entrant, (0.0, SIGMA)) for entrant in entrants]
    lead, sigma = np.array(found, np.float64).T
    return TrueSkill(lead=lead, sigma=np.minimum(np.hypot(sigma, RENEWED), SIGMA))


def tables_of(matches: Iterable[MatchResult], entrants: Sequence[BotVersion]) -> Tables:
    """Return the tables that say something about the strength of these entrants, in canonical order."""
    return informative(columns_of(matches, entrants).tables)


def _estimates(
    entrants: Sequence[BotVersion], rating: Floats, known: Floats, spread: Floats, tables: Tables
) -> list[Estimate]:
    if not entrants:
        return []
    points = rating.tolist()
    order = sorted(range(len(entrants)), key=lambda row: (-round(points[row], 6), entrants[row]))
    found = ranks(rating, known, tables)
    higher, lower = [None, *order[:-1]], [*order[1:], None]
    return [
        Estimate(
            entrant=entrants[row],
            rating=points[row],
            error=sqrt(max(float(known[row, row]), 0.0)),
            spread=float(spread[row]),
            ranks=(int(found.first[row]), int(found.last[row])),
            best=float(found.best[row]),
            separated=None if above is None else bool(found.ahead[above, row]),
            above_next=None if below is None else placed_above(points[row] - points[below], MODEL),
        )
        for row, above, below in zip(order, higher, lower, strict=True)
    ]


def _anchors(columns: Columns, names: Collection[str] | None) -> list[int]:
    """Return the entrants whose mean rating is that of the prior; none: that of all is. Raises LeaderboardError."""
    if names is None:
        return [row for row, owners in enumerate(columns.owners) if LADDER_ITSELF in owners]
    rows = [row for row, entrant in enumerate(columns.entrants) if entrant.name in names]
    if missing := set(names) - {columns.entrants[row].name for row in rows}:
        raise LeaderboardError(f"no bot is named '{min(missing)}' here; an anchor must have played in every table")
    return rows


def _cyclic_share(
    between: Sequence[Between], fit: PairFit, known: Floats, entrants: Sequence[BotVersion], model: TrueSkill
) -> CyclicShare | None:
    cycles = find_cycles(fit, known, between, model)
    if cycles is None:
        return None
    shares = zip(entrants, maximal_lottery(fit, cycles, MODEL).tolist(), strict=True)
    mix = sorted(((round(share, 6), entrant) for entrant, share in shares if share >= 0.005), key=lambda one: -one[0])
    return CyclicShare(cycles.share, cycles.error, tuple((entrant, share) for share, entrant in mix))


def _about_disagreement(difference: Floats, known: Floats, entrants: Sequence[BotVersion]) -> Iterator[str]:
    """Warn of ratings that the other model does not confirm, given how the ratings of the two differ."""
    doubtful = np.flatnonzero(np.abs(difference) > Z95 * np.sqrt(np.diag(known)) + ROUNDING)
    if doubtful.size:
        most = np.abs(difference).max()
        yield (
            f"Two models of the same results disagree about {_named(doubtful, entrants)}, by up to {most:.1f} points: "
            "results that all go one way do not say how far apart bots are. The intervals allow for it."
        )


def _about_streaks(between: Sequence[Between], entrants: Sequence[BotVersion]) -> Iterator[str]:
    """Warn of results that go up and down over many blocks."""
    everyone, some = in_streaks(between, len(entrants)) if between else (False, np.zeros(0, np.int64))
    if everyone or some.size:
        whose = "all bots" if everyone else _named(some, entrants)
        yield (
            f"The results of {whose} come in streaks: blocks one after another are more alike than by chance. The "
            "intervals hold for the mean over these matches; how bots do in the long run is less certain."
        )


def _named(rows: Integers, entrants: Sequence[BotVersion]) -> str:
    first = ", ".join(entrants[row].name for row in rows[:MOST_NAMED])
    return f"{first} and {rows.size - MOST_NAMED} more" if rows.size > MOST_NAMED else first
