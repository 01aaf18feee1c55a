"""Bots of different teams whose files are the same or nearly so: shown to the organiser, who judges them.

Two bots are compared by what they have in common: of lines, runs of eight; of all other files, pieces. Space at the
ends of lines and empty lines are ignored, so renaming or reindenting a bot does not hide it. Equal archives are found
as soon as they are entered; files that differ in bot.toml alone, once they have been examined.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Connection, Row, func, select

from ballcourt.arena.bots.bot import BOT_FILE, NO_CONTENT
from ballcourt.arena.bots.contents import ContentsError, FolderItem, items
from ballcourt.arena.ladder.arrivals.handed import files_of
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.states import PASSED, SubmissionState

LINES: Final = 8
MOST_TEXT: Final = 1 << 20
"""Larger files are data."""
PIECE: Final = 1 << 16
"""How many bytes of data are compared at once; of 512 MB, 8,192 pieces are kept."""
ALIKE: Final = 0.9
MOST_GROUPS: Final = 100


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two submissions of different teams that are alike."""

    first: str
    second: str
    share: float
    """The share of what both have, of lines or of data, whichever is more."""


@dataclass(frozen=True, slots=True)
class Shingles:
    """What of the files of a bot is compared."""

    lines: frozenset[int] = frozenset()
    """The hashes of all runs of lines in text files; of short files, of all their lines."""
    data: frozenset[int] = frozenset()
    """The hashes of all pieces of other files, and of large ones."""

    def shared(self, other: "Shingles") -> float:
        """Return the share that both have, of lines or of data, whichever is more."""
        return max(_shared(self.lines, other.lines), _shared(self.data, other.data))

    def without(self, base: "Shingles") -> "Shingles":
        """Return what is not in a base too."""
        return Shingles(self.lines - base.lines, self.data - base.data)


def same_files(connection: Connection, newest: int | None = None) -> list[Sequence[Row[Any]]]:
    """Return groups of submissions that have the same archive, or the same files but for bot.toml, the newest first.

    Each is of several teams, in the order in which they came, with `owner`, the name of the team. With `newest`, only
    groups with one of that many submissions are looked for.
    """
    found = [
        row for column in (SUBMISSIONS.c.archive, SUBMISSIONS.c.files_hash) for row in _same(connection, column, newest)
    ]
    by_submissions = {tuple(row.id for row in group): group for group in found}
    return sorted(by_submissions.values(), key=lambda group: -group[-1].created)[:MOST_GROUPS]


def _same(connection: Connection, column: Column[Any], newest: int | None) -> Iterator[Sequence[Row[Any]]]:
    latest = select(column).order_by(SUBMISSIONS.c.created.desc(), SUBMISSIONS.c.number.desc()).limit(newest)
    is_of_several = func.min(SUBMISSIONS.c.team) < func.max(SUBMISSIONS.c.team)
    several = select(column).where(column != "", column.in_(latest)).group_by(column).having(is_of_several)
    several = several.order_by(func.max(SUBMISSIONS.c.created).desc()).limit(MOST_GROUPS)
    shared = connection.execute(several).scalars().all()
    rows = connection.execute(_owned().where(column.in_(shared)).order_by(column, SUBMISSIONS.c.created)).all()
    for _, group in groupby(rows, key=lambda row: row._mapping[column]):
        yield [*group]


def near_copies(contest: Contest, least: float = ALIKE, base: Path | None = None) -> Iterator[NearCopy]:
    """Yield submissions of different teams that share at least this much, the most alike first.

    The newest accepted ones of each bot are compared, and of all others those are found that have the same files. What
    is in the folder `base` too, such as a starter, does not count. Raises ContestError unless that is a folder.
    """
    if base and not base.is_dir():
        raise ContestError(f"--base is {base}, which is not a folder; name that of the bot that all began with")
    given = shingles(base) if base else Shingles()
    follow_ladder(contest)
    with contest.store.reading() as connection:
        rows = connection.execute(_owned().where(SUBMISSIONS.c.state.in_(PASSED)).order_by(SUBMISSIONS.c.created)).all()
        same = same_files(connection)
    newest = sorted({row.bot: row for row in rows}.values(), key=lambda row: float(row.created))
    output = contest.ladder.output
    whole = [(row, shingles(files_of(output, row.content_hash))) for row in newest]
    found = [(row, one.without(given)) for row, one in whole]
    plain = {row.files_hash for row, one in whole if row.files_hash and one != Shingles() == one.without(given)}
    shares = {
        (a, b): 1.0
        for group in same
        for a, b in combinations(group, 2)
        if a.team != b.team and not {a.files_hash, b.files_hash} <= plain
    }
    for (a, one), (b, other) in combinations(found, 2):
        if a.team != b.team and (share := one.shared(other)) >= least:
            shares.setdefault((a, b), share)
    pairs = [NearCopy(_named(a), _named(b), share) for (a, b), share in shares.items()]
    yield from sorted(pairs, key=lambda pair: -pair.share)


def _owned() -> Any:  # noqa: ANN401 - a select of SQLAlchemy
    joined = SUBMISSIONS.join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
    return select(SUBMISSIONS, TEAMS.c.name.label("owner")).select_from(joined)


def _named(row: Row[Any]) -> str:
    ended = f" ({row.state})" if row.state == SubmissionState.WITHDRAWN else ""
    return f"{row.owner} {row.bot} {row.version or f'(submission {row.number}, {row.state})'}{ended}"


def shingles(folder: Path) -> Shingles:
    """Return what of a bot's folder is compared; nothing if it is not there any more."""
    lines: set[int] = set()
    data: set[int] = set()
    try:
        for item in items(folder, NO_CONTENT):
            if item.handle >= 0 and item.path != BOT_FILE:
                text = _text(item)
                lines |= _of_text(text or "")
                data |= set() if text is not None else _of_data(item)
    except (ContentsError, OSError):  # a ladder that retires bots may remove their files
        return Shingles()
    return Shingles(frozenset(lines), frozenset(data))


def _text(item: FolderItem) -> str | None:
    """Return the content of a text file; None for other and large files."""
    if item.size > MOST_TEXT:
        return None
    try:
        return os.pread(item.handle, MOST_TEXT, 0).decode()
    except UnicodeDecodeError:
        return None


def _of_text(text: str) -> set[int]:
    lines = [stripped for line in text.splitlines() if (stripped := line.strip())]
    return {hash(tuple(lines[at : at + LINES])) for at in range(max(1, len(lines) - LINES + 1))} if lines else set()


def _of_data(item: FolderItem) -> set[int]:
    return {hash(os.pread(item.handle, PIECE, at)) for at in range(0, item.size, PIECE)}


def _shared(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
