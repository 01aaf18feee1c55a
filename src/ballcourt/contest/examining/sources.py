"""The files of the bots that an examiner needs: fetched and unpacked in a process of its own, which may be ended.

The examiner says meanwhile that it is alive, however slow an archive or the line to it is.
"""

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.models import Model
from ballcourt.arena.processes.asked import AskedProcess, answer
from ballcourt.arena.workers.process import environment
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.examining.unpacking import GridError, unpack
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.store.archives import archives_at

GONE: Final = "the archive of {} was removed to make room; send it again"


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot that an examiner needs."""

    bot: BotVersion
    """Its version and the hash of its files are known if it was examined before."""
    archive: str = ""
    """The hash of the archive in which it is; empty for a bot that comes with the arena."""


class OwnArchives(Model):
    """The archives that a contest on this machine keeps."""

    bucket: str
    """The URL of the bucket; empty for the folder of the contest's files."""
    files: str

    def fetched(self, sha256: str, folder: Path) -> Path:
        """Return the file of one, which may be put into a folder. Raises OSError; FileNotFoundError if it is gone."""
        return archives_at(self.bucket, Path(self.files)).get(sha256, folder)


class FarArchives(Model):
    """The archives that an examiner gets from the server of a contest."""

    url: str
    token: str
    lease: str
    """The address of the work that needs them."""
    fence: int

    def fetched(self, sha256: str, folder: Path) -> Path:
        """See `OwnArchives`. Raises ContestError and ArenaError, too."""
        file = folder / sha256
        with file.open("wb") as target:
            try:
                path = f"{self.lease}/archives/{sha256}?fence={self.fence}"
                ContestServer(self.url, self.token).fetch_into(path, target)
            except NotThereError as error:
                raise FileNotFoundError(str(error)) from error
        return file


class ToUnpack(Model):
    """The bots whose files are fetched and unpacked, and how."""

    contenders: tuple[Contender, ...]
    archives: OwnArchives | FarArchives
    folder: str
    """A private folder, in which the files of the bots are put."""
    most_mb: int
    tier: int | None

    @property
    def sources(self) -> list[Path | None]:
        """The folders of the bots, once all is unpacked; None of one that comes with the arena."""
        folders = (Path(self.folder) / f"bot-{number}" for number in range(len(self.contenders)))
        return [folder if one.archive else None for folder, one in zip(folders, self.contenders, strict=True)]


class UnpackingProcess(AskedProcess[str]):
    """Fetching and unpacking, in a process that this starts; see `unpack_all` for its answer."""

    def __init__(self, unpacking: ToUnpack) -> None:
        super().__init__(__name__, unpacking, str, environment(), "unpacking")


def unpack_all(unpacking: ToUnpack) -> str:
    """Fetch and unpack the archives of bots; return why one cannot be unpacked, for its author, empty if all are.

    Raises ArenaError, ContestError and OSError.
    """
    try:
        for contender, source in zip(unpacking.contenders, unpacking.sources, strict=True):
            if source:
                _unpack(contender, unpacking).rename(source)
    except GridError as error:
        return str(error)
    return ""


def _unpack(contender: Contender, unpacking: ToUnpack) -> Path:
    folder = Path(unpacking.folder)
    own = folder / secrets.token_hex(4)
    own.mkdir()
    try:
        file = unpacking.archives.fetched(contender.archive, folder)
    except FileNotFoundError as error:
        raise GridError(GONE.format(contender.bot.name)) from error
    return unpack(file, own, unpacking.most_mb, unpacking.tier)


if __name__ == "__main__":
    answer(ToUnpack, unpack_all)
