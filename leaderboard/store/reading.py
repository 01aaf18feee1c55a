"""Reading a results database: matches as arrays, or as objects where their names are needed too.

No row is believed without its seal: ValueError is raised where rows are damaged or missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.decisions import termination_name, termination_number
from ballcourt.arena.records.store import MOST_POINTS
from ballcourt.leaderboard.model.arrays import Columns, Rivals, Small
from ballcourt.leaderboard.model.filters import Filter, moment, nothing_since
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.model.results import OK, Ladder, MatchResult, RivalResult, SeatResult
from ballcourt.leaderboard.model.seals import RANGE, mixed, signed, text_seal
from ballcourt.leaderboard.store.packs import SEATED, Rows, Within, among, numbered, read_matches, read_rows
from ballcourt.leaderboard.store.tables import (
    ABOUT,
    LADDERS,
    MATCHES,
    RECORDS,
    RIVALS,
    SEATS,
    Owned,
    entrant_seal,
    ladder_seal,
    read_entrants,
    read_ladders,
    restored,
)

AT_ONCE: Final = 20_000
"""Matches that are read at a time."""
SEAT, ENTRANT, PLACE, SCORE, FAULT, TERMINATION, OWN = range(len(SEATED))
"""Columns of `Batch.seats`."""

Times = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entrants:
    """Entrants with their owners, sorted; `seals` are by their index."""

    owned: Sequence[Owned]
    seals: NDArray[np.uint64]
    numbers: Floats
    """The numbers by which the database knows them, in ascending order."""
    by_number: Integers
    """Their indices in this order."""

    def indices(self, numbers: Floats) -> Integers:
        """Return the indices of entrants that are known by numbers. Raises ValueError if some are missing."""
        found = np.searchsorted(self.numbers, numbers)
        if np.any(found == self.numbers.size) or not (self.numbers[found] == numbers).all():
            raise ValueError("entrants are missing")
        return np.asarray(self.by_number[found], np.int64)


def entrants_in(connection: Connection, numbers: Collection[int] | None = None) -> Entrants:
    """Return the entrants with these numbers, or all."""
    found = sorted((owned, number) for number, owned in read_entrants(connection, numbers).items())
    owned = [one for one, _ in found]
    known_by = np.array([number for _, number in found], np.float64)
    seals = np.array([entrant_seal(*one) for one in owned], np.uint64)
    by_number = np.argsort(known_by)
    return Entrants(owned, seals, known_by[by_number], by_number)


@dataclass(frozen=True, slots=True)
class Batch:
    """Matches of one ladder in the order of their numbers in the database."""

    ladder: Ladder
    known: Entrants
    number: Integers
    deal: Integers
    block: Integers
    seats: Floats
    """By column of `SEATED`, match and seat, where the entrant is an index of the known ones."""
    rivals: Rivals

    def part(self, rows: Integers) -> Batch:
        """Return some of the matches."""
        rivals = _chosen(self.rivals, rows, len(self.number))
        return replace(
            self,
            number=self.number[rows],
            deal=self.deal[rows],
            block=self.block[rows],
            seats=self.seats[:, rows],
            rivals=rivals,
        )


class Reader:
    """Reads the matches of a database within a transaction."""

    def __init__(self, connection: Connection, home: Path | None) -> None:
        """`home` is the folder that records may be below, see `tables`."""
        self.connection = connection
        self._home = home
        self.digest = str(connection.execute(select(ABOUT.c.digest)).scalar())
        self._rival_names: dict[str, int] = {}
        self._has_rivals = connection.execute(select(RIVALS.c.match).limit(1)).first() is not None
        self._ladders = read_ladders(connection)

    def columns(self, wanted: Filter) -> dict[Ladder, Columns]:
        """Return the wanted matches of each ladder as arrays; ladders are in canonical order.

        Raises LeaderboardError if no match is wanted.
        """
        parts: defaultdict[Ladder, list[tuple[Integers, Columns]]] = defaultdict(list)
        for batch in self._wanted(wanted):
            parts[batch.ladder].append((batch.number, self._columns(batch)))
        order = self._canonical_order() if any(ladder.seats == 1 for ladder in parts) else None
        return {ladder: _joined(parts.pop(ladder), order if ladder.seats == 1 else None) for ladder in sorted(parts)}

    def matches(self) -> Iterator[MatchResult]:
        """Yield all matches as objects."""
        total = 0
        for batch in self.batches():
            for match, record in self._objects(batch, numbered(int(batch.number[0]), int(batch.number[-1]) + 1)):
                total += record.seal
                yield match
        self._check_total(total, self.digest[16:])

    def chosen(self, numbers: Sequence[int]) -> dict[int, MatchResult]:
        """Return the matches with these numbers; those that are not there are left out."""
        within = among(numbers)
        rows = read_rows(self.connection, within)
        known = entrants_in(self.connection, {int(number) for number in np.unique(rows[1][:, ENTRANT]).tolist()})
        return {
            int(record.match): match
            for batch in self._by_ladder(rows, within, known)
            for match, record in self._objects(batch, within)
        }

    def _wanted(self, wanted: Filter) -> Iterator[Batch]:
        """Yield the wanted matches in batches. Raises LeaderboardError if there are none."""
        ladders = set(wanted.ladders(self._ladders.values()))
        batches = (batch for batch in self.batches() if batch.ladder in ladders)
        if not wanted.since:
            yield from batches
            return
        since, latest, found = moment(wanted.since).encode(), [b""], False
        numbers, started = self._started()
        for batch in batches:
            times = started[np.searchsorted(numbers, batch.number)]
            latest.append(max(times.tolist()))
            if (rows := np.flatnonzero(times >= since)).size:
                found = True
                yield batch.part(rows)
        if numbers.size and not found:
            raise nothing_since(wanted.since, max(latest).decode())

    def _started(self) -> tuple[Integers, NDArray[np.bytes_]]:
        """Return the numbers of all matches in ascending order, and when each of them began."""
        total, last = 0, -1
        found, started = [np.zeros(0, np.int64)], [np.zeros(0, "S20")]
        query = select(RECORDS).order_by(RECORDS.c.match).limit(AT_ONCE)
        while rows := self.connection.execute(query.where(RECORDS.c.match > last)).all():
            first, last = rows[0].match, rows[-1].match
            times = self._times(numbered(first, last + 1))
            for row in rows:
                _check_record(row, times[row.match])
                total += row.seal
            found.append(np.array([row.match for row in rows], np.int64))
            started.append(np.array([row.started.encode() for row in rows], "S20"))
        self._check_total(total, self.digest[16:])
        return np.concatenate(found), np.concatenate(started)

    def batches(self) -> Iterator[Batch]:
        """Yield all matches, in batches of one ladder each."""
        total, known = 0, entrants_in(self.connection)
        for within, rows in read_matches(self.connection):
            total += sum(rows[0][:, -1].tolist())
            yield from self._by_ladder(rows, within, known)
        self._check_total(total, self.digest[:16])

    def _by_ladder(self, found: Rows, within: Within, known: Entrants) -> Iterator[Batch]:
        """Yield matches in batches of one ladder each, given the rows of those within some numbers."""
        matches, seats = found
        seats[:, ENTRANT] = known.indices(seats[:, ENTRANT])
        ladders = np.unique(matches[:, 1])
        sizes = np.array([self._ladders[ladder].seats for ladder in ladders.tolist()])[
            np.searchsorted(ladders, matches[:, 1])
        ]
        if sizes.sum() != len(seats):
            raise ValueError("seats are missing")
        rivals = self._rivals(matches[:, 0], within)
        for ladder in ladders.tolist():
            rows = np.flatnonzero(matches[:, 1] == ladder)
            flat = (np.cumsum(sizes) - sizes)[rows][:, None] + np.arange(self._ladders[ladder].seats)
            number, _, deal, block, seal = matches[rows].T.copy()
            batch = Batch(
                self._ladders[ladder],
                known,
                number,
                deal,
                block,
                seats.T[:, flat],
                _chosen(rivals, rows, len(matches)),
            )
            self._check(batch, seal)
            yield batch

    def _rivals(self, numbers: Integers, within: Within) -> Rivals:
        query = select(RIVALS).where(within(RIVALS.c.match)).order_by(RIVALS.c.match, RIVALS.c.number)
        found = self.connection.execute(query).all() if self._has_rivals else []
        names = [self._rival_names.setdefault(row.name, len(self._rival_names)) for row in found]
        match = np.array([row.match for row in found], np.int64)
        return Rivals(
            [*self._rival_names],
            np.searchsorted(numbers, match),
            np.array(names, np.int64),
            np.array([row.placement for row in found], np.int64),
            np.array([row.score for row in found], np.float64),
        )

    def _check(self, batch: Batch, seal: Integers) -> None:
        """Raise ValueError if a match is not what it was when it was sealed."""
        seats, rivals = batch.seats, batch.rivals
        words = [values.view(np.uint64) for column, values in enumerate(seats) if column != ENTRANT]
        by_seat = mixed([batch.known.seals[seats[ENTRANT].astype(np.int64)], *words]).sum(axis=1)
        by_rival = np.zeros(len(seal), np.uint64)
        if rivals.match.size:
            begins = np.diff(rivals.match, prepend=-1) != 0
            place_in_match = np.arange(begins.size) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
            names = np.array([text_seal(name) for name in rivals.names], np.uint64)[rivals.name]
            numbers = (place_in_match, rivals.place, rivals.score)
            words = [values.astype(np.float64).view(np.uint64) for values in numbers]
            np.add.at(by_rival, rivals.match, mixed([names, *words]))
        deal, block = batch.deal.view(np.uint64), batch.block.view(np.uint64)
        wrong = mixed([ladder_seal(batch.ladder), deal, block, by_seat, by_rival]) != seal.view(np.uint64)
        if wrong.any():
            raise ValueError(f"the rows of match {batch.number[wrong][0]} do not match their seal")
        points = max(np.abs(seats[SCORE]).max(), np.abs(rivals.score).max(initial=0.0))
        if not points <= MOST_POINTS:
            raise ValueError(f"a score of {points:g} points is out of range")

    def _columns(self, batch: Batch) -> Columns:
        """Return a batch as arrays, in which an entrant stands once for each of its owners."""
        seats = batch.seats
        return Columns(
            entrants=[entrant for entrant, _ in batch.known.owned],
            owners=[(owner,) for _, owner in batch.known.owned],
            entrant=seats[ENTRANT].astype(np.int32),
            place=seats[PLACE].astype(np.int32),
            score=seats[SCORE].copy(),
            fault=seats[FAULT] != 0,
            vacated=seats[TERMINATION] != termination_number(OK),
            own=seats[OWN].copy(),
            deal=batch.deal,
            block=batch.block,
            rivals=batch.rivals,
        )

    def _objects(self, batch: Batch, within: Within) -> Iterator[tuple[MatchResult, Row[Any]]]:
        """Yield the matches of a batch, each with its row in `RECORDS`."""
        records = {row.match: row for row in self.connection.execute(select(RECORDS).where(within(RECORDS.c.match)))}
        rivals, times = self._rival_results(batch.rivals), self._times(within)
        for row, number in enumerate(batch.number.tolist()):
            _check_record(records[number], times[number])
            seats = list(zip(batch.seats[:, row].T.tolist(), times[number], strict=True))
            yield self._match(batch, records[number], seats, tuple(rivals[row])), records[number]

    def _match(
        self,
        batch: Batch,
        record: Row[Any],
        seats: Sequence[tuple[Sequence[float], Times]],
        rivals: tuple[RivalResult, ...],
    ) -> MatchResult:
        identity, key, deal, started, path, checksum = _words(record)
        results = tuple(_seat(batch.known, row, times) for row, times in seats)
        place = restored(path, self._home)
        return MatchResult(key, identity, deal, batch.ladder, results, rivals, started, place, checksum)

    def _times(self, within: Within) -> defaultdict[int, list[Times]]:
        """Return think time and longest think time of each seat, by match number."""
        found: defaultdict[int, list[Times]] = defaultdict(list)
        columns = SEATS.c.match, SEATS.c.think_us, SEATS.c.longest_think_us
        query = select(*columns).where(within(SEATS.c.match)).order_by(SEATS.c.match, SEATS.c.seat)
        for match, think_us, longest_us in self.connection.execute(query):
            found[match].append((int(think_us), int(longest_us)))
        return found

    def _rival_results(self, rivals: Rivals) -> defaultdict[int, list[RivalResult]]:
        found: defaultdict[int, list[RivalResult]] = defaultdict(list)
        values = (rivals.match.tolist(), rivals.name.tolist(), rivals.place.tolist(), rivals.score.tolist())
        for row, name, place, score in zip(*values, strict=True):
            found[row].append(RivalResult(rivals.names[name], place, score))
        return found

    def _canonical_order(self) -> Integers:
        """Return the numbers of all matches of one seat in canonical order."""
        query = select(RECORDS.c.key, RECORDS.c.identity, RECORDS.c.match).join_from(RECORDS, MATCHES).join(LADDERS)
        rows = sorted(tuple(row) for row in self.connection.execute(query.where(LADDERS.c.seats == 1)))
        return np.array([number for _, _, number in rows], np.int64)

    @staticmethod
    def _check_total(total: int, expected: str) -> None:
        if f"{total % RANGE:016x}" != expected:
            raise ValueError("matches are missing")


def _seat(known: Entrants, row: Sequence[float], times: Times) -> SeatResult:
    entrant, owner = known.owned[int(row[ENTRANT])]
    ended = termination_name(int(row[TERMINATION]))
    return SeatResult(entrant, int(row[PLACE]), row[SCORE], bool(row[FAULT]), ended, *times, row[OWN], owner)


def _words(record: Row[Any]) -> list[str]:
    return [getattr(record, column) for column in ("identity", "key", "deal", "started", "record", "checksum")]


def _check_record(record: Row[Any], times: Sequence[Times]) -> None:
    """Raise ValueError if a record, or a think time of its match, is not what it was when it was sealed."""
    if signed(text_seal(*_words(record), *(str(time) for both in times for time in both))) != record.seal:
        raise ValueError(f"the record of match {record.match} does not match its seal")


def _chosen(rivals: Rivals, rows: Integers, count: int) -> Rivals:
    """Return the rivals of some of `count` matches."""
    position = np.full(count, -1)
    position[rows] = np.arange(rows.size)
    kept = position[rivals.match] >= 0
    return Rivals(rivals.names, position[rivals.match[kept]], rivals.name[kept], rivals.place[kept], rivals.score[kept])


def _joined(parts: list[tuple[Integers, Columns]], order: Integers | None) -> Columns:
    """Put batches together, keeping the entrants that occur; with `order`, in the order of these match numbers."""
    numbers, pieces = np.concatenate([number for number, _ in parts]), [piece for _, piece in parts]
    rows = slice(None) if order is None else np.searchsorted(numbers, order[np.isin(order, numbers)])
    entrant = np.concatenate([piece.entrant for piece in pieces])
    known, index = _present(pieces[0], entrant)
    return Columns(
        entrants=[*known],
        owners=[*known.values()],
        entrant=index[entrant][rows],
        place=np.concatenate([piece.place for piece in pieces])[rows],
        score=np.concatenate([piece.score for piece in pieces])[rows],
        fault=np.concatenate([piece.fault for piece in pieces])[rows],
        vacated=np.concatenate([piece.vacated for piece in pieces])[rows],
        own=np.concatenate([piece.own for piece in pieces])[rows],
        deal=np.concatenate([piece.deal for piece in pieces])[rows],
        block=np.concatenate([piece.block for piece in pieces])[rows],
        rivals=_joined_rivals([piece.rivals for piece in pieces], [len(piece.deal) for piece in pieces], rows),
    )


def _present(columns: Columns, entrant: Small) -> tuple[dict[BotVersion, tuple[str, ...]], Small]:
    """Return the entrants that occur, with their owners, and by old number which of them each is."""
    known: dict[BotVersion, tuple[str, ...]] = {}
    index = np.zeros(len(columns.entrants), np.int32)
    for number in np.flatnonzero(np.bincount(entrant.ravel())).tolist():
        owners = filter(None, columns.owners[number])
        known[columns.entrants[number]] = (*known.get(columns.entrants[number], ()), *owners)
        index[number] = len(known) - 1
    return known, index


def _joined_rivals(pieces: Sequence[Rivals], sizes: Sequence[int], rows: slice | Integers) -> Rivals:
    """Put the rivals of batches with these numbers of matches together, for the matches in these rows."""
    names = pieces[-1].names  # which begin with those of the batches before
    offsets = np.repeat(np.cumsum(sizes) - sizes, [piece.match.size for piece in pieces])
    match = np.concatenate([piece.match for piece in pieces]) + offsets
    name = np.concatenate([piece.name for piece in pieces])
    position = np.empty(sum(sizes), np.int64)
    position[rows] = np.arange(position.size)
    present = sorted(np.unique(name).tolist(), key=names.__getitem__)
    rank = np.zeros(len(names), np.int64)
    rank[present] = np.arange(len(present))
    return Rivals(
        [names[index] for index in present],
        position[match],
        rank[name],
        np.concatenate([piece.place for piece in pieces]),
        np.concatenate([piece.score for piece in pieces]),
    )
