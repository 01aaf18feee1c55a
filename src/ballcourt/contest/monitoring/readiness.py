"""Whether a contest does its work: database and archives answer, an examiner and the ladder run, the disk has room."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ballcourt.arena.ladder.space import shortage
from ballcourt.arena.tournament.folder.output import holder
from ballcourt.contest.examining.work import examiners_seen
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.uploads import RESERVE

AWAY_S: Final = 60.0
"""How long an examiner may be silent; one that has nothing to do shows itself four times as often."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """One thing that a contest needs."""

    name: str
    is_ready: bool
    sentence: str


def readiness(contest: Contest) -> Iterator[Readiness]:
    """Yield each thing that a contest needs, and whether it is there. A failure is an answer and raises nothing."""
    for name, look in CHECKS.items():
        try:
            trouble = look(contest)
        except ContestError as error:
            trouble = str(error)
        except OSError as error:
            file = os.path.relpath(error.filename or contest.path, contest.path.parent)
            trouble = f"Cannot use {file}: {error.strerror}"
        yield Readiness(name, not trouble, trouble or "ok")


def free_bytes(contest: Contest) -> dict[str, int]:
    """Return how much space is free where archives and the ladder are, as far as these are there."""
    places = {"archives": contest.files, "ladder": contest.ladder.output}
    return {name: shutil.disk_usage(place).free for name, place in places.items() if place.is_dir()}


def _database(contest: Contest) -> str:
    with contest.store.reading():
        return ""


def _examiner(contest: Contest) -> str:
    with contest.store.reading() as connection:
        if examiners_seen(connection, contest.now(), AWAY_S):
            return ""
    return f"No examiner has been seen for {AWAY_S:g} s"


def _archives(contest: Contest) -> str:
    contest.archives.has("0" * 64)  # there is none, but a bucket has to answer
    return ""


def _disk(contest: Contest) -> str:
    contest.files.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(contest.files).free) < RESERVE:
        return f"{free >> 20} MB are free for archives; at least {RESERVE >> 20} MB must be"
    output = contest.ladder.output
    return shortage(output, contest.ladder.reserve_mb).replace(str(output), output.name)


def _ladder(contest: Contest) -> str:
    return "" if holder(contest.ladder.output) else "The ladder is not running; start it with ballcourt ladder"


CHECKS: Final[dict[str, Callable[[Contest], str]]] = {
    "database": _database,
    "examiner": _examiner,
    "archives": _archives,
    "disk": _disk,
    "ladder": _ladder,
}
"""What is looked at: each returns what is wrong, in a sentence; empty if nothing is."""
