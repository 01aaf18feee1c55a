"""The end of a contest for its ladder, which plays no more once the last phase has closed."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ballcourt.arena.files import stamp_of
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.settings import FILE, ContestFile, at_time, read_contest_file


class Closing:
    """Why a ladder has no more to play; its contest's file is read again whenever it was changed."""

    def __init__(self, ladder: Path, now: Callable[[], float] = time.time) -> None:
        """`ladder` is a file; its contest is that in the `contest.toml` next to it, if that names this ladder.

        Raises ContestFileError.
        """
        self._ladder = ladder
        self._now = now
        self._path = ladder.parent / FILE
        self._stamp: tuple[int, ...] = ()
        self._contest: ContestFile | None = None
        with suppress(OSError):
            self._follow()

    def __call__(self) -> str:
        """Return why; empty without a contest and until its last phase closes. A file that is wrong changes nothing."""
        with suppress(ContestFileError, OSError):
            self._follow()
        return self._contest.over_at(at_time(self._now())) if self._contest else ""

    def _follow(self) -> None:
        if (stamp := stamp_of(self._path)) != self._stamp:
            contest = read_contest_file(self._path)
            self._stamp = stamp
            self._contest = contest if contest.ladder.samefile(self._ladder) else None
