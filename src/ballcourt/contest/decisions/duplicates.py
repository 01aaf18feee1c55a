"""Bots of different teams whose files are nearly the same: shown to the organiser, never judged alone.

Two bots are compared by their shingles, which are runs of eight lines: how many of all they have in common. Lines count
without the space around them, empty ones not at all, so a bot that was renamed or indented anew is still found.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

from sqlalchemy import select

from ballcourt.arena.bots.bot import NO_CONTENT
from ballcourt.arena.bots.contents import ContentsError, ItemKind, items
from ballcourt.arena.files import read_regular
from ballcourt.arena.ladder.arrivals.handed import files_of
from ballcourt.contest.entering.states import PASSED
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS, TEAMS

LINES: Final = 8
MOST_FILE: Final = 1 << 20
"""Larger files are data."""
ALIKE: Final = 0.9


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two submissions of different teams that are alike."""

    first: str
    second: str
    share: float
    """The share of their shingles that both have."""


def near_copies(contest: Contest, least: float = ALIKE) -> Iterator[NearCopy]:
    """Yield the newest accepted submissions of different teams that share at least this much, the most alike first."""
    with contest.store.reading() as connection:
        joined = SUBMISSIONS.join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
        rows = connection.execute(
            select(SUBMISSIONS, TEAMS.c.name.label("owner"))
            .select_from(joined)
            .where(SUBMISSIONS.c.state.in_(PASSED))
            .order_by(SUBMISSIONS.c.created)
        ).all()
    newest = {row.bot: row for row in rows}
    output = Path(str(contest.ladder.output))
    found = [(row, shingles(files_of(output, row.content_hash))) for row in newest.values()]
    pairs = [
        NearCopy(f"{a.owner} {a.bot} {a.version}", f"{b.owner} {b.bot} {b.version}", share)
        for (a, one), (b, other) in combinations(found, 2)
        if a.team != b.team and (share := _shared(one, other)) >= least
    ]
    yield from sorted(pairs, key=lambda pair: -pair.share)


def shingles(folder: Path) -> frozenset[int]:
    """Return the hashes of all runs of lines in the text files of a folder; of short files, of all their lines."""
    found: set[int] = set()
    try:
        for item in items(folder, NO_CONTENT):
            if item.kind in (ItemKind.FILE, ItemKind.PROGRAM) and item.size <= MOST_FILE and item.path != "bot.toml":
                found |= _of_text(read_regular(folder / item.path, MOST_FILE))
    except (ContentsError, OSError):  # a ladder that retires bots may remove their files
        return frozenset()
    return frozenset(found)


def _of_text(data: bytes) -> set[int]:
    try:
        lines = [stripped for line in data.decode().splitlines() if (stripped := line.strip())]
    except UnicodeDecodeError:
        return set()
    return {hash(tuple(lines[at : at + LINES])) for at in range(max(1, len(lines) - LINES + 1))} if lines else set()


def _shared(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
