"""The files of the bots that an examiner needs: fetched and unpacked in a process of its own, which may be ended.

The examiner says meanwhile that it is alive, however slow an archive or the line to it is.
"""

import secrets
from pathlib import Path
from typing import Annotated, Final

from ballcourt.arena.models import LAX, Model
from ballcourt.arena.processes.asked import AskedProcess, answer
from ballcourt.arena.workers.process import environment
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.examining.unpacking import GridError, unpack
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.store.archives import archives_at

GONE: Final = "the archive of {} was removed to make room; send it again"


class OwnArchive(Model):
    """An archive that a contest on this machine keeps."""

    bot: str
    """The name of the bot in it."""
    sha256: str
    bucket: str
    """The URL of the bucket; empty for the folder of the contest's files."""
    files: str

    def fetched(self, folder: Path) -> Path:
        """Return its file, which may be put into a folder. Raises OSError; FileNotFoundError if it is gone."""
        return archives_at(self.bucket, Path(self.files)).get(self.sha256, folder)


class FarArchive(Model):
    """An archive that an examiner gets from the server of a contest."""

    bot: str
    sha256: str
    url: str
    token: str
    path: str

    def fetched(self, folder: Path) -> Path:
        """See `OwnArchive`. Raises ContestError and ArenaError, too."""
        file = folder / self.sha256
        with file.open("wb") as target:
            try:
                ContestServer(self.url, self.token).fetch_into(self.path, target)
            except NotThereError as error:
                raise FileNotFoundError(str(error)) from error
        return file


class ToUnpack(Model):
    """What is fetched and unpacked, and how."""

    archives: Annotated[tuple[OwnArchive | FarArchive | None, ...], LAX]
    """Those of the bots; None of one that comes with the arena."""
    folder: str
    """A private folder, in which the files of the bots are put."""
    most_mb: int
    tier: int | None


class Unpacked(Model):
    """Its state."""

    sources: Annotated[tuple[str | None, ...], LAX] = ()
    """The folders of the bots; None of one that comes with the arena."""
    refusal: str = ""
    """Why a bot cannot be unpacked, for its author."""


class UnpackingProcess(AskedProcess[Unpacked]):
    """Fetching and unpacking, in a process that this starts."""

    def __init__(self, unpacking: ToUnpack) -> None:
        super().__init__(__name__, unpacking, Unpacked, environment(), "unpacking")


def unpack_all(unpacking: ToUnpack) -> Unpacked:
    """Fetch and unpack the archives of bots. Raises ArenaError, ContestError and OSError."""
    try:
        return Unpacked(sources=tuple(_source(archive, unpacking) for archive in unpacking.archives))
    except GridError as error:
        return Unpacked(refusal=str(error))


def _source(archive: OwnArchive | FarArchive | None, unpacking: ToUnpack) -> str | None:
    if archive is None:
        return None
    folder = Path(unpacking.folder)
    own = folder / secrets.token_hex(4)
    own.mkdir()
    try:
        file = archive.fetched(folder)
    except FileNotFoundError as error:
        raise GridError(GONE.format(archive.bot)) from error
    return str(unpack(file, own, unpacking.most_mb, unpacking.tier))


if __name__ == "__main__":
    answer(ToUnpack, unpack_all)
