"""The tables of a database, kept there as JSON so that they are fitted once after a change and not for every reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, cast, get_args, get_origin, get_type_hints

from ballcourt.leaderboard.model.results import Entrant, Ladder, LeaderboardError
from ballcourt.leaderboard.model.standings import Board, board_of
from ballcourt.leaderboard.store.kept import kept_in

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.store.database import Contents, Database

Boards = dict[Ladder, Board]
SQLITE = "sqlite:///"

Reader = Callable[[object], object]


def kept_boards(place: str, anchors: Collection[str] = ()) -> Boards | None:
    """Return the tables that an SQLite database keeps of all its matches; None for other databases, and without them.

    `place` is a path or an URL. This needs no SQLAlchemy, whose import takes longer than all the rest.
    """
    path = place.removeprefix(SQLITE)
    kept = None if "://" in path or "?" in path else kept_in(Path(path), _question(anchors))
    with suppress(ValueError):
        return decoded(kept) if kept else None
    return None


def chosen_boards(database: Database, wanted: Filter, anchors: Collection[str] = ()) -> Boards:
    """Fit the wanted matches of a database; these tables are not kept.

    Raises LeaderboardError also if no match is wanted, or if an anchor has not played.
    """
    return _fitted(database.contents(wanted), anchors)


def boards_in(database: Database, anchors: Collection[str] = ()) -> Boards:
    """Return the tables of a database: the kept ones if they are valid, else new ones, to be kept.

    Kept tables are valid until a match is added or removed, or as long as the writer of the database promises newer
    ones. Raises LeaderboardError if the database cannot be read, or if an anchor has not played.
    """
    if kept := database.kept(_question(anchors)):
        with suppress(ValueError):
            return decoded(kept)
    contents = database.contents()
    boards = _fitted(contents, anchors)
    with suppress(LeaderboardError):  # of a database that may only be read
        database.keep(_question(anchors), contents.digest, encoded(boards))
    return boards


def version(database: Database) -> tuple[str, str | None]:
    """Return what differs whenever `boards_of` returns other tables.

    It is the digest of the matches, and that of those with kept tables, if there are any. Raises LeaderboardError.
    """
    return database.digest(), database.kept_about(_question(()))


def boards_of(database: Database, contents: Contents) -> Boards:
    """Return the tables of contents that were read from a database.

    Whoever fills a database may fit it too, and promise to. Then these are the tables that it keeps, which may lack
    the latest matches. Else they are new ones. Raises LeaderboardError.
    """
    for digest in (contents.digest, None):
        if kept := database.kept(_question(()), digest):
            with suppress(ValueError):
                boards = decoded(kept)
                if _bots_of(boards) == {ladder: {*columns.entrants} for ladder, columns in contents.ladders.items()}:
                    return boards
    return _fitted(contents)


def _bots_of(boards: Boards) -> dict[Ladder, set[Entrant]]:
    return {ladder: {row.entrant for row in board.rows} for ladder, board in boards.items()}


def refresh(database: Database, promise_s: Callable[[], int] = int) -> None:
    """Have a database keep the tables of the matches that it has now; do nothing if it does.

    `promise_s` returns, after the fit, for how many seconds they stay valid while matches are added. Raises
    LeaderboardError.
    """
    question = _question(())
    if database.kept(question, database.digest()):
        return
    contents = database.contents()
    answer = encoded(_fitted(contents))
    database.keep(question, contents.digest, answer, promise_s=promise_s())


def encoded(boards: Boards) -> str:
    """Write tables as JSON, without loss."""
    return json.dumps(_plain(boards))


def decoded(text: str) -> Boards:
    """Read tables from JSON. Raises ValueError if it is anything else."""
    try:
        return cast(Boards, _reader(Boards)(json.loads(text)))
    except (RecursionError, TypeError) as error:  # a TypeError for a key of a mapping that cannot be one
        raise ValueError(f"these are no tables: {error}") from error


def _fitted(contents: Contents, anchors: Collection[str] = ()) -> Boards:
    return {ladder: board_of(columns, anchors) for ladder, columns in contents.ladders.items()}


def _question(anchors: Collection[str]) -> str:
    """Hash what a table depends on besides the results: the anchors, and the code that makes it."""
    return sha256(json.dumps([_code(), sorted(set(anchors))]).encode()).hexdigest()


@cache
def _code() -> str:
    """Hash the code of the leaderboard, so that no version shows the tables of another."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


@cache
def _reader(kind: object) -> Reader:
    """Return a function that returns a value of a type as `_plain` wrote it, or raises ValueError."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return _object_reader(kind)
    if origin is UnionType:  # X | None
        return _optional_reader(_reader(inner[0]))
    if origin is list or (origin is tuple and inner[-1] is ...):
        return _many_reader(_reader(inner[0]), origin)
    if origin is tuple:
        return _few_reader([_reader(one) for one in inner])
    if origin in (dict, Mapping):
        return _many_reader(_few_reader([_reader(one) for one in inner]), dict)
    return _expecting(kind)


def _object_reader(kind: type) -> Reader:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def read(value: object) -> object:
        if not isinstance(value, dict) or value.keys() != readers.keys():
            raise ValueError(f"not the fields of a {kind.__name__}")
        return kind(**{name: reader(value[name]) for name, reader in readers.items()})

    return read


def _optional_reader(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


def _many_reader(reader: Reader, collect: Callable[[Iterable[Any]], object]) -> Reader:
    return lambda value: collect(map(reader, _list(value)))


def _few_reader(readers: Sequence[Reader]) -> Reader:
    return lambda value: tuple(reader(one) for reader, one in zip(readers, _list(value), strict=True))


def _expecting(kind: object) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"{kind} expected, not {type(value)}")
        return value

    return read


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"a list expected, not {type(value)}")
    return value
