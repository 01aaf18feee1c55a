"""Who is placed above whom: the shares of all pairs of entrants of a ladder, and the matches of two of them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ballcourt.leaderboard.model.comparisons import comparisons
from ballcourt.leaderboard.model.estimates import MODEL, estimate, tables_of
from ballcourt.leaderboard.model.filters import is_named
from ballcourt.leaderboard.model.fit.questions import placed_above
from ballcourt.leaderboard.model.fit.shares import Shares, by_opponent, by_seat
from ballcourt.leaderboard.model.results import Entrant, Ladder, MatchResult


@dataclass(frozen=True, slots=True)
class Share:
    """How often one was placed above another, a tie counting half, from 0 to 1, and the 95 % interval."""

    value: float
    low: float
    high: float
    meetings: int
    """Number of pairs of seats that were compared: one per table, unless a bot had several seats."""
    blocks: int

    @property
    def text(self) -> str:
        """The share and its interval, as people read them."""
        return f"{self.value:.0%} ({100 * self.low:.0f}-{100 * self.high:.0f})" if self.meetings else "-"


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often `one` was placed above `other`, and how often their ratings say it should be."""

    one: Entrant
    other: Entrant
    share: Share
    predicted: float

    @property
    def surprising(self) -> bool:
        """Whether the interval excludes what the ratings predict."""
        return not self.share.low <= self.predicted <= self.share.high


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The entrants of a ladder, the highest rating first, and for each of the wanted ones a row of meetings.

    A row has a meeting with each other entrant in their order, of which some may have no table in common.
    """

    entrants: list[Entrant]
    rows: dict[Entrant, list[Meeting]]

    def rank(self, entrant: Entrant) -> int:
        """Return the rank of an entrant, from 1."""
        return self.entrants.index(entrant) + 1


@dataclass(frozen=True, slots=True)
class Encounter:
    """One match, or one deal of a game for one seat, in which two entrants were compared."""

    key: str
    started: str
    seats: tuple[tuple[int, int, float, bool], tuple[int, int, float, bool]]
    """Of either entrant: seat, placement, points, and whether it lost its seat."""

    @property
    def won(self) -> float:
        """1 if the first was placed above, 0.5 for a tie, 0 otherwise."""
        (_, one, *_), (_, other, *_) = self.seats
        return 0.5 if one == other else float(one < other)


@dataclass(frozen=True, slots=True)
class Duel:
    """Two entrants in detail: their meeting, the share of the first by its own seat, and every result, oldest first."""

    meeting: Meeting
    by_seat: list[Share]
    encounters: list[Encounter]


def head_to_head(matches: Iterable[MatchResult], words: Collection[str] = ()) -> HeadToHead:
    """Compare the entrants of one ladder; with `words`, only the rows of the entrants that they name."""
    played = list(matches)
    field = estimate(played).estimates
    ratings = {found.entrant: found.rating for found in field}
    entrants = sorted(ratings)
    number = {entrant: row for row, entrant in enumerate(entrants)}
    found = by_opponent(tables_of(played, entrants))
    order = [one.entrant for one in field]
    wanted = [one for one in order if not words or any(is_named(word, one) for word in words)]

    def meeting(one: Entrant, other: Entrant) -> Meeting:
        share = share_of(found, number[one] * len(entrants) + number[other])
        return Meeting(one, other, share, placed_above(ratings[one] - ratings[other], MODEL))

    return HeadToHead(order, {one: [meeting(one, other) for other in order if other != one] for one in wanted})


def duel(matches: Iterable[MatchResult], one: Entrant, other: Entrant) -> Duel:
    """Return all that the matches of one ladder say about two entrants."""
    played = list(matches)
    rows = head_to_head(played).rows[one]
    between = [match for match in comparisons(played) if {one, other} <= {seat.entrant for seat in match.seats}]
    entrants = sorted({seat.entrant for match in played for seat in match.seats})
    tables = tables_of(played, entrants)
    found = by_seat(tables, entrants.index(one), entrants.index(other))
    shares = [share_of(found, seat) for seat in range(tables.seats)]
    encounters = [found for match in between for found in _encounters(match, one, other)]
    return Duel(
        meeting=next(row for row in rows if row.other == other),
        by_seat=shares if len(shares) > 1 else [],
        encounters=sorted(encounters, key=lambda found: (found.started, found.key)),
    )


def share_of(found: Shares, group: int) -> Share:
    """Return the share of one group."""
    return Share(
        float(found.share[group]),
        float(found.low[group]),
        float(found.high[group]),
        int(found.count[group]),
        int(found.blocks[group]),
    )


def _encounters(match: MatchResult, one: Entrant, other: Entrant) -> Iterable[Encounter]:
    """Yield an encounter for each seat of the one and each of the other."""
    seats = [
        (seat.entrant, (number, seat.placement, seat.score, seat.vacated)) for number, seat in enumerate(match.seats)
    ]
    for own in (seat for entrant, seat in seats if entrant == one):
        for its in (seat for entrant, seat in seats if entrant == other):
            yield Encounter(match.key, match.started, (own, its))


def ladders_of(ladders: Mapping[Ladder, list[MatchResult]], *bots: Entrant) -> dict[Ladder, list[MatchResult]]:
    """Return the ladders in which all these entrants have played, with the matches of each."""
    return {
        ladder: matches
        for ladder, matches in ladders.items()
        if set(bots) <= {seat.entrant for match in matches for seat in match.seats}
    }
