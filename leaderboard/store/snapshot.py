"""The tables of a database, kept there as JSON so that they are fitted once after a change and not for every reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from ballcourt.arena.files import bounded
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError
from ballcourt.leaderboard.model.standings import Board, fitted
from ballcourt.leaderboard.store.kept import kept_in

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.arrays import Columns
    from ballcourt.leaderboard.store.database import Database

Boards = dict[Ladder, Board]
SQLITE = "sqlite:///"


def kept_boards(place: str, anchors: Collection[str] | None = None) -> Boards | None:
    """Return the tables that an SQLite database keeps of all its matches; None for other databases, and without them.

    `place` is a path or an URL. This needs no SQLAlchemy, whose import takes longer than all the rest.
    """
    path = place.removeprefix(SQLITE)
    kept = None if "://" in path or "?" in path else kept_in(Path(path), _question(anchors))
    with suppress(ValueError):
        return decoded(kept[0]) if kept else None
    return None


def boards_in(database: Database, anchors: Collection[str] | None = None) -> Boards:
    """Return the tables of a database: the kept ones if they are valid, else new ones, to be kept.

    Kept tables are valid until a match is added or removed, or as long as the writer of the database promises newer
    ones. Raises LeaderboardError if the database cannot be read, or if an anchor has not played.
    """
    if kept := database.kept(_question(anchors)):
        with suppress(ValueError):
            return decoded(kept[0])
    ladders, digest = database.contents()
    boards = fitted(ladders, anchors)
    with suppress(LeaderboardError):  # of a database that may only be read
        database.keep(_question(anchors), digest, encoded(boards))
    return boards


def version(database: Database) -> tuple[str, str | None]:
    """Return what differs whenever `boards_of` returns other tables.

    It is the digest of the matches, and that of those with kept tables, if there are any. Raises LeaderboardError.
    """
    _, about = database.kept(_question(None)) or ("", None)
    return database.digest(), about


def boards_of(database: Database, ladders: Mapping[Ladder, Columns]) -> Boards:
    """Return the tables of contents that were read from a database.

    A process that fills a database may fit it too, and promise to. Then these are the tables that it keeps, which may
    lack the latest matches. Else they are new ones. Raises LeaderboardError.
    """
    if kept := database.kept(_question(None)):
        with suppress(ValueError):
            boards = decoded(kept[0])
            bots = {ladder: {row.entrant for row in board.rows} for ladder, board in boards.items()}
            if bots == {ladder: {*columns.entrants} for ladder, columns in ladders.items()}:
                return boards
    return fitted(ladders)


def refresh(database: Database, promise_s: Callable[[], int] = int) -> None:
    """Have a database keep the tables of the matches that it has now; do nothing if it does.

    `promise_s` returns, after the fit, for how many seconds they stay valid while matches are added. Raises
    LeaderboardError.
    """
    now, about = version(database)
    if now != about:
        ladders, digest = database.contents()
        answer = encoded(fitted(ladders))
        database.keep(_question(None), digest, answer, promise_s=promise_s())


def encoded(boards: Boards) -> str:
    """Write tables as JSON, without loss."""
    return json.dumps([(asdict(ladder), asdict(board)) for ladder, board in boards.items()])


def decoded(text: str) -> Boards:
    """Read tables from JSON. Raises ValueError if it is anything else."""
    return dict(_tables().validate_json(bounded(text.encode(errors="surrogatepass")), strict=True))


@cache
def _tables() -> TypeAdapter[list[tuple[Ladder, Board]]]:
    return TypeAdapter(list[tuple[Ladder, Board]])


def _question(anchors: Collection[str] | None) -> str:
    """Hash what a table depends on besides the results: the anchors, and the code that makes it."""
    return sha256(json.dumps([_code(), anchors if anchors is None else sorted(set(anchors))]).encode()).hexdigest()


@cache
def _code() -> str:
    """Hash the code of the leaderboard, so that no version shows the tables of another."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
