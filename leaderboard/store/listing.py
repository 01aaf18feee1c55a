"""Lists of matches out of a large database: the newest first, page by page, filtered by what a reader wants to see.

Each page starts where the previous one ended (keyset pagination), so late pages cost no more than the first. The search
walks an index that serves one of the conditions and checks the others row by row. A page examines at most `WINDOW`
matches, so a rare combination of conditions may take several pages, some of them empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, Subquery, exists, func, select, union_all

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.decisions import termination_number
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store.tables import ENTRANTS, FAULTY, LADDERS, LOST, MATCHES, NAMES, SEATS

WINDOW: Final = 2000
"""The most matches that a page examines."""
FAULT: Final = "fault"
"""Any fault, tolerated or not."""
PLACE: Final = re.compile(r"(?P<started>[0-9TZ:-]{0,20})[.](?P<number>[0-9]{1,18})")
NO_LADDER: Final = -1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are wanted; an empty value asks for nothing."""

    bot: BotVersion | None = None
    rival: BotVersion | None = None
    """Another bot at the table."""
    game: str = ""
    seats: int | None = None
    ended: str = ""
    """A termination such as "TIMEOUT", or `FAULT`; of the bot if one is given, else of any seat."""
    since: date | None = None
    """The first day on which they began, in UTC."""
    until: date | None = None
    """The last day."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ends: the start and the number of its last match."""

    started: str
    number: int

    def __str__(self) -> str:
        return f"{self.started}.{self.number}"


def parse_place(text: str) -> Place:
    """Return the place that a string stands for. Raises LeaderboardError."""
    match = PLACE.fullmatch(text)
    if not match:
        raise LeaderboardError(f"'{text}' does not name a place in a list of matches; follow the links of a page")
    return Place(match["started"], int(match["number"]))


def matches_listed(
    connection: Connection, wanted: Wanted, after: Place | None, count: int
) -> tuple[list[int], Place | None]:
    """Return the numbers of the next `count` matches after a place, or from the beginning.

    The second value says where the next page begins; None if there is none.
    """
    most = WINDOW if _is_combined(wanted) else count + 1  # the walk alone finds what one condition wants
    walked = _walk(connection, wanted, after, most)
    numbers = walked.c.number
    by_time = _is_by_time(wanted)
    order = (walked.c.started.desc(), numbers.desc()) if by_time else (numbers.desc(),)
    joined = select(numbers, MATCHES.c.started).join_from(walked, MATCHES, MATCHES.c.id == numbers)
    checked = joined.where(*_conditions(connection, wanted, numbers)).order_by(*order).limit(count + 1)
    rows = connection.execute(checked).all()
    found = [int(row.number) for row in rows[:count]]
    if len(rows) > count:
        return found, Place(rows[count - 1].started, found[-1])
    return found, _end_of(connection, walked, most, by_time=by_time)


def _end_of(connection: Connection, walked: Subquery, most: int, *, by_time: bool) -> Place | None:
    """Return the last match that was examined if there may be more after it."""
    count, last = connection.execute(select(func.count(), func.min(walked.c.number)).select_from(walked)).one()
    if count < most:
        return None
    if not by_time:
        return Place("", last)
    order = walked.c.started, walked.c.number
    row = connection.execute(select(*order).order_by(*order).limit(1)).one()
    return Place(row.started, row.number)


def _is_by_time(wanted: Wanted) -> bool:
    return bool((wanted.since or wanted.until) and not (wanted.bot or wanted.ended))


def _is_combined(wanted: Wanted) -> bool:
    conditions = (wanted.bot, wanted.rival, wanted.game or wanted.seats, wanted.ended, wanted.since or wanted.until)
    return sum(map(bool, conditions)) > 1


def _walk(connection: Connection, wanted: Wanted, after: Place | None, most: int) -> Subquery:
    """Return the next matches along the index that fits best, with their numbers as `number`."""
    if wanted.bot:
        return _along(SEATS.c.match, after, most, SEATS.c.entrant.in_(_entrant_ids(connection, wanted.bot)))
    if wanted.ended:
        return _along(SEATS.c.match, after, most, _ended(wanted.ended))
    if _is_by_time(wanted):
        return _along_time(wanted, after, most)
    if wanted.game or wanted.seats:
        ladders = _ladder_ids(connection, wanted)
        parts = [_along(MATCHES.c.id, after, most, MATCHES.c.ladder == ladder) for ladder in ladders]
        joined = union_all(*(select(part.c.number) for part in parts)).subquery()
        return select(joined.c.number).order_by(joined.c.number.desc()).limit(most).subquery()
    return _along(MATCHES.c.id, after, most)


def _along(number: Column[Any], after: Place | None, most: int, *conditions: ColumnElement[bool]) -> Subquery:
    query = select(number.label("number")).where(*conditions).distinct().order_by(number.desc()).limit(most)
    return (query.where(number < after.number) if after else query).subquery()


def _along_time(wanted: Wanted, after: Place | None, most: int) -> Subquery:
    started, number = MATCHES.c.started, MATCHES.c.id
    query = select(number.label("number"), started).where(*_within_days(wanted))
    if after:
        behind = (started < after.started) | ((started == after.started) & (number < after.number))
        query = query.where(started <= after.started, behind)
    return query.order_by(started.desc(), number.desc()).limit(most).subquery()


def _conditions(connection: Connection, wanted: Wanted, number: ColumnElement[int]) -> list[ColumnElement[bool]]:
    """Return the conditions that a match must meet, whether or not the walk ensures them."""
    found = _within_days(wanted)
    own = SEATS.c.entrant.in_(_entrant_ids(connection, wanted.bot)) if wanted.bot else None
    if wanted.ended:
        found.append(_has_seat(number, _ended(wanted.ended), *([] if own is None else [own])))
    if wanted.rival:
        found.append(_has_seat(number, SEATS.c.entrant.in_(_entrant_ids(connection, wanted.rival))))
    if wanted.game or wanted.seats:
        found.append(MATCHES.c.ladder.in_(_ladder_ids(connection, wanted)))
    return found


def _has_seat(number: ColumnElement[int], *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists(select(SEATS.c.seat).where(SEATS.c.match == number, *conditions))


def _ended(kind: str) -> ColumnElement[bool]:
    """Raise LeaderboardError for a termination that does not exist."""
    if kind == FAULT:
        return FAULTY
    try:
        return LOST & (SEATS.c.termination == termination_number(kind))
    except (ValueError, OverflowError) as error:
        raise LeaderboardError(f"no match ends with '{kind}'; write {FAULT}, or a kind such as TIMEOUT") from error


def _within_days(wanted: Wanted) -> list[ColumnElement[bool]]:
    """Times are strings that sort by time."""
    first = [MATCHES.c.started >= wanted.since.isoformat()] if wanted.since else []
    if wanted.until is None or wanted.until == date.max:
        return first
    return [*first, MATCHES.c.started < (wanted.until + timedelta(days=1)).isoformat()]


def _entrant_ids(connection: Connection, bot: BotVersion) -> list[int]:
    same = [ENTRANTS.c[name] == getattr(bot, name) for name in NAMES]
    return [*connection.execute(select(ENTRANTS.c.id).where(*same)).scalars()]


def _ladder_ids(connection: Connection, wanted: Wanted) -> list[int]:
    query: Select[tuple[int]] = select(LADDERS.c.id)
    query = query.where(LADDERS.c.game == wanted.game) if wanted.game else query
    query = query.where(LADDERS.c.seats == wanted.seats) if wanted.seats else query
    return [*connection.execute(query).scalars()] or [NO_LADDER]
