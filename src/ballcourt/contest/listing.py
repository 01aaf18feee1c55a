"""The lists of organisers: people, teams, bots, lost seats and decisions, searched and counted as a whole.

A page is what the database, or the names in a folder, give for it, so it costs the same however long the list is.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from ballcourt.arena.faults import short_name
from ballcourt.arena.records.bundle import FAULTS, read_bundle
from ballcourt.arena.records.store import RecordError
from ballcourt.contest.people.accounts import with_teams
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, AUDIT, BOTS, MEMBERS, TEAMS

SHOWN: Final = 100
"""How many rows a page lists."""
BUNDLE: Final = re.compile(r"(?P<entry>.+?-r\d{1,4}-seat\d{1,2})-(?P<bot>.+)")
"""The name of the folder of a lost seat."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a list is asked for."""

    search: str = ""
    """What one of the words of a row contains, in upper or lower case; empty for all rows."""
    state: str = ""
    page: int = 0
    """The number of a page, from 0 on."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a list."""

    rows: Sequence[Any]
    has_more: bool
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many rows are in each state, on all pages, whatever is searched for."""


@dataclass(frozen=True, slots=True)
class LostSeat:
    """A seat that a bot lost."""

    entry: str
    """The match and the seat, such as b000012-r1-seat0."""
    bot: str
    how: str
    """In a word, such as CRASH; empty if the bundle cannot be read."""
    when: datetime


def page_of(
    connection: Connection,
    rows: Select[Any],
    state: ColumnElement[Any],
    places: Sequence[ColumnElement[Any]],
    asked: Asked,
    *counted: ColumnElement[bool],
) -> Listing:
    """Return a page of rows, of which `places` are searched, with how many there are of all that are `counted`."""
    if asked.state:
        rows = rows.where(state == asked.state)
    if asked.search:
        rows = rows.where(or_(*(column.icontains(asked.search, autoescape=True) for column in places)))
    found = connection.execute(rows.limit(SHOWN + 1).offset(asked.page * SHOWN)).all()
    return Listing(found[:SHOWN], len(found) > SHOWN, counts_of(connection, state, *counted))


def counts_of(connection: Connection, state: ColumnElement[Any], *wanted: ColumnElement[bool]) -> dict[str, int]:
    """Return how many rows there are in each state."""
    counted = select(state, func.count()).where(*wanted).group_by(state).order_by(state)
    return {str(row[0]): int(row[1]) for row in connection.execute(counted)}


def people(connection: Connection, asked: Asked) -> Listing:
    """Return accounts, the newest first, with `team_name`."""
    order = ACCOUNTS.c.created.desc(), ACCOUNTS.c.id
    places = (ACCOUNTS.c.handle, ACCOUNTS.c.shown, ACCOUNTS.c.email, ACCOUNTS.c.role, TEAMS.c.name)
    return page_of(connection, with_teams().order_by(*order), ACCOUNTS.c.state, places, asked)


def teams(connection: Connection, asked: Asked) -> Listing:
    """Return teams, the newest first, with how many `members` and `bots` they have."""
    here = (MEMBERS.c.team == TEAMS.c.id) & MEMBERS.c.left.is_(None)
    counts = (
        select(func.count()).where(wanted).scalar_subquery().label(name)
        for name, wanted in (("members", here), ("bots", BOTS.c.team == TEAMS.c.id))
    )
    rows = select(TEAMS, *counts).order_by(TEAMS.c.created.desc(), TEAMS.c.id)
    return page_of(connection, rows, TEAMS.c.state, (TEAMS.c.name,), asked)


def bots(connection: Connection, asked: Asked) -> Listing:
    """Return bots, the newest first, with `team_name`."""
    joined = BOTS.join(TEAMS, TEAMS.c.id == BOTS.c.team)
    rows = select(BOTS, TEAMS.c.name.label("team_name")).select_from(joined)
    rows = rows.order_by(BOTS.c.created.desc(), BOTS.c.id)
    return page_of(connection, rows, BOTS.c.state, (BOTS.c.name, TEAMS.c.name), asked)


def decided(connection: Connection, asked: Asked) -> Listing:
    """Return decisions, the newest first; their states are actions."""
    places = (AUDIT.c.who, AUDIT.c.subject, AUDIT.c.reason)
    return page_of(connection, select(AUDIT).order_by(AUDIT.c.number.desc()), AUDIT.c.action, places, asked)


def sizes(connection: Connection, contest: Contest) -> dict[str, int]:
    """Return how many rows each list has. Raises OSError."""
    tables = {"people": ACCOUNTS, "teams": TEAMS, "bots": BOTS, "decisions": AUDIT}
    counted = {name: select(func.count()).select_from(table) for name, table in tables.items()}
    found = {name: int(connection.execute(query).scalar_one()) for name, query in counted.items()}
    return {**found, "faults": len(_bundles(contest))}


def names_in(folder: Path) -> list[str]:
    """Return the names of what is in a folder; none if there is no folder. Raises OSError."""
    try:
        with os.scandir(folder) as found:
            return [entry.name for entry in found]
    except FileNotFoundError:
        return []


def _bundles(contest: Contest) -> list[str]:
    return [*filter(BUNDLE.match, names_in(contest.ladder.output / FAULTS))]


def lost_seats(contest: Contest, asked: Asked) -> Listing:
    """Return the seats that bots lost, by the keys of their matches, the last one first. Raises OSError."""
    folder, first = contest.ladder.output / FAULTS, asked.page * SHOWN
    names = sorted(_bundles(contest), reverse=True)
    wanted = [name for name in names if asked.search.casefold() in name.casefold()]
    rows = [seat for name in wanted[first : first + SHOWN] for seat in _lost(folder / name)]
    return Listing(rows, len(wanted) > first + SHOWN, {"kept": len(names)})


def _lost(bundle: Path) -> Iterator[LostSeat]:
    """Yield what is known of a lost seat, unless its match is being played again."""
    found = BUNDLE.fullmatch(bundle.name)
    with suppress(FileNotFoundError):
        when, how = datetime.fromtimestamp(bundle.stat().st_mtime, UTC), ""
        with suppress(RecordError):
            how = short_name(read_bundle(bundle).termination)
        assert found, "only bundles are listed"
        yield LostSeat(found["entry"], found["bot"], how, when)
