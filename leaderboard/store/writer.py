"""Writing results into the tables of a database, with a digest of everything that is in them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.seals import RANGE
from ballcourt.leaderboard.store.tables import (
    ABOUT,
    ENTRANTS,
    LADDERS,
    MATCHES,
    OF_MATCH,
    PACK,
    PACKS,
    RECORDS,
    RIVALS,
    SEATS,
    Numbers,
    Row,
    entrant_row,
    ladder_row,
    last_match,
    match_row,
    read_entrants,
    read_ladders,
    record_row,
    rival_rows,
    seat_rows,
)

BATCH: Final = 500
EMPTY: Final = "0" * 32
"""The digest of a database without matches."""


class Writer:
    """Changes results within a transaction, which it makes wait for others that write.

    The digest has the sum of the seals in `matches` and the sum of those in `records`. So it does not depend on the
    order in which matches came, and one that comes or goes changes it at a cost that does not depend on how many there
    are.
    """

    def __init__(self, connection: Connection, home: Path | None) -> None:
        """`home` is the folder that records may be below; see `rows`."""
        connection.execute(update(ABOUT).values(digest=ABOUT.c.digest))  # locks the row in every kind of database
        self.connection = connection
        self._home = home
        digest = connection.execute(select(ABOUT.c.digest)).scalar_one()
        self._sums = [int(digest[:16], 16), int(digest[16:], 16)]
        self._changed: set[int] = set()
        """The packs in which matches came or went."""
        self._entrants = {owned: number for number, owned in read_entrants(connection).items()}
        self._ladders = {ladder: number for number, ladder in read_ladders(connection).items()}

    def add(self, batch: Mapping[str, MatchResult]) -> int:
        """Insert or replace at most BATCH matches by identity; return how many were new or different."""
        numbers = self._introduce(batch.values())
        rows = {
            identity: (match_row(match, self._home, numbers), record_row(match, self._home))
            for identity, match in batch.items()
        }
        known = {row.identity: (row.seal, row.record_seal) for row in self._rows_of([*batch])}
        new = [one for one, (row, record) in rows.items() if known.get(one) != (row["seal"], record["seal"])]
        self.delete([identity for identity in new if identity in known])
        self._insert([batch[identity] for identity in new], [rows[identity] for identity in new], numbers)
        return len(new)

    def delete(self, identities: Sequence[str]) -> None:
        """Delete matches; ignore those that are not there."""
        for start in range(0, len(identities), BATCH):
            found = self._rows_of(identities[start : start + BATCH])
            self._sums[0] -= sum(row.seal for row in found)
            self._sums[1] -= sum(row.record_seal for row in found)
            self._changed.update(row.match // PACK for row in found)
            for table, number in reversed(OF_MATCH.items()):
                self.connection.execute(delete(table).where(number.in_([row.match for row in found])))

    def clear(self) -> None:
        """Delete all matches."""
        for table in (PACKS, *reversed(OF_MATCH)):
            self.connection.execute(delete(table))
        self._sums = [0, 0]

    def finish(self) -> None:
        """Write the packs that changed, and the digest."""
        if self._changed:
            self._pack()
        digest = "".join(f"{total % RANGE:016x}" for total in self._sums)
        self.connection.execute(update(ABOUT).values(digest=digest))

    def _introduce(self, matches: Iterable[MatchResult]) -> Numbers:
        """Number the entrants and ladders that are new; return the numbers of all."""
        played = list(matches)
        seated = {(seat.entrant, seat.owner) for match in played for seat in match.seats}
        for owned in sorted(seated - self._entrants.keys()):
            self._entrants[owned] = number = max(self._entrants.values(), default=0) + 1
            self.connection.execute(insert(ENTRANTS), entrant_row(owned, number))
        for ladder in sorted({match.ladder for match in played} - self._ladders.keys()):
            self._ladders[ladder] = number = max(self._ladders.values(), default=0) + 1
            self.connection.execute(insert(LADDERS), ladder_row(ladder, number))
        return Numbers(self._entrants, self._ladders)

    def _rows_of(self, identities: Sequence[str]) -> Sequence[Any]:
        """Return number, identity and both seals of those matches that are there."""
        columns = RECORDS.c.match, RECORDS.c.identity, RECORDS.c.seal.label("record_seal"), MATCHES.c.seal
        query = select(*columns).join_from(RECORDS, MATCHES).where(RECORDS.c.identity.in_(identities))
        return self.connection.execute(query).all()

    def _insert(self, matches: Sequence[MatchResult], rows: Sequence[tuple[Row, Row]], numbers: Numbers) -> None:
        """Insert matches, whose rows in `MATCHES` and `RECORDS` are given without their numbers."""
        if not matches:
            return
        numbered = list(enumerate(matches, start=last_match(self.connection) + 1))
        all_rows = {
            MATCHES: [{"id": number, **row} for (number, _), (row, _) in zip(numbered, rows, strict=True)],
            RECORDS: [{"match": number, **row} for (number, _), (_, row) in zip(numbered, rows, strict=True)],
            SEATS: [row for number, match in numbered for row in seat_rows(match, number, numbers)],
            RIVALS: [row for number, match in numbered for row in rival_rows(match, number)],
        }
        for table, found in all_rows.items():
            if found:
                self.connection.execute(insert(table), found)
        self._sums[0] += sum(row["seal"] for row in all_rows[MATCHES])
        self._sums[1] += sum(row["seal"] for row in all_rows[RECORDS])
        self._changed.update(number // PACK for number, _ in numbered)

    def _pack(self) -> None:
        """Write the packs that changed again, once all their numbers have been given to matches."""
        self.connection.execute(delete(PACKS).where(PACKS.c.number.in_(self._changed)))
        last = last_match(self.connection)
        if complete := [number for number in sorted(self._changed) if (number + 1) * PACK <= last + 1]:
            from ballcourt.leaderboard.store.packs import write_packs  # NumPy, which is seldom needed to write

            write_packs(self.connection, complete)
