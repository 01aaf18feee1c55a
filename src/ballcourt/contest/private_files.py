"""What the ladder keeps for the author of a bot: what it printed in each match, and the bundles of its faults.

They can be read once the block of the match is complete: all rotations of a block may play one deal, and a bot that
reads what it printed in the first could know the cards of the others. What came after a freeze has to wait for its end.
"""

import re
from collections.abc import Iterable
from heapq import nlargest
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from ballcourt.arena.files import read_regular
from ballcourt.arena.records.bundle import FAULTS, FILES, LOGS, README, logs_of
from ballcourt.arena.records.store import MOST_BYTES, SUFFIX, RecordError, read_record
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.contest.decisions.hiding import frozen_since
from ballcourt.contest.listing import names_in
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING, BotView

SHOWN_LOGS: Final = 50
MOST_LOG: Final = 1 << 20
ENTRY: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9.-]{0,98}-r\d{1,4})-seat(\d{1,2})")
"""The key of a match, and a seat."""


class PrivateFiles:
    """What a viewer may read of what the ladder keeps for authors; whose bot it is was decided before."""

    def __init__(self, contest: Contest, viewer: Member | None) -> None:
        self._output = contest.ladder.output
        with contest.store.reading() as connection:
            self._frozen_since = frozen_since(connection, contest, viewer)

    def newest_logs(self, bot: BotView) -> list[str]:
        """Return the newest matches and seats of which there is a log, such as b000012-r1-seat0."""
        return self._newest(file.stem for file in logs_of(self._output / LOGS, bot.name))

    def newest_faults(self, bot: BotView) -> list[str]:
        """Return the newest matches and seats in which the bot lost its seat."""
        end = f"-{bot.name}"
        return self._newest(name.removesuffix(end) for name in names_in(self._output / FAULTS) if name.endswith(end))

    def read_log(self, bot: BotView, entry: str) -> bytes:
        """Return what a bot printed in a match. Raises NotThereError, and StateError for what has to wait."""
        found = {file.stem: file for file in logs_of(self._output / LOGS, bot.name)}
        return self._read(entry, found.get(entry))

    def read_fault(self, bot: BotView, entry: str) -> bytes:
        """Return what is known about a lost seat, with the end of what the bot printed. Raises as `read_log` does."""
        return self._read(entry, self._output / FAULTS / f"{entry}-{bot.name}" / README)

    def bundle(self, bot: BotView, entry: str) -> bytes:
        """Return all that is kept of a lost seat: the folder, as a zip archive. Raises as `read_log` does."""
        self.read_fault(bot, entry)
        folder, archive = self._output / FAULTS / f"{entry}-{bot.name}", BytesIO()
        with ZipFile(archive, "w", ZIP_DEFLATED) as into:
            for name in FILES:
                into.writestr(f"{folder.name}/{name}", read_regular(folder / name, MOST_BYTES))
        return archive.getvalue()

    def _read(self, entry: str, file: Path | None) -> bytes:
        parts = ENTRY.fullmatch(entry)
        if parts is None or file is None or not file.is_file():
            raise NotThereError(NOTHING)
        if not self._is_complete(parts[1]):
            raise StateError("this can be read when all matches of its block have been played")
        if self._is_frozen(parts[1]):
            raise StateError("this match ended after the freeze; it can be read when that ends")
        return read_regular(file, MOST_LOG)

    def _is_complete(self, key: str) -> bool:
        """Whether all rotations of the block of a match have been played; there is one for each seat."""
        block, records = key.rpartition("-r")[0], self._output / RECORDS
        try:
            seats = len(read_record(records / f"{key}{SUFFIX}").entrants)
        except RecordError:
            return False
        return all((records / f"{block}-r{rotation}{SUFFIX}").is_file() for rotation in range(seats))

    def _is_frozen(self, key: str) -> bool:
        """Whether the record of a match was written after the freeze, or is yet to be written."""
        if self._frozen_since is None:
            return False
        try:
            return (self._output / RECORDS / f"{key}{SUFFIX}").stat().st_mtime >= self._frozen_since
        except FileNotFoundError:
            return True

    def _newest(self, names: Iterable[str]) -> list[str]:
        found = ((name, ENTRY.fullmatch(name)) for name in names)
        return nlargest(SHOWN_LOGS, (name for name, parts in found if parts and not self._is_frozen(parts[1])))
