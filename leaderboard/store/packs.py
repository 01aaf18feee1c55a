"""Packs: what ratings are made of, in one value with one checksum for many matches of a ladder.

The pack with number n has the ladder's matches with numbers from n * PACK to (n + 1) * PACK - 1, in this order. It is
written with the matches themselves, without NumPy, whose import takes longer than that.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Any, Final
from zlib import crc32

from ballcourt.arena.files import parse_json
from ballcourt.arena.records.decisions import termination_number
from ballcourt.leaderboard.model.results import MatchResult, block_name
from ballcourt.leaderboard.store.tables import Owned

PACK: Final = 1024
"""How many numbers of matches belong to a pack. Databases depend on it."""
HEAD: Final = (("number", "<i4"), ("names", "<u4"), ("started", "S20"), ("deal", "<i8"), ("block", "<i8"))
"""What a pack has of a match, as fields of a NumPy array; `names` is a checksum of what only lists show."""
SEAT: Final = (
    ("entrant", "<i4"), ("placement", "<i4"), ("score", "<f8"), ("fault", "?"), ("termination", "<i4"), ("own", "<f8"),
)  # fmt: skip
"""What follows of each seat."""
_HEAD: Final = Struct("<iI20sqq")
_SEAT: Final = Struct("<iid?id")


@dataclass(frozen=True, slots=True)
class Pack:
    """The matches of a pack, and a line of JSON for each of their rivals: match, name, placement and points."""

    content: bytes = b""
    rivals: str = ""

    def __add__(self, later: "Pack") -> "Pack":
        return Pack(self.content + later.content, self.rivals + later.rivals)

    @property
    def checksum(self) -> int:
        """The checksum of everything in it."""
        return crc32(self.rivals.encode(), crc32(self.content))

    def without(self, seats: int, numbers: set[int]) -> "Pack":
        """Return the pack without the matches that have these numbers; `seats` are those of its ladder."""
        size = _HEAD.size + seats * _SEAT.size
        matches = [self.content[start : start + size] for start in range(0, len(self.content), size)]
        kept = [match for match in matches if _HEAD.unpack_from(match)[0] not in numbers]
        rivals = [line for line in self.rivals.splitlines(keepends=True) if parse_json(line)[0] not in numbers]
        return Pack(b"".join(kept), "".join(rivals))


def pack_of(row: Any) -> Pack:  # noqa: ANN401 - a row of the table
    """Return the pack in a row of `PACKS`. Raises ValueError if it was changed."""
    pack = Pack(row.content, row.rivals)
    if pack.checksum != row.checksum:
        raise ValueError(f"pack {row.number} of ladder {row.ladder} was changed")
    return pack


def packed(matches: Sequence[tuple[int, MatchResult, str]], entrants: Mapping[Owned, int]) -> Pack:
    """Write matches of one ladder, given with their numbers and with the paths of their records as stored."""
    content, rivals = bytearray(), []
    for number, match, record in matches:
        content += _HEAD.pack(
            number,
            _names(match, record),
            match.started.encode(),
            _hashed(match.deal),
            _hashed(*block_name(match, record)),
        )
        for seat in match.seats:
            ended, entrant = termination_number(seat.termination), entrants[seat.entrant, seat.owner]
            content += _SEAT.pack(entrant, seat.placement, seat.score, seat.fault, ended, seat.own)
        rivals += [json.dumps((number, rival.name, rival.placement, rival.score)) + "\n" for rival in match.rivals]
    return Pack(bytes(content), "".join(rivals))


def _names(match: MatchResult, record: str) -> int:
    """Return a checksum of what results have besides what ratings are made of."""
    times = [str(time) for seat in match.seats for time in (seat.think_us, seat.longest_think_us)]
    names = (match.identity, match.key, match.deal, match.started, record, match.checksum, *times)
    return crc32("\0".join(names).encode())


def _hashed(*words: str) -> int:
    """Hash strings to an integer from -2^63 to 2^63 - 1."""
    return int.from_bytes(sha256(json.dumps(words).encode()).digest()[:8], signed=True)
