"""Writing results into a database: rows for lists of matches, and packs for ratings."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from ballcourt.arena.records.decisions import termination_number
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.store import tables as at
from ballcourt.leaderboard.store.packs import PACK, Pack, pack_of, packed

BATCH: Final = 500


class Writer:
    """Changes results within a transaction, which it makes wait for others that write."""

    def __init__(self, connection: Connection, home: Path | None) -> None:
        """`home` is the folder that records may be below; see `tables`. Raises ValueError if packs are damaged."""
        connection.execute(update(at.ABOUT).values(digest=at.ABOUT.c.digest))  # locks the row in every kind of database
        self.connection = connection
        self._home = home
        self._packs: dict[tuple[int, int], Pack] = {}
        """The packs in which matches came or went, by ladder and number."""
        at.checked_digest(connection)
        self._entrants: dict[at.Owned, int] = {owned: number for number, owned in at.read_entrants(connection).items()}
        self._ladders: dict[Ladder, int] = {ladder: number for number, ladder in at.read_ladders(connection).items()}

    def add(self, batch: Mapping[str, MatchResult]) -> int:
        """Insert or replace at most BATCH matches by identity; return how many were new or had another record."""
        self._introduce(batch.values())
        rows = {identity: self._row(match) for identity, match in batch.items()}
        known = {row.identity: row._asdict() for row in self._rows_of([*batch])}
        new = [one for one, row in rows.items() if one not in known or not row.items() <= known[one].items()]
        self.delete([identity for identity in new if identity in known])
        self._insert([(batch[identity], rows[identity]) for identity in new])
        return len(new)

    def delete(self, identities: Sequence[str]) -> None:
        """Delete matches; ignore those that are not there."""
        seats = {number: ladder.seats for ladder, number in self._ladders.items()}
        for start in range(0, len(identities), BATCH):
            found = self._rows_of(identities[start : start + BATCH])
            numbers = {row.id for row in found}
            for key in {(row.ladder, row.id // PACK) for row in found}:
                self._packs[key] = self._pack(key).without(seats[key[0]], numbers)
            self.connection.execute(delete(at.SEATS).where(at.SEATS.c.match.in_(numbers)))
            self.connection.execute(delete(at.MATCHES).where(at.MATCHES.c.id.in_(numbers)))

    def finish(self) -> None:
        """Write the packs that changed, and the digest."""
        for (ladder, number), pack in self._packs.items():
            self.connection.execute(delete(at.PACKS).where(at.PACKS.c.ladder == ladder, at.PACKS.c.number == number))
            if pack.content:
                row = {"ladder": ladder, "number": number, "checksum": pack.checksum}
                self.connection.execute(insert(at.PACKS).values(**row, content=pack.content, rivals=pack.rivals))
        self.connection.execute(update(at.ABOUT).values(digest=at.digest_of(self.connection)))

    def _introduce(self, matches: Iterable[MatchResult]) -> None:
        """Number the entrants and ladders that are new."""
        played = list(matches)
        seated = {(seat.entrant, seat.owner) for match in played for seat in match.seats}
        first = max(self._entrants.values(), default=0) + 1
        for number, (bot, owner) in enumerate(sorted(seated - self._entrants.keys()), first):
            self._entrants[bot, owner] = number
            self.connection.execute(insert(at.ENTRANTS).values(id=number, **asdict(bot), owner=owner))
        first = max(self._ladders.values(), default=0) + 1
        for number, ladder in enumerate(sorted({match.ladder for match in played} - self._ladders.keys()), first):
            self._ladders[ladder] = number
            row = {**asdict(ladder), "options": json.dumps(dict(ladder.options))}
            self.connection.execute(insert(at.LADDERS).values(id=number, **row))

    def _rows_of(self, identities: Sequence[str]) -> Sequence[Any]:
        """Return the rows in `MATCHES` of those matches that are there."""
        return self.connection.execute(select(at.MATCHES).where(at.MATCHES.c.identity.in_(identities))).all()

    def _row(self, match: MatchResult) -> dict[str, Any]:
        """Return the row of a match in `MATCHES`, without its number."""
        return {
            "ladder": self._ladders[match.ladder],
            "identity": match.identity,
            "key": match.key,
            "deal": match.deal,
            "started": match.started,
            "record": at.stored(match.record, self._home),
            "checksum": match.checksum,
            "rivals": json.dumps([(rival.name, rival.placement, rival.score) for rival in match.rivals]),
        }

    def _insert(self, matches: Sequence[tuple[MatchResult, dict[str, Any]]]) -> None:
        """Insert matches, given with their rows in `MATCHES` without their numbers."""
        if not matches:
            return
        last = self.connection.execute(select(func.max(at.MATCHES.c.id))).scalar() or 0
        numbered = list(enumerate(matches, start=last + 1))
        self.connection.execute(insert(at.MATCHES), [{"id": number, **row} for number, (_, row) in numbered])
        seats = [row for number, (match, _) in numbered for row in self._seat_rows(match, number)]
        self.connection.execute(insert(at.SEATS), seats)
        new: defaultdict[tuple[int, int], list[tuple[int, MatchResult, str]]] = defaultdict(list)
        for number, (match, row) in numbered:
            new[row["ladder"], number // PACK].append((number, match, row["record"]))
        for key, added in new.items():
            self._packs[key] = self._pack(key) + packed(added, self._entrants)

    def _seat_rows(self, match: MatchResult, number: int) -> Iterator[dict[str, Any]]:
        """Yield the rows of a match in `SEATS`."""
        for seat, result in enumerate(match.seats):
            yield {
                "match": number,
                "seat": seat,
                "entrant": self._entrants[result.entrant, result.owner],
                "placement": result.placement,
                "score": result.score,
                "fault": result.fault,
                "termination": termination_number(result.termination),
                "think_us": result.think_us,
                "longest_think_us": result.longest_think_us,
                "own": result.own,
            }

    def _pack(self, key: tuple[int, int]) -> Pack:
        """Return a pack as it is now. Raises ValueError if it is damaged."""
        if key not in self._packs:
            ladder, number = key
            query = select(at.PACKS).where(at.PACKS.c.ladder == ladder, at.PACKS.c.number == number)
            row = self.connection.execute(query).one_or_none()
            self._packs[key] = pack_of(row) if row else Pack()
        return self._packs[key]
