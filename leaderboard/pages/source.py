"""Where the results on pages come from: the output folder of a tournament, or a results database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import time_ns
from typing import Any, Final

from ballcourt.arena.files import in_place_of
from ballcourt.arena.temporary import made_again
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_plan
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.arena.tournament.folder.placing import PLACING, FolderField
from ballcourt.leaderboard.pages.tournament import about
from ballcourt.leaderboard.store.connecting import without_password
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.folder import field_in, results_in
from ballcourt.leaderboard.store.snapshot import SQLITE, version

TICK_NS: Final = 2 * 10**9
"""How coarse the times of files may be: two changes within a tick can leave the same time."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place with results. The results of a folder are read from its records and copied to a database of our own."""

    name: str
    """The name that pages show."""
    database: str
    """The URL of the database with the matches."""
    folder: Path | None = None
    scratch: Path | None = None
    """With a folder, where our own database is: a folder of `scratch_folder`."""

    @contextmanager
    def opened(self) -> Iterator[Database]:
        """Open the database; make our own again if a cleaner of temporary files removed it.

        Raises OSError and WrongInput.
        """
        in_place = made_again(self.scratch) if self.scratch else nullcontext()
        with in_place, open_database(self.database, create=self.scratch is not None) as database:
            yield database

    def state(self, database: Database) -> object:
        """Return a value that differs whenever the results do. Raises OSError and WrongInput."""
        if self.folder is None:
            return version(database)
        others = (self.folder / name for name in (TRAIL, PLACING))
        changed = (
            (self.folder / RECORDS).stat().st_mtime_ns,
            *(file.stat().st_mtime_ns if file.exists() else 0 for file in others),
        )
        is_settled = time_ns() - max(changed) > TICK_NS
        return changed if is_settled else object()  # another record may get the same time; an object equals no other

    def fill(
        self, database: Database, report: Callable[[str], None] = lambda _: None
    ) -> tuple[FolderField, dict[str, Any] | None]:
        """Bring the database up to date with the folder, if there is one; return its field, and `tournament.about` it.

        `report` gets how far that is.

        Raises OSError and WrongInput.
        """
        if self.folder is None:
            return FolderField(), None
        matches = results_in(self.folder, report=report).matches
        database.add(matches)
        database.keep_only({match.identity for match in matches}, (self.folder / RECORDS).absolute())
        return field_in(self.folder, matches), about(self.folder, matches)


def frozen(source: Source, copy: Path, before: str) -> Source:
    """Return a source with the results that a source has now, of matches that began before a moment, in a new file.

    `before` is like the times of results: 2026-11-22T18:30:05Z. A copy that exists is used as it is. Nothing that comes
    later is in it, and its pages are those of a database, without the progress of a tournament. Raises OSError and
    WrongInput.
    """
    if not copy.exists():
        with (
            source.opened() as live,
            in_place_of(copy.absolute()) as temporary,
            open_database(temporary, create=True) as database,
        ):
            database.add(match for match in live.results() if match.started < before)
    return Source(source.name, f"{SQLITE}{copy.absolute()}")


def source_at(place: str, scratch: Path) -> Source:
    """Return the source at a path or a database URL, which is checked; `scratch` is a folder for our own files.

    Raises WrongInput for a folder that is not the output of a tournament and a database that is not a leaderboard.
    """
    path = Path(place)
    if "://" in place or path.is_file():
        url = place if "://" in place else f"{SQLITE}{path.absolute()}"
        with open_database(url):
            pass
        return Source(without_password(url).rpartition("/")[2] or "leaderboard", url)
    if not (path / RECORDS).is_dir():
        raise FolderError(f"{place} is not the output folder of a tournament: it has no records")
    kept_plan(path)
    database = f"{SQLITE}{scratch.absolute() / 'matches.sqlite'}"
    return Source(path.resolve().name, database, path.absolute(), scratch.absolute())
