"""Where the archives of submissions are kept, each under the hash of its content: in a folder, or in an S3 bucket.

An archive is here before the database says so, and as long as a submission keeps it or an upload announces it. So
whatever is killed in between, none is lost, and one that was kept for nothing goes with its upload.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

from ballcourt.arena.extras import importing
from ballcourt.contest.refusals import ContestError

PART: Final = 8 << 20
"""In which parts an archive is sent to a bucket; a process holds two of them at a time."""
RETRY: Final[Any] = {"max_retries": 3}
HTTP: Final = "AWS_ALLOW_HTTP"
"""The variable that allows a server without TLS, as obstore has it."""


class ArchivesError(ContestError, OSError):
    """Archives cannot be kept or read now."""

    status = 503
    word = "archives"
    retry_after = 60


class Archives(Protocol):
    """Keeps archives. All methods raise OSError, which is an ArchivesError if they are in a bucket."""

    def put(self, file: Path, sha256: str) -> None:
        """Keep a copy of a file, whole or not at all; one that is here already stays as it is."""

    def has(self, sha256: str) -> bool:
        """Whether an archive is here."""

    def get(self, sha256: str, folder: Path) -> Path:
        """Return the file of an archive, which may be put into a folder. Raises FileNotFoundError if it is not here.

        In a bucket there may be another object in its place, for which it raises ArchivesError.
        """

    def discard(self, sha256: str) -> None:
        """Remove an archive if it is here."""


class ArchiveFolder(Archives):
    """Archives as files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, file: Path, sha256: str) -> None:
        place = self._place(sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.link(file, place)

    def has(self, sha256: str) -> bool:
        return self._place(sha256).is_file()

    def get(self, sha256: str, folder: Path) -> Path:
        del folder
        place = self._place(sha256).absolute()
        place.stat()  # raises FileNotFoundError
        return place

    def discard(self, sha256: str) -> None:
        self._place(sha256).unlink(missing_ok=True)

    def _place(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256


class ArchiveBucket(Archives):
    """Archives as objects in an S3 bucket."""

    def __init__(self, url: str) -> None:
        with importing("s3"):
            import obstore
            from obstore.exceptions import BaseError
            from obstore.store import S3Store
        self._url = url
        self._do = obstore
        self._error = BaseError
        options: Any = {"connect_timeout": "5s", "timeout": "60s", "allow_http": os.environ.get(HTTP, "") == "true"}
        with self._told():
            self._bucket: Any = S3Store.from_url(url, client_options=options, retry_config=RETRY)

    def put(self, file: Path, sha256: str) -> None:
        if self.has(sha256):
            return
        try:
            with self._told():
                self._do.put(self._bucket, sha256, file, chunk_size=PART, max_concurrency=2)
        except FileNotFoundError as error:
            raise ArchivesError(
                f"there is no bucket {self._url}; make it, or mend `archives` in contest.toml"
            ) from error

    def has(self, sha256: str) -> bool:
        with suppress(FileNotFoundError), self._told():
            self._do.head(self._bucket, sha256)
            return True
        return False

    def get(self, sha256: str, folder: Path) -> Path:
        file, found = folder / sha256, hashlib.sha256()
        with self._told(), file.open("wb") as target:
            for part in self._do.get(self._bucket, sha256).stream(min_chunk_size=PART):
                found.update(part)
                target.write(part)
        if found.hexdigest() != sha256:
            file.unlink()
            raise ArchivesError(f"the archive {sha256} was changed in {self._url}; restore it there, or remove it")
        return file

    def discard(self, sha256: str) -> None:
        with suppress(FileNotFoundError), self._told():
            self._do.delete(self._bucket, sha256)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn any failure of the bucket into an ArchivesError of one sentence; what is not there stays what it is."""
        try:
            yield
        except self._error as error:
            raise ArchivesError(f"the archives in {self._url} cannot be used: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return the reason in a line, without the address that obstore says before it."""
    first = str(error).strip().partition("\n")[0]
    return (first.partition(" - ")[2] or first)[:200]


def archives_at(url: str, files: Path) -> Archives:
    """Return the archives in a bucket, or without a URL those in a folder. Raises ArchivesError and MissingExtra."""
    return ArchiveBucket(url) if url else ArchiveFolder(files / "archives")
