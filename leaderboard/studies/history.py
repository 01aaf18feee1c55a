"""The rating of one entrant over matches and time, and which matches changed it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field
from rich.table import Table

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import block_numbers, columns_of
from ballcourt.leaderboard.model.estimates import MODEL, estimate, tables_of
from ballcourt.leaderboard.model.fit.contributions import contributions, levers
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.model.scale import Estimated
from ballcourt.leaderboard.show.forms import Error, LadderForm, Rank, csv_of, form_of, ladder_json
from ballcourt.leaderboard.show.terminal import table_of, title

MOST_PARTS: Final = 12
MOST_CHECKPOINTS: Final = 20
Points = Callable[[Iterable[MatchResult]], list[float]]
"""What each table of some matches adds to a rating."""


class Unit(StrEnum):
    """What a change is split into."""

    BLOCK = "block"
    MATCH = "match"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Checkpoint(Estimated):
    """The rating after some matches, in rating points, as if the table had been made then."""

    number: int
    matches: int
    """Matches of the entrant so far."""
    all_matches: int
    """Matches of the ladder so far."""
    time: str
    """When the last of them began, in UTC; empty if unknown."""
    rating: float
    sigma: float
    rank: int
    field: int
    """Entrants so far."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one block, match or day added to a rating, in rating points."""

    name: str
    matches: int
    points: float
    played: bool
    """Whether the entrant itself played there."""


@dataclass(frozen=True, slots=True)
class Change:
    """The change between two checkpoints: its parts, the largest first, and what they do not explain.

    The change is the sum of the points of the parts and the rest.
    """

    start: Checkpoint
    end: Checkpoint
    parts: list[Part]

    @property
    def points(self) -> float:
        """The whole change."""
        return self.end.rating - self.start.rating

    @property
    def rest(self) -> float:
        """What the parts do not explain, because the rating is not a sum over matches."""
        return self.points - sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """The rating after some matches, in rating points; `low` and `high` are the ends of the 95 % interval."""

    checkpoint: Rank
    matches: Rank
    all_matches: Rank
    time: str
    """When the last of the matches began, in UTC; empty if unknown."""
    rating: float
    sigma: Error
    low: float
    high: float
    rank: Rank
    entrants: Rank


@dataclass(frozen=True, slots=True)
class PartRow:
    """What some matches contributed."""

    name: str
    matches: Rank
    points: float
    played: bool
    """Whether the bot itself played there."""


@dataclass(frozen=True, slots=True)
class ChangeForm:
    """The change between two checkpoints; its points are the sum of those of the parts and of what is not explained."""

    start: Annotated[Rank, Field(serialization_alias="from")]
    to: Rank
    points: float
    parts: list[PartRow]
    not_explained: float


@dataclass(frozen=True, slots=True)
class LadderHistory(LadderForm):
    """Matches with ratings in common."""

    checkpoints: list[CheckpointRow]
    change: ChangeForm | None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """What `ballcourt study history --json` prints."""

    format: Literal["ballcourt-history-1"] = field(default="ballcourt-history-1", init=False)
    bot: str
    version: str
    ladders: list[LadderHistory]


def history(matches: Iterable[MatchResult], bot: BotVersion) -> list[Checkpoint]:
    """Rate the field of one ladder after each twentieth of the bot's matches, or after each one if they are few."""
    played = in_time(matches)
    own = [number for number, match in enumerate(played) if bot in {seat.entrant for seat in match.seats}]
    steps = min(MOST_CHECKPOINTS, len(own))
    counts = [len(own) * step // steps for step in range(1, steps + 1)]
    ends = [own[count - 1] + 1 for count in counts]
    if ends:
        ends[-1] = len(played)
    return [
        _checkpoint(number, played[:end], bot, count)
        for number, (count, end) in enumerate(zip(counts, ends, strict=True), start=1)
    ]


def change(matches: Iterable[MatchResult], bot: BotVersion, start: Checkpoint, end: Checkpoint, unit: Unit) -> Change:
    """Split the change of a rating between two checkpoints of the same history."""
    played = in_time(matches)[: end.all_matches]
    entrants = sorted({seat.entrant for match in played for seat in match.seats})
    tables, before = tables_of(played, entrants), played[: start.all_matches]
    old = fit_pairs(tables_of(before, entrants), MODEL)
    lever = levers(tables, old, fit_pairs(tables, MODEL), entrants.index(bot), MODEL)

    def points(some: Iterable[MatchResult]) -> list[float]:
        found: list[float] = contributions(tables_of(some, entrants), old, lever, MODEL).tolist()
        return found

    split = _by_deal if played[0].ladder.seats == 1 else _by_match
    return Change(start, end, _parts(split(before, played[len(before) :], points), bot, unit))


def in_time(matches: Iterable[MatchResult]) -> list[MatchResult]:
    """Return matches in the order in which they began; those without a time come first, in canonical order."""
    return sorted(matches, key=lambda match: (match.started, match.order))


def _by_match(_: object, added: Iterable[MatchResult], points: Points) -> list[tuple[MatchResult, float]]:
    """Return what each match of several seats adds, unless all seats have the same entrant."""
    rated = [match for match in added if len({seat.entrant for seat in match.seats}) > 1]
    rated.sort(key=lambda match: match.order)  # the order of tables_of
    return list(zip(rated, points(rated), strict=True))


def _by_deal(
    before: Iterable[MatchResult], added: Iterable[MatchResult], points: Points
) -> list[tuple[MatchResult, float]]:
    """Return what each match of one seat adds: the table of its deal with it, less the one without it."""
    deals: defaultdict[str, list[MatchResult]] = defaultdict(list)
    for match in before:
        deals[match.deal].append(match)
    found = []
    for match in added:
        without = sum(points(deals[match.deal]))
        deals[match.deal].append(match)
        found.append((match, sum(points(deals[match.deal])) - without))
    return sorted(found, key=lambda one: one[0].order)


def _checkpoint(number: int, played: Sequence[MatchResult], bot: BotVersion, own: int) -> Checkpoint:
    field = estimate(played).estimates
    rank, found = next((rank, one) for rank, one in enumerate(field, start=1) if one.entrant == bot)
    time = played[-1].started
    return Checkpoint(number, own, len(played), time, found.rating, found.error, rank, len(field))


def _parts(found: list[tuple[MatchResult, float]], bot: BotVersion, unit: Unit) -> list[Part]:
    """Add up matches, which are in canonical order, by unit."""
    played = [match for match, _ in found]
    columns = columns_of(played)
    numbers = (columns.deal if columns.seats == 1 else block_numbers(columns)).tolist()
    names: dict[int, str] = {}
    groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for index, match in enumerate(played):
        name = names.setdefault(numbers[index], match.key.rpartition("-r")[0] or match.key)
        day = match.started[:10] or "unknown day"
        groups[{Unit.BLOCK: (numbers[index], name), Unit.MATCH: (index, match.key), Unit.DAY: (0, day)}[unit]].append(
            index
        )
    parts = [
        Part(
            name=key[1],
            matches=len(members),
            points=sum(found[index][1] for index in members),
            played=any(bot == seat.entrant for index in members for seat in played[index].seats),
        )
        for key, members in groups.items()
    ]
    return sorted(parts, key=lambda part: (-abs(part.points), part.name))


def to_table(ladder: Ladder, bot: str, found: Iterable[Checkpoint]) -> Table:
    """Return the checkpoints of a bot as a table."""
    rows = (
        [
            str(one.number),
            str(one.matches),
            one.time[:16].replace("T", " ") or "-",
            f"{one.rating:.1f}",
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.rank} of {one.field}",
        ]
        for one in found
    )
    headings = ("#", "matches", "until (UTC)", "rating", "95% interval", "rank")
    return table_of(f"{bot} in {title(ladder)}", headings, rows)


def change_table(found: Change) -> Table:
    """Return the largest parts of a change as a table; the last rows add the others up."""
    heading = f"why {found.start.rating:.2f} became {found.end.rating:.2f} ({found.points:+.2f})"
    rows = [
        (part.name if part.played else f"{part.name} (of others)", str(part.matches), f"{part.points:+.2f}")
        for part in found.parts[:MOST_PARTS]
    ]
    if others := found.parts[MOST_PARTS:]:
        points = sum(part.points for part in others)
        rows.append((f"{len(others)} others", str(sum(part.matches for part in others)), f"{points:+.2f}"))
    rows.append(("not explained", "", f"{found.rest:+.2f}"))
    return table_of(heading, ("played", "matches", "points"), rows, texts=("played",))


def to_json(
    bot: BotVersion, found: Mapping[Ladder, list[Checkpoint]], why: Mapping[Ladder, Change | None]
) -> HistoryPage:
    """Return the checkpoints of a bot, and a change between two, for programs."""
    ladders = [
        LadderHistory(**ladder_json(ladder), checkpoints=[*map(_row, rows)], change=_change(why.get(ladder)))
        for ladder, rows in found.items()
    ]
    return HistoryPage(bot.name, bot.version, ladders)


def to_csv(found: Mapping[Ladder, list[Checkpoint]]) -> str:
    """Return the checkpoints of all ladders as CSV."""
    return csv_of(CheckpointRow, {ladder: map(_row, rows) for ladder, rows in found.items()})


def _row(one: Checkpoint) -> CheckpointRow:
    return form_of(CheckpointRow, one, checkpoint=one.number, entrants=one.field)


def _change(why: Change | None) -> ChangeForm | None:
    if why is None:
        return None
    parts = [PartRow(part.name, part.matches, round(part.points, 6), part.played) for part in why.parts]
    return ChangeForm(why.start.number, why.end.number, round(why.points, 4), parts, round(why.rest, 6))
