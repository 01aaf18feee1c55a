"""Receives archives in parts, so that a line that breaks loses at most a part; nothing is unpacked here.

What has come of an archive is its file: its length is where the sender goes on, also after this process was killed.
"""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select

from ballcourt.arena.locks import try_lock
from ballcourt.arena.secrets import new_id
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, LimitError, NoSpaceError, NotThereError, StateError, TooLargeError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS, UPLOADS
from ballcourt.contest.submissions.allowance import MB, check_entry

PART: Final = 4 * MB
"""The largest part."""
KEPT_S: Final = 86_400.0
"""How long an archive may take to arrive."""
OF_ACCOUNT: Final = 8
"""How many archives of an account may be on their way in parts; for another one the oldest that is idle is dropped."""
IDLE_S: Final = 60.0
"""After how many seconds without a part an upload is idle."""
OF_ALL: Final = 64
GONE: Final = "there is no such upload; begin again"
RESERVE: Final = 1 << 30
"""Bytes of the disk that are left to the ladder."""


def begin_upload(contest: Contest, person: Member, size: int, sha256: str) -> tuple[str, int]:
    """Begin to receive an archive, or go on with one; return its id and how much of it is here.

    Raises ContestError if its sender may not enter a bot now: before the first byte.
    """
    dropped: list[str] = []
    with _admitted(contest, person, size, sha256) as connection:
        own = [row for row in _live(connection) if row.account == person.account]
        for row in own:
            if (row.sha256, row.bytes) == (sha256, size):
                return row.id, received(contest, row.id)
        in_parts = [row for row in own if not _is_held(contest, row.id)]
        if len(in_parts) >= OF_ACCOUNT:
            idle = next((row for row in in_parts if _is_idle(contest, row.id)), None)
            if idle is None:
                raise LimitError(f"{OF_ACCOUNT} archives of your account are on their way; send these first", IDLE_S)
            _drop(connection, contest, idle.id)
            dropped.append(idle.sha256)
        upload = _add(connection, contest, person, size, sha256)
        part_of(contest, upload).touch()
    discard_archives(contest, dropped)
    return upload, 0


@contextmanager
def receiving(contest: Contest, person: Member, size: int, sha256: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield an upload that one request sends whole, and its file, which it holds; it is forgotten at the end.

    Raises ContestError if its sender may not enter a bot now.
    """
    with _admitted(contest, person, size, sha256) as connection:
        upload = _add(connection, contest, person, size, sha256)
        file = part_of(contest, upload).open("xb")
        try_lock(file)  # before anybody else can see it
    with file:
        try:
            yield upload, file
        finally:
            with contest.store.writing() as connection:
                _drop(connection, contest, upload)
            discard_archives(contest, [sha256])


@contextmanager
def _admitted(contest: Contest, person: Member, size: int, sha256: str) -> Iterator[Connection]:
    """Yield a connection that writes, if an archive may come. Raises ContestError."""
    discard_archives(contest, _forget_old(contest))
    with contest.store.writing() as connection:
        check_entry(connection, contest, person, size)
        _check_disk(contest, size)
        yield connection


def _add(connection: Connection, contest: Contest, person: Member, size: int, sha256: str) -> str:
    if connection.execute(select(func.count()).select_from(UPLOADS)).scalar_one() >= OF_ALL:
        raise LimitError(f"too many uploads are in progress ({OF_ALL}); try again in a minute", 60)
    contest.uploads.mkdir(parents=True, exist_ok=True)
    upload, now = new_id(), contest.now()
    about = {"account": person.account, "bytes": size, "sha256": sha256, "created": now, "until": now + KEPT_S}
    connection.execute(insert(UPLOADS).values(id=upload, **about))
    return upload


@contextmanager
def holding(contest: Contest, upload: str) -> Iterator[IO[bytes]]:
    """Yield the file of an upload, which no other request sends, enters or removes meanwhile.

    Raises StateError while another one holds it, and NotThereError.
    """
    try:
        file = part_of(contest, upload).open("r+b")
    except FileNotFoundError as error:
        raise NotThereError(GONE) from error
    with file:
        try:
            try_lock(file)
        except BlockingIOError as error:
            raise StateError("another request is sending a part of this upload; wait until it has ended") from error
        file.seek(0, os.SEEK_END)
        yield file


def _is_held(contest: Contest, upload: str) -> bool:
    """Whether a request sends or enters an upload right now."""
    try:
        with holding(contest, upload):
            return False
    except StateError:
        return True
    except NotThereError:
        return False


def _is_idle(contest: Contest, upload: str) -> bool:
    """Whether no part has come lately."""
    try:
        return time.time() - part_of(contest, upload).stat().st_mtime > IDLE_S
    except FileNotFoundError:
        return True


def upload_of(connection: Connection, contest: Contest, person: Member, upload: str) -> Row[Any]:
    """Return an upload of a person. Raises NotThereError."""
    own = (UPLOADS.c.id == upload) & (UPLOADS.c.account == person.account) & (UPLOADS.c.until > contest.now())
    found = connection.execute(select(UPLOADS).where(own)).one_or_none()
    if found is None:
        raise NotThereError(GONE)
    return found


def received(contest: Contest, upload: str) -> int:
    """Return how many bytes of an archive have come."""
    with suppress(FileNotFoundError):
        return part_of(contest, upload).stat().st_size
    return 0


def part_of(contest: Contest, upload: str) -> Path:
    """Return the file of an archive that is being received."""
    return contest.uploads / upload


@contextmanager
def appending(contest: Contest, upload: Row[Any], offset: int, length: int) -> Iterator[IO[bytes]]:
    """Yield the file to which a part of a length is added. Raises StateError if it is not the next part."""
    with holding(contest, upload.id) as file:
        here = file.tell()
        if offset != here:
            raise StateError(f"the part begins at byte {offset}, and {here} bytes are here; go on from there")
        if here + length > upload.bytes:
            raise TooLargeError(f"the upload exceeds its announced size of {upload.bytes} bytes")
        yield file
        file.flush()


def check_complete(contest: Contest, upload: Row[Any]) -> Path:
    """Return the file of an archive that is here as it was announced, on disk. Raises StateError and ContestError."""
    path, here = part_of(contest, upload.id), received(contest, upload.id)
    if here < upload.bytes:
        raise StateError(f"{here} of {upload.bytes} bytes are here; send the rest first")
    with path.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
        os.fsync(file.fileno())
    if found != upload.sha256:
        path.unlink(missing_ok=True)
        raise ContestError(f"SHA-256 is {found}, expected {upload.sha256}; upload it again")
    return path


def drop_upload(contest: Contest, person: Member, upload: str) -> None:
    """Forget an archive that is being received. Raises NotThereError."""
    with contest.store.writing() as connection:
        found = upload_of(connection, contest, person, upload)
        with holding(contest, upload):
            _drop(connection, contest, found.id)
    discard_archives(contest, [found.sha256])


def forget_upload(connection: Connection, upload: str) -> None:
    """Forget that an archive was received; its file is the caller's."""
    connection.execute(delete(UPLOADS).where(UPLOADS.c.id == upload))


def discard_archives(contest: Contest, hashes: Iterable[str]) -> None:
    """Remove archives that no submission keeps and no upload announces. Raises OSError."""
    for sha256 in hashes:
        with contest.store.writing() as connection:  # so that it is not entered meanwhile
            kept = select(SUBMISSIONS.c.id).where(SUBMISSIONS.c.archive == sha256, SUBMISSIONS.c.kept)
            announced = select(UPLOADS.c.id).where(UPLOADS.c.sha256 == sha256)
            if not connection.execute(kept.union_all(announced)).first():
                contest.archives.discard(sha256)


def _live(connection: Connection) -> list[Row[Any]]:
    """Return the uploads that are under way, the oldest first."""
    return [*connection.execute(select(UPLOADS).order_by(UPLOADS.c.created)).all()]


def _forget_old(contest: Contest) -> list[str]:
    """Forget uploads that took too long, and files that belong to none; return the hashes that they announced."""
    with contest.store.writing() as connection:
        ended = UPLOADS.c.until <= contest.now()
        hashes = connection.execute(select(UPLOADS.c.sha256).where(ended)).scalars().all()
        connection.execute(delete(UPLOADS).where(ended))
        known = {row.id for row in _live(connection)}
        if contest.uploads.is_dir():
            for file in contest.uploads.iterdir():
                if file.name not in known:  # such as of a server that was killed before it removed the file
                    file.unlink(missing_ok=True)
    return [*hashes]


def _drop(connection: Connection, contest: Contest, upload: str) -> None:
    forget_upload(connection, upload)
    part_of(contest, upload).unlink(missing_ok=True)


def _check_disk(contest: Contest, size: int) -> None:
    contest.files.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(contest.files).free < size + contest.settings.upload.unpacked_mb * MB + RESERVE:
        raise NoSpaceError("this server has no room for the archive; its organiser has to make some")
