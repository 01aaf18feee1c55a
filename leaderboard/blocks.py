"""Which matches belong together: the blocks of results, whose matches are not independent."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ballcourt.leaderboard.results import Entrant, MatchResult

ROTATION: Final = re.compile(r"(.*)-r\d+")
"""The key of a match in a schedule: that of its block and the number of the seat rotation."""

Group = tuple[str, str, frozenset[Entrant]]


def block_numbers(matches: Sequence[MatchResult]) -> list[int]:
    """Number the block of each match from 0.

    Matches of the same entrants are one block if their keys name the same block (b000012-r0, b000012-r1), or, where
    keys name no block, if they have the same deal. Where a key occurs twice because several tournaments share a
    database, the records of a block are also in one folder or, where that is not known, have the same deal. Every other
    match is a block of its own.
    """
    named = [_named(match) for match in matches]
    keys = Counter((match.key, entrants) for match, (_, entrants) in zip(matches, named, strict=True))
    repeated = {group for match, group in zip(matches, named, strict=True) if keys[match.key, group[1]] > 1}
    numbers: defaultdict[Group, int] = defaultdict(lambda: len(numbers))
    return [
        numbers[name, _apart(match, name) if not name or (name, entrants) in repeated else "", entrants]
        for match, (name, entrants) in zip(matches, named, strict=True)
    ]


def _apart(match: MatchResult, name: str) -> str:
    """Return what tells blocks of one name apart: the folder of the record if it is known, else the deal."""
    return str(Path(match.record).parent) if name and match.record else match.deal


def _named(match: MatchResult) -> tuple[str, frozenset[Entrant]]:
    """Return the block's part of the key, empty if it has none, and the entrants."""
    found = ROTATION.fullmatch(match.key)
    return found[1] if found else "", frozenset(seat.entrant for seat in match.seats)
