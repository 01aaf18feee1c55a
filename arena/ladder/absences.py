"""When the folders of bots disappeared, kept on disk, so that a ladder that is started again goes on counting.

The dates are those of the wall clock, which may jump, and which goes on while a machine sleeps. So they move with it:
what counts is the time during which the ladder could have looked.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, time
from typing import Final

from ballcourt.arena.files import MOST_JSON, parse_json, read_regular, write_atomically
from ballcourt.arena.ladder.roster import RESIDENT, Retirement, Roster, Version

ABSENCES: Final = "absences.json"
LEAST_S: Final = 600.0
"""How long a run looks before it retires bots: at its start, a share may not be mounted yet."""
JUMP_S: Final = 2.0
"""What the wall clock may gain or lose between two looks."""


class Absences:
    """Which bots have no folder in the watched folder, or have not dialled in, and since when."""

    def __init__(self, folder: Path, missing_s: float) -> None:
        """`folder` is the output folder of the ladder."""
        self._path = folder / ABSENCES
        self._missing_s = missing_s
        self._began = monotonic()
        self._ahead_s = time() - self._began
        self._since = _read(self._path)
        self._kept = self._since

    def retired(self, roster: Roster, places: Collection[str] | None, dialled: Collection[str]) -> Iterator[Retirement]:
        """Note which bots are gone; yield the versions to retire, gone for too long. Raises OSError.

        `places` are those whose bots are there; while they are not known, only the remote bots are looked at, of which
        those at the places `dialled` are connected.
        """
        self._follow_clock()
        now = datetime.fromtimestamp(time(), UTC)
        gone = {version.bot.name for version in roster.playing if _is_gone(version, places, dialled)}
        remote = {version.bot.name for version in roster.remote}
        left = {name: self._since[name] for name in self._since if places is None and name not in remote}
        since = left | {name: self._since.get(name) or now.isoformat(timespec="seconds") for name in sorted(gone)}
        self._since = since
        if since != self._kept:
            write_atomically(self._path, json.dumps(since).encode())
            self._kept = since
        if monotonic() - self._began < min(self._missing_s, LEAST_S):
            return
        for version in roster.playing:
            if version.bot.name in gone and (now - _time(since[version.bot.name])).total_seconds() >= self._missing_s:
                lacks = "it has not dialled in" if version.is_remote else f"its folder {version.place} has been missing"
                reason = f"{lacks} since {since[version.bot.name]}"
                yield Retirement(version, "missing", reason)

    def _follow_clock(self) -> None:
        """Move all dates if the wall clock has jumped, or gone on alone, since the last look."""
        ahead_s = time() - monotonic()
        if abs(jump_s := ahead_s - self._ahead_s) > JUMP_S:
            moved = {name: _time(since) + timedelta(seconds=jump_s) for name, since in self._since.items()}
            self._since = {name: since.isoformat(timespec="seconds") for name, since in moved.items()}
        self._ahead_s = ahead_s


def _is_gone(version: Version, places: Collection[str] | None, dialled: Collection[str]) -> bool:
    if version.is_remote:
        return version.place not in dialled
    return places is not None and version.place not in {*places, RESIDENT}


def read_absences(folder: Path) -> dict[str, datetime]:
    """Return since when bots are away, by name, as the ladder with this output folder last saw it."""
    return {name: _time(since) for name, since in _read(folder / ABSENCES).items()}


def _read(path: Path) -> dict[str, str]:
    """Return what was kept; nothing if there is none, so that counting begins again."""
    with suppress(OSError, ValueError, AttributeError):
        return {str(name): str(since) for name, since in parse_json(read_regular(path, MOST_JSON)).items()}
    return {}


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.now(UTC)
