"""When the folders of bots disappeared, kept on disk, so that a ladder that is started again goes on counting."""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ballcourt.arena.files import parse_json, read_regular, write_atomically
from ballcourt.arena.ladder.roster import RESIDENT, Retirement, Roster

ABSENCES: Final = "absences.json"
MOST_BYTES: Final = 16 << 20


class Absences:
    """Which bots have no folder in the watched folder, and since when."""

    def __init__(self, folder: Path, missing_s: float) -> None:
        """`folder` is the output folder of the ladder."""
        self._path = folder / ABSENCES
        self._missing_s = missing_s
        self._since: dict[str, str] = {}
        with suppress(OSError, ValueError, AttributeError):  # without it, counting begins again
            read = parse_json(read_regular(self._path, MOST_BYTES))
            self._since = {str(name): str(since) for name, since in read.items()}

    def retired(self, roster: Roster, places: Collection[str]) -> Iterator[Retirement]:
        """Note which folders are gone; yield the versions to retire, gone for too long. Raises OSError."""
        now = datetime.now(UTC)
        gone = {version.name for version in roster.playing if version.place not in {*places, RESIDENT}}
        since = {name: self._since.get(name) or now.isoformat(timespec="seconds") for name in sorted(gone)}
        if since != self._since:
            self._since = since
            write_atomically(self._path, json.dumps(since).encode())
        for version in roster.playing:
            if version.name in gone and (now - _time(since[version.name])).total_seconds() >= self._missing_s:
                reason = f"its folder {version.place} has been missing since {since[version.name]}"
                yield Retirement(version, "missing", reason)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.now(UTC)
