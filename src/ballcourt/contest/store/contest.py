"""An open contest: its settings, its ladder, its database and its files."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from ballcourt.arena.ladder.model import LadderFile, read_ladder
from ballcourt.contest.settings import ContestFile, PhaseTable, at_time, read_contest_file
from ballcourt.contest.store.archives import Archives, archives_at
from ballcourt.contest.store.opening import Store, open_store
from ballcourt.contest.store.schema import CONTEST_ABOUT


@dataclass(frozen=True, slots=True)
class Contest:
    """What all parts of a contest share."""

    path: Path
    """The file of the contest."""
    settings: ContestFile
    ladder: LadderFile
    store: Store
    archives: Archives
    now: Callable[[], float] = time.time
    """Returns the Unix time in seconds."""

    @property
    def identity(self) -> str:
        """The URN by which programs know the contest, whatever its name, its address and its folder are."""
        with self.store.reading() as connection:
            return f"urn:ballcourt:{connection.execute(select(CONTEST_ABOUT.c.identity)).scalar_one()}"

    @property
    def files(self) -> Path:
        """The folder of what is received and kept."""
        return self.settings.files

    @property
    def uploads(self) -> Path:
        """The folder of archives that are being received."""
        return self.files / "uploads"

    @property
    def moment(self) -> datetime:
        """The moment of now."""
        return at_time(self.now())

    @property
    def phase(self) -> PhaseTable | None:
        """The phase that is open now; None if there is none."""
        return self.settings.phase_at(self.moment)

    @property
    def hiding(self) -> PhaseTable | None:
        """The phase by which it is decided now who sees what: one that is open or has yet to reveal; None if none."""
        return self.settings.hiding_at(self.moment)

    def checks(self, team: str) -> Path:
        """Return the folder with the records of the checks of a team's submissions, which has a folder for each."""
        return self.files / "checks" / team

    def scrimmages(self, team: str) -> Path:
        """Return the folder with what is kept of the scrimmages that a team asked for, which has a folder for each."""
        return self.files / "scrimmages" / team


@contextmanager
def open_contest(path: Path, *, unconfined: bool = False) -> Iterator[Contest]:
    """Open a contest by its file; with `unconfined`, without its sandbox on a machine that has none.

    Raises ContestError, SettingsError and MissingExtra.
    """
    settings = read_contest_file(path)
    ladder = read_ladder(settings.ladder, unconfined=unconfined)
    archives = archives_at(settings.archives, settings.files)
    store = open_store(settings.database, path.parent)
    try:
        yield Contest(path, settings, ladder, store, archives)
    finally:
        store.close()
