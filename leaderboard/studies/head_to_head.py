"""Who is placed above whom: the shares of all pairs of entrants of a ladder, and the matches of two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Annotated, Any, Final, Literal

from pydantic import Field
from rich.cells import cell_len
from rich.table import Table

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import printable
from ballcourt.leaderboard.model.comparisons import comparisons
from ballcourt.leaderboard.model.estimates import MODEL, estimate, tables_of
from ballcourt.leaderboard.model.filters import is_named
from ballcourt.leaderboard.model.fit.questions import placed_above
from ballcourt.leaderboard.model.fit.shares import Shares, by_opponent, by_seat
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.show.forms import BotForm, Count, LadderForm, Portion, csv_of, entrant_json, ladder_json
from ballcourt.leaderboard.show.terminal import table_of, title

MOST_ENCOUNTERS: Final = 20
"""How many results of two bots are shown as text, the newest ones."""
WIDEST_NAME: Final = 24
"""Characters of a bot in a matrix; the middle of a longer name is left out."""


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

    def values(self) -> dict[str, Any]:
        """Return the share as JSON values; their order is that of the columns of CSV."""
        return {
            "meetings": self.meetings,
            "blocks": self.blocks,
            "share": round(self.value, 4) if self.meetings else None,
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often `one` was placed above `other`, and how often their ratings say it should be."""

    one: BotVersion
    other: BotVersion
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

    entrants: list[BotVersion]
    rows: dict[BotVersion, list[Meeting]]

    def rank(self, entrant: BotVersion) -> int:
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


@dataclass(frozen=True, slots=True)
class MeetingRow(BotForm):
    """One pair of bots; `low` and `high` are the ends of the 95 % interval."""

    opponent: str
    opponent_version: str
    opponent_hash: str
    meetings: Count
    blocks: Count
    share: Portion | None
    """How often it was placed above, a tie counting half; null without meetings."""
    low: Portion
    high: Portion
    predicted: Portion
    """What the ratings say."""


@dataclass(frozen=True, slots=True)
class DuelSeat:
    """The meetings of a pair in which the first had this seat."""

    seat: Count
    meetings: Count
    blocks: Count
    share: Portion | None
    """How often it was placed above, a tie counting half; null without meetings."""
    low: Portion
    high: Portion


@dataclass(frozen=True, slots=True)
class DuelResult:
    """How a match, or a deal of a game for one seat, ended for two bots."""

    match: str
    started: str
    """When it began, in UTC; empty if unknown."""
    seat: Count
    placement: int
    score: float | None
    vacated: bool
    opponent_seat: Count
    opponent_placement: int
    opponent_score: float | None
    opponent_vacated: bool
    won: Annotated[float, Field(json_schema_extra={"enum": [0, 0.5, 1]})]


@dataclass(frozen=True, slots=True)
class LadderMeetings(LadderForm):
    """Matches with ratings in common: every pair of bots that met, in either order."""

    meetings: list[MeetingRow]


@dataclass(frozen=True, slots=True)
class LadderDuel(LadderForm):
    """Two bots in detail: all in all, by the seat of the first, and every result, the oldest first."""

    meeting: MeetingRow
    by_seat: list[DuelSeat]
    encounters: list[DuelResult]


@dataclass(frozen=True, slots=True)
class MeetingsPage:
    """What `ballcourt study head-to-head --json` prints."""

    format: Literal["ballcourt-head-to-head-1"] = field(default="ballcourt-head-to-head-1", init=False)
    ladders: Sequence[LadderMeetings | LadderDuel]


def head_to_head(matches: Iterable[MatchResult], words: Collection[str] = ()) -> HeadToHead:
    """Compare the entrants of one ladder; with `words`, only the rows of the entrants that they name."""
    played = list(matches)
    ranked = estimate(played).estimates
    ratings = {found.entrant: found.rating for found in ranked}
    entrants = sorted(ratings)
    number = {entrant: row for row, entrant in enumerate(entrants)}
    found = by_opponent(tables_of(played, entrants))
    order = [one.entrant for one in ranked]
    wanted = [one for one in order if not words or any(is_named(word, one) for word in words)]

    def meeting(one: BotVersion, other: BotVersion) -> Meeting:
        share = share_of(found, number[one] * len(entrants) + number[other])
        return Meeting(one, other, share, placed_above(ratings[one] - ratings[other], MODEL))

    return HeadToHead(order, {one: [meeting(one, other) for other in order if other != one] for one in wanted})


def duel(matches: Iterable[MatchResult], one: BotVersion, other: BotVersion) -> Duel:
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


def _encounters(match: MatchResult, one: BotVersion, other: BotVersion) -> Iterable[Encounter]:
    """Yield an encounter for each seat of the one and each of the other."""
    seats = [
        (seat.entrant, (number, seat.placement, seat.score, seat.vacated)) for number, seat in enumerate(match.seats)
    ]
    for own in (seat for entrant, seat in seats if entrant == one):
        for its in (seat for entrant, seat in seats if entrant == other):
            yield Encounter(match.key, match.started, (own, its))


def ladders_of(ladders: Mapping[Ladder, list[MatchResult]], *bots: BotVersion) -> dict[Ladder, list[MatchResult]]:
    """Return the ladders in which all these entrants have played, with the matches of each."""
    return {
        ladder: matches
        for ladder, matches in ladders.items()
        if set(bots) <= {seat.entrant for match in matches for seat in match.seats}
    }


def labels(entrants: Iterable[BotVersion]) -> dict[BotVersion, str]:
    """Return the name of each entrant; its version and content hash as well where others share the name."""
    known = list(entrants)
    names = Counter(entrant.name for entrant in known)
    versions = Counter((entrant.name, entrant.version) for entrant in known)
    found = {}
    for one in known:
        version = f" {one.version}" if names[one.name] > 1 else ""
        content = f" {one.content_hash[:8]}" if versions[one.name, one.version] > 1 else ""
        found[one] = f"{one.name}{version}{content}"
    return found


def matrix(ladder: Ladder, found: HeadToHead, width: int) -> tuple[Table, list[str]]:
    """Return the matrix of shares with as many columns as fit `width` characters, and what a reader needs to know."""
    names = {entrant: _short(name) for entrant, name in labels(found.entrants).items()}
    rows = [{meeting.other: meeting for meeting in row} for row in found.rows.values()]
    columns = [[str(found.rank(other)), *(_cell(row.get(other)) for row in rows)] for other in found.entrants]
    first = max((cell_len(printable(names[one])) for one in found.rows), default=0)
    taken = accumulate(max(max(map(cell_len, cell.split("\n"))) for cell in column) + 3 for column in columns)
    room = width - (len(str(len(columns))) + 4) - (first + 3)
    shown = max(1, sum(end <= room for end in taken))
    table = Table(title=title(ladder), title_justify="left", title_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True)
    for column in columns[:shown]:
        table.add_column(column[0], justify="right", no_wrap=True)
    for number, one in enumerate(found.rows, start=1):
        cells = [column[number] for column in columns[:shown]]
        table.add_row(str(found.rank(one)), printable(names[one]), *cells)
    return table, list(_about_matrix(len(columns), shown))


def row_table(ladder: Ladder, found: HeadToHead, bot: BotVersion) -> Table:
    """Return the results of one bot by opponent."""
    names = labels(found.entrants)
    about = f"{names[bot]} in {title(ladder)}"
    rows = [
        [str(found.rank(row.other)), names[row.other], str(row.share.meetings), row.share.text, _predicted(row)]
        for row in found.rows[bot]
    ]
    headings = ("#", "opponent", "meetings", "above (95%)", "predicted")
    return table_of(about, headings, rows, texts=headings)


def duel_tables(ladder: Ladder, found: Duel) -> Iterator[Table]:
    """Yield what is known of two bots: all in all, by the seat of the first, and its newest results."""
    one, other = labels([found.meeting.one, found.meeting.other]).values()
    heading = f"{one} against {other} in {title(ladder)}"
    whole = found.meeting.share
    rows = [["all", str(whole.meetings), whole.text, _predicted(found.meeting)]]
    rows += [[f"seat {seat}", str(own.meetings), own.text, ""] for seat, own in enumerate(found.by_seat)]
    headings = (f"{one} in", "meetings", "above (95%)", "predicted")
    yield table_of(heading, headings, rows, texts=headings)
    newest = found.encounters[: -MOST_ENCOUNTERS - 1 : -1]
    results = [
        [played.key, played.started[:16].replace("T", " "), *(_result(*seat) for seat in played.seats)]
        for played in newest
    ]
    if results:
        headings = ("match", "began (UTC)", one, other)
        yield table_of("the newest results", headings, results, texts=headings)


def duel_json(duels: Mapping[Ladder, Duel]) -> MeetingsPage:
    """Return all that is known of two bots for programs."""
    return MeetingsPage([_duel(ladder, found) for ladder, found in duels.items()])


def duels_csv(duels: Mapping[Ladder, Duel]) -> str:
    """Return all results of two bots as CSV, a line each."""
    return csv_of(DuelResult, {ladder: _results(found) for ladder, found in duels.items()})


def to_json(all_found: Mapping[Ladder, HeadToHead]) -> MeetingsPage:
    """Return the meetings of all ladders for programs; pairs that never met are left out."""
    return MeetingsPage(
        [LadderMeetings(**ladder_json(ladder), meetings=_met(found)) for ladder, found in all_found.items()]
    )


def to_csv(all_found: Mapping[Ladder, HeadToHead]) -> str:
    """Return the meetings of all ladders as CSV, a line for each pair that met, in either order."""
    return csv_of(MeetingRow, {ladder: _met(found) for ladder, found in all_found.items()})


def _met(found: HeadToHead) -> list[MeetingRow]:
    return [_row(row) for rows in found.rows.values() for row in rows if row.share.meetings]


def _cell(row: Meeting | None) -> str:
    if row is None:
        return ""
    share = row.share
    if not share.meetings:
        return "-"
    mark = "!" if row.surprising else ""
    return f"{100 * share.value:.0f}{mark}\n{100 * share.low:.0f}-{100 * share.high:.0f}"


def _about_matrix(columns: int, shown: int) -> Iterator[str]:
    yield (
        "How often (in %) the row's bot finished above the column's; ties count half. Below it, the 95% interval. "
        '"-": they never met; "!": the ratings predict a share outside of the interval.'
    )
    if shown < columns:
        yield (
            f"This window is too narrow for the columns {shown + 1} to {columns}. Name a bot to see its results by "
            "opponent; --csv and --json have all."
        )


def _predicted(row: Meeting) -> str:
    return f"{row.predicted:.0%}{'!' if row.share.meetings and row.surprising else ''}"


def _short(name: str) -> str:
    half = (WIDEST_NAME - 1) // 2
    return name if len(name) <= WIDEST_NAME else f"{name[:half]}…{name[-half:]}"


def _result(seat: int, placement: int, score: float, vacated: bool) -> str:
    return f"seat {seat}: place {placement}, {score:g} points{', lost its seat' if vacated else ''}"


def _row(row: Meeting) -> MeetingRow:
    return MeetingRow(
        **entrant_json(row.one),
        opponent=row.other.name,
        opponent_version=row.other.version,
        opponent_hash=row.other.content_hash,
        **row.share.values(),
        predicted=round(row.predicted, 4),
    )


def _duel(ladder: Ladder, found: Duel) -> LadderDuel:
    by_seat = [DuelSeat(seat, **own.values()) for seat, own in enumerate(found.by_seat)]
    return LadderDuel(**ladder_json(ladder), meeting=_row(found.meeting), by_seat=by_seat, encounters=_results(found))


def _results(found: Duel) -> list[DuelResult]:
    return [DuelResult(one.key, one.started, *one.seats[0], *one.seats[1], one.won) for one in found.encounters]
