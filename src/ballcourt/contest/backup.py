"""The backup of a contest, made while it runs. It is a contest itself: to restore it, put it back and run the commands.

The database comes first. What is written after that is missing in it, and archives and the files of the ladder, which
are only added to, may know more; the contest finds out from them.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from ballcourt.arena.files import folder_in_place_of
from ballcourt.arena.tournament.folder.dropped import RESULTS
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.following import follow_ladder

LEFT_OUT: Final = shutil.ignore_patterns("*.sqlite*", "lock", ".*")
"""What the ladder makes again, or holds while it runs."""


def back_up(contest: Contest, folder: Path) -> None:
    """Copy a contest into a new folder. Raises ContestFileError and OSError."""
    home = contest.path.parent.absolute()
    places = {"files": contest.files.absolute(), "output": contest.ladder.output.absolute()}
    database = contest.store.file
    if database is None:
        raise ContestFileError("the database is on a server; back it up with pg_dump first, and then copy the folder")
    outside = [
        place for place in (*places.values(), database, contest.settings.ladder.absolute()) if home not in place.parents
    ]
    if outside:
        raise ContestFileError(f"{outside[0]} is outside of {home}; back it up by itself")
    if folder.exists():
        raise ContestFileError(f"{folder} exists; name a new folder")
    follow_ladder(contest)
    with folder_in_place_of(folder) as new:
        _copy_database(contest, new / database.relative_to(home))
        for file in (contest.path.absolute(), contest.settings.ladder.absolute()):
            shutil.copy2(file, _made(new / file.relative_to(home)))
        (new / contest.ladder.bots.absolute().relative_to(home)).mkdir(parents=True, exist_ok=True)
        for place in places.values():
            if place.exists():
                shutil.copytree(
                    place, new / place.relative_to(home), ignore=LEFT_OUT, copy_function=_copied, dirs_exist_ok=True
                )
        results = contest.ladder.output.absolute() / RESULTS
        if results.exists():  # again: those of records that were dropped while the records were copied
            shutil.copytree(results, new / results.relative_to(home), dirs_exist_ok=True)


def _copy_database(contest: Contest, file: Path) -> None:
    """Copy the database as it is at one moment."""
    _made(file)
    with contest.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("VACUUM INTO ?", (str(file),))


def _copied(source: str, target: str) -> str:
    """Copy a file unless it has gone meanwhile."""
    with suppress(FileNotFoundError):
        shutil.copy2(source, target)
    return target


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
