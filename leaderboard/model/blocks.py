"""Which matches belong together: the blocks of results, whose matches are not independent."""

import re
from typing import Final

from ballcourt.leaderboard.model.results import MatchResult

ROTATION: Final = re.compile(r"(.*)-r\d+")
"""The key of a match in a schedule: that of its block and the number of the seat rotation."""


def block_name(match: MatchResult, record: str) -> tuple[str, str]:
    """Return what matches of the same entrants have in common if they are one block.

    It is the block that their keys name (b000012-r0, b000012-r1), with the folder of their records, as several
    tournaments may use the same keys; or, where keys name no block, the deal. `record` is the path of the record.
    """
    named = ROTATION.fullmatch(match.key)
    if named:
        return named[1], record.rpartition("/")[0]
    return "", match.deal
