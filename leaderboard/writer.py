"""Writing results into the tables of a database, with a digest of everything that is in them."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from ballcourt.leaderboard.results import MatchResult
from ballcourt.leaderboard.rows import ABOUT, MATCHES, RIVALS, SEATS, match_row, rival_rows, seat_rows

BATCH: Final = 500
EMPTY: Final = "0" * 64
"""The digest of a database without matches."""
_RANGE: Final = 1 << 256


class Writer:
    """Changes results within a transaction, which it makes wait for others that write.

    The digest is the sum of the hashes of all matches. So it does not depend on the order in which they came, and a
    match that comes or goes changes it at a cost that does not depend on how many there are.
    """

    def __init__(self, connection: Connection, home: Path | None) -> None:
        """`home` is the folder that records may be below; see `rows`."""
        connection.execute(update(ABOUT).values(schema=ABOUT.c.schema))  # locks the row in every kind of database
        self.connection = connection
        self._home = home
        self._sum = int(connection.execute(select(ABOUT.c.digest)).scalar_one(), 16)

    def add(self, batch: Mapping[str, MatchResult]) -> int:
        """Insert or replace matches by identity, at most BATCH; return how many were not there like this."""
        query = select(MATCHES.c.identity, MATCHES.c.checksum, MATCHES.c.seal).where(MATCHES.c.identity.in_(batch))
        known = {row.identity: (row.checksum, row.seal) for row in self.connection.execute(query)}
        rows = {identity: match_row(match, self._home) for identity, match in batch.items()}
        new = [name for name, row in rows.items() if known.get(name) != (row["checksum"], row["seal"])]
        self.delete([identity for identity in new if identity in known])
        if new:
            self.connection.execute(insert(MATCHES), [rows[identity] for identity in new])
            self.connection.execute(insert(SEATS), [row for identity in new for row in seat_rows(batch[identity])])
            self._sum += sum(_hash(str(rows[identity]["seal"]), str(rows[identity]["record"])) for identity in new)
        if rivals := [row for identity in new for row in rival_rows(batch[identity])]:
            self.connection.execute(insert(RIVALS), rivals)
        return len(new)

    def delete(self, identities: Sequence[str]) -> None:
        """Delete matches; ignore those that are not there."""
        for start in range(0, len(identities), BATCH):
            some = identities[start : start + BATCH]
            gone = self.connection.execute(select(MATCHES.c.seal, MATCHES.c.record).where(MATCHES.c.identity.in_(some)))
            self._sum -= sum(_hash(row.seal, row.record) for row in gone)
            for table in (RIVALS, SEATS, MATCHES):
                self.connection.execute(delete(table).where(table.c.identity.in_(some)))

    def clear(self) -> None:
        """Delete all matches."""
        for table in (RIVALS, SEATS, MATCHES):
            self.connection.execute(delete(table))
        self._sum = 0

    def finish(self) -> None:
        """Write the digest."""
        self.connection.execute(update(ABOUT).values(digest=f"{self._sum % _RANGE:064x}"))


def _hash(seal: str, record: str) -> int:
    """Hash a match with the place of its record, which may tell blocks apart."""
    return int.from_bytes(sha256(f"{seal} {record}".encode()).digest())
