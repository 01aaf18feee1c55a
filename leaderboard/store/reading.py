"""Reading a results database: matches as arrays out of packs, or as objects where their names are needed too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import parse_json
from ballcourt.arena.records.decisions import termination_name, termination_number
from ballcourt.leaderboard.model.arrays import Columns, columns_of, rivals_of
from ballcourt.leaderboard.model.filters import Filter, moment, nothing_since
from ballcourt.leaderboard.model.results import OK, Ladder, MatchResult, RivalResult, SeatResult
from ballcourt.leaderboard.store import tables as at
from ballcourt.leaderboard.store.packs import HEAD, PACK, SEAT, pack_of, packed

STREAMED: Final = {"yield_per": 32}
"""How many packs are in memory at a time."""


class Reader:
    """Reads the matches of a database within a transaction. Raises ValueError where they are damaged."""

    def __init__(self, connection: Connection, home: Path | None) -> None:
        """`home` is the folder that records may be below, see `tables`."""
        self.connection = connection
        self._home = home
        self.ladders = at.read_ladders(connection)
        self._entrants: dict[int, at.Owned] = {}

    def columns(self, wanted: Filter) -> dict[Ladder, Columns]:
        """Return the wanted matches of each ladder as arrays; ladders are in canonical order.

        Raises LeaderboardError if no match is wanted.
        """
        since, latest, found = moment(wanted.since) if wanted.since else "", [""], dict[Ladder, Columns]()
        numbers = {ladder: number for number, ladder in self.ladders.items()}
        for ladder in sorted(wanted.ladders(numbers)):
            if ladder.seats == 1:  # in canonical order, which depends on names
                matches = [*self.matches(numbers[ladder])]
                latest += [match.started for match in matches]
                columns = columns_of(match for match in matches if match.started >= since)
            else:
                columns = self._columns(*self._unpacked(numbers[ladder], ladder.seats, since, latest))
            if len(columns.deal):
                found[ladder] = columns
        if since and not found and len(latest) > 1:
            raise nothing_since(wanted.since, max(latest))
        return found

    def matches(self, ladder: int | None = None) -> Iterator[MatchResult]:
        """Yield all matches as objects, or those of a ladder; their rows have the checksums of their packs."""
        query = select(at.PACKS.c.ladder, at.PACKS.c.number, at.PACKS.c.checksum)
        for pack in self.connection.execute(
            query if ladder is None else query.where(at.PACKS.c.ladder == ladder)
        ).all():
            first = pack.number * PACK
            found = self.chosen((at.MATCHES.c.ladder == pack.ladder) & at.MATCHES.c.id.between(first, first + PACK - 1))
            numbers = {owned: number for number, owned in self._entrants.items()}
            rows = [(number, match, at.stored(match.record, self._home)) for number, match in found.items()]
            if packed(rows, numbers).checksum != pack.checksum:
                raise ValueError(f"rows of matches {first} to {first + PACK - 1} were changed or removed")
            yield from found.values()

    def chosen(self, condition: ColumnElement[bool]) -> dict[int, MatchResult]:
        """Return matches by their numbers, as their rows say."""
        seats = self._seats(condition)
        rows = self.connection.execute(select(at.MATCHES).where(condition).order_by(at.MATCHES.c.id))
        found = {}
        for row in rows:
            rivals = tuple(RivalResult(*rival) for rival in parse_json(row.rivals))
            place, ladder = at.restored(row.record, self._home), self.ladders[row.ladder]
            found[row.id] = MatchResult(
                row.key, row.identity, row.deal, ladder, tuple(seats[row.id]), rivals, row.started, place, row.checksum
            )
        return found

    def first(self, query: Select[Any]) -> MatchResult | None:
        """Return the match whose number a query finds first; None if it finds none."""
        number = self.connection.execute(query.limit(1)).scalar()
        return self.chosen(at.MATCHES.c.id == number).get(number) if number else None

    def _seats(self, condition: ColumnElement[bool]) -> defaultdict[int, list[SeatResult]]:
        """Return the results of seats by the numbers of their matches."""
        query = select(at.SEATS).join(at.MATCHES).where(condition).order_by(at.SEATS.c.match, at.SEATS.c.seat)
        rows = self.connection.execute(query).all()
        self._read_entrants({row.entrant for row in rows})
        found: defaultdict[int, list[SeatResult]] = defaultdict(list)
        for match, _, number, placement, score, fault, termination, think_us, longest_us, own in rows:
            bot, owner = self._entrants[number]
            ended = termination_name(termination)
            found[match].append(SeatResult(bot, placement, score, fault, ended, think_us, longest_us, own, owner))
        return found

    def _read_entrants(self, numbers: Iterable[int]) -> None:
        if missing := {*numbers} - self._entrants.keys():
            self._entrants |= at.read_entrants(self.connection, missing)

    def _unpacked(self, ladder: int, seats: int, since: str, latest: list[str]) -> tuple[NDArray[np.void], list[str]]:
        """Return the matches of a ladder that began since a moment, and the lines of their rivals, see `packs`.

        The start of the last match is added to `latest`.
        """
        content, rivals = bytearray(), list[str]()
        query = select(at.PACKS).where(at.PACKS.c.ladder == ladder).order_by(at.PACKS.c.number)
        for row in self.connection.execute(query, execution_options=STREAMED):
            pack = pack_of(row)
            content += pack.content
            rivals += pack.rivals.splitlines()
        matches = np.frombuffer(content, np.dtype([*HEAD, ("seats", [*SEAT], (seats,))]))
        if since and len(matches):
            latest.append(max(matches["started"].tolist()).decode())
            matches = matches[matches["started"] >= since.encode()]
        return matches, rivals

    def _columns(self, matches: NDArray[np.void], lines: Sequence[str]) -> Columns:
        seats = matches["seats"]
        present = np.flatnonzero(np.bincount(seats["entrant"].ravel())).tolist()
        self._read_entrants(present)
        known: dict[BotVersion, tuple[str, ...]] = {}
        index = np.zeros(max(present, default=0) + 1, np.int32)
        for (bot, owner), number in sorted((self._entrants[number], number) for number in present):
            known[bot] = (*known.get(bot, ()), *filter(None, [owner]))
            index[number] = len(known) - 1
        row = {number: index for index, number in enumerate(matches["number"].tolist())} if lines else {}
        rivals = [(row[number], RivalResult(*rival)) for number, *rival in map(parse_json, lines) if number in row]
        return Columns(
            entrants=[*known],
            owners=[*known.values()],
            entrant=index[seats["entrant"]],
            place=seats["placement"].astype(np.int32),
            score=seats["score"].astype(np.float64),
            fault=seats["fault"].astype(np.bool_),
            vacated=seats["termination"] != termination_number(OK),
            own=seats["own"].astype(np.float64),
            deal=matches["deal"].astype(np.int64),
            block=matches["block"].astype(np.int64),
            rivals=rivals_of(rivals),
        )
