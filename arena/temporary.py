"""Temporary folders of processes; their paths are short enough for sockets, and they are removed with their process.

Each process holds a lock on its folder. The kernel releases the lock however a process ends, so a folder that can be
locked was left by one that was killed, and the next process that makes one removes it. systemd's cleaner of temporary
files spares what is locked, too.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ballcourt.arena.locks import try_lock

OWN = "own"
"""The folder in it for anything but sockets, such as what processes of confined bots have for themselves."""
PREFIX = "ballcourt-own-"
RANDOM_LETTERS = 8  # that mkdtemp adds
LONGEST_PATH = 80  # a socket's path has room for about 100 bytes


@contextmanager
def private_folder(within: Path | None = None) -> Iterator[str]:
    """Yield a folder that only this user can enter, with a path short enough for sockets; remove it on leaving.

    It is made `within` another one, if that is given, however long its path is. First remove the folders in there of
    processes that were killed.
    """
    remove_abandoned(within)
    folder, held = _new(within or _place())
    try:
        yield str(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


def remove_abandoned(within: Path | None = None) -> None:
    """Remove the folders of processes that were killed."""
    for folder in (within or _place()).glob(f"{PREFIX}*"):
        _remove_if_abandoned(folder)


def _place() -> Path:
    """Return the folder for temporary files; another one if the path of a socket in it would be too long."""
    place = tempfile.gettempdir()
    return Path("/tmp" if len(f"{place}/{PREFIX}") + RANDOM_LETTERS > LONGEST_PATH else place)  # noqa: S108


def _new(place: Path) -> tuple[Path, int | None]:
    """Make a folder and lock it; retry if another process removed it as abandoned in between."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        try:
            held = lock(folder)
        except (BlockingIOError, FileNotFoundError):
            continue
        except OSError:  # without locks no folder counts as abandoned
            return folder, None
        if folder.exists():
            return folder, held
        os.close(held)


@contextmanager
def scratch_folder(within: Path | None = None) -> Iterator[Path]:
    """Yield a new folder for any files, which only this user can enter, made as `private_folder` does."""
    with private_folder(within) as place:
        own = Path(place, OWN)
        own.mkdir(mode=0o700)
        yield own


@contextmanager
def made_again(scratch: Path) -> Iterator[None]:
    """Make the folder of `scratch_folder` again if a cleaner has removed it, and hold its lock unless that is held.

    Raises OSError, also if another user has taken its name meanwhile.
    """
    with ExitStack() as stack:
        _make(scratch.parent)
        with suppress(OSError):  # it was not removed, so its process holds the lock; or there are no locks
            stack.callback(os.close, lock(scratch.parent))
        _make(scratch)
        yield


def _make(folder: Path) -> None:
    """Make a folder that only this user can enter, unless it is there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.lstat().st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))


def lock(folder: Path) -> int:
    """Lock a folder until the returned file descriptor is closed. Raises BlockingIOError if it is locked.

    Raises another OSError if it is not a folder, or not ours, and on Windows, which locks no folders.
    """
    if not hasattr(os, "O_DIRECTORY"):
        raise OSError(errno.ENOTSUP, "this system locks no folders", str(folder))
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try_lock(handle)
    except OSError:
        os.close(handle)
        raise
    return handle


def _remove_if_abandoned(folder: Path) -> None:
    """Remove a folder that is not locked, if it holds only sockets and folders besides what bots had."""
    try:
        held = lock(folder)
    except OSError:
        return
    if os.fstat(held).st_uid == os.geteuid():
        shutil.rmtree(folder / OWN, ignore_errors=True)
    with suppress(OSError):
        for inside, _, names in os.walk(folder, topdown=False):
            for path in (Path(inside, name) for name in names):
                if path.is_socket():
                    path.unlink()
            Path(inside).rmdir()
    os.close(held)
