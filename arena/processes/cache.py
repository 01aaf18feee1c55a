"""The cache of builds and images: where it is, what it holds, and who uses it.

    <cache>/bots/<hash>/        a copy of a bot's folder: of a bot that plays unconfined, or from another machine
    <cache>/bots/<hash>.done        as below
    <cache>/builds/<hash>/      a bot's folder after its build step; <hash> is of the folder's content
    <cache>/builds/<hash>.done      exists once the build has succeeded, and says what it took: `BuildNotes` as JSON
    <cache>/images/<hash>/      what confined processes get of the build or, without a build step, of the folder
    <cache>/images/<hash>.done      as above
    <cache>/homes/<hash>/       the home of a confined build, only while it runs: no build trusts what another left
    <cache>/venvs/<key>/        a virtual environment for bots: see `ballcourt.arena.bots.venv`
    <cache>/venvs/<key>.done        as above
    <cache>/pip/                what pip has fetched for environments that bots may share; each step has links to it
    <cache>/scratch/<name>/     kept between the unconfined builds of a bot, for its compiler's caches
    <cache>/places/<number>     locked by a build while it runs, so that only a number of them run at the same time
    <cache>/places/<hash>       locked by a build of the owner with this hash, so that an owner has one place at most
    <cache>/uses/<hash>         locked by every process that needs what has the hash; modified when the last began to

Only the arena's user may enter these folders. A process that removes something holds its lock.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote, unquote

from ballcourt.arena.bots.bot import BOT_FILE, Lease
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import raise_file_limit, read_toml, write_atomically
from ballcourt.arena.locks import LOOK_S, lock, open_locked, try_lock
from ballcourt.arena.printable import cut
from ballcourt.arena.processes.memory import MB
from ballcourt.engine.core import WrongInput

CACHE: Final = "BALLCOURT_CACHE"
"""The environment variable of the cache folder; the default is `ballcourt` in XDG_CACHE_HOME or ~/.cache."""
BOTS, BUILDS, IMAGES, HOMES, SCRATCH, USES = "bots", "builds", "images", "homes", "scratch", "uses"
PIP_CACHE, PLACES, VENVS = "pip", "places", "venvs"
HASHED: Final = (BOTS, BUILDS, IMAGES, HOMES, VENVS)
"""What is kept by the hash of a bot's content, or of what its environment consists of."""
PIP_NAME: Final = "cache of pip"
"""How lists name pip's cache; no bot can be called so."""
BLOCK_BYTES: Final = 512
PATIENCE_S: Final = 3600.0
"""How long to wait for other processes, which may be building."""


class CacheError(WrongInput):
    """The cache cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True)
class BuildNotes:
    """What a build took."""

    seconds: float
    hosts: dict[str, int]
    """How many bytes it exchanged with each host, as HOST:PORT; what an unconfined build fetches is not known."""
    packages: tuple[str, ...] = ()
    """What pip installed, each a line such as `six==1.16.0 --hash=sha256:0a1b`; empty if that is not known."""

    def __add__(self, later: "BuildNotes") -> "BuildNotes":
        """Return what both took together."""
        hosts = {host: self.hosts.get(host, 0) + later.hosts.get(host, 0) for host in {**self.hosts, **later.hosts}}
        return BuildNotes(round(self.seconds + later.seconds, 3), hosts, self.packages + later.packages)

    def describe(self) -> str:
        """Return it in a few words."""
        exchanged = f"; exchanged {sum(self.hosts.values()) / MB:.1f} MB with {', '.join(self.hosts)}"
        return f"{self.seconds:.1f} s{exchanged if self.hosts else ''}"


@dataclass(frozen=True, kw_only=True)
class Cached(BotVersion):
    """What the cache holds of one content of a bot, or of what its compilers keep, without version and content hash."""

    bytes: int
    """On the disk."""
    used_s: float
    """When it was needed last, in seconds since 1970."""
    in_use: bool
    """Whether a process needs it now."""
    build: BuildNotes | None = None
    """What its build took; None if it had none, or an older version of the arena built it."""


def cache_folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(CACHE):
        return Path(named).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "ballcourt"


def private_folder(purpose: str) -> Path:
    """Return a folder of the cache that only we may enter; make it if it does not exist. Raises CacheError."""
    folder = cache_folder() / purpose
    with _writing():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    return folder


@contextmanager
def _writing() -> Iterator[None]:
    """Raise CacheError for what cannot be written."""
    try:
        yield
    except BlockingIOError:  # it is locked
        raise
    except OSError as error:
        raise CacheError(
            f"the cache {cache_folder()} cannot be written: {error.strerror or error}; name another folder in {CACHE}"
        ) from error


def scratch_folder(name: str) -> Path:
    """Return the folder for the compilers of a bot's name, whatever characters the name has."""
    return private_folder(SCRATCH) / quote(name, safe="").replace(".", "%2E")


def lease(*hashes: str) -> Lease:
    """Keep what the cache has under these hashes from being removed, and say that it is needed now."""
    raise_file_limit()  # a tournament holds some for each bot
    files = [_lock(private_folder(USES) / content_hash, shared=True) for content_hash in hashes]
    for file in files:
        os.utime(file.fileno())
    return Lease(*files)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder of the cache for this process; wait for the others. Raises CacheError."""
    with _lock(_lock_of(folder)):
        yield


def is_done(folder: Path) -> bool:
    """Return whether a folder of the cache is complete."""
    return _done(folder).exists()


def set_done(folder: Path, *, done: bool, notes: BuildNotes | None = None) -> None:
    """Note whether a folder of the cache is complete, and what its build took."""
    if done:
        write_atomically(_done(folder), json.dumps(asdict(notes)).encode() if notes else b"")
    else:
        _done(folder).unlink(missing_ok=True)


def fill_once(folder: Path, fill: Callable[[], BuildNotes]) -> None:
    """Fill a folder of the cache unless it is complete; wait if another process is filling it.

    The remains of an interrupted attempt are removed before, and those of a failed one after. Raises CacheError, and
    what `fill` raises.
    """
    if is_done(folder):
        return
    with locked(folder):
        if is_done(folder):  # another process has filled it while we waited
            return
        remove(folder)
        try:
            notes = fill()
        except BaseException:
            remove(folder)
            _lock_of(folder).unlink(missing_ok=True)  # while it is held: `open_locked` sees that, and makes another
            raise
        set_done(folder, done=True, notes=notes)


def notes_on(folder: Path) -> BuildNotes | None:
    """Return what a build took; None if that is not known."""
    try:
        text = _done(folder).read_text()
    except FileNotFoundError:
        return None
    values = json.loads(text) if text else None
    return BuildNotes(**values | {"packages": tuple(values.get("packages", ()))}) if values else None


@contextmanager
def linked_pip_cache(copy: Path, most_mb: int) -> Iterator[None]:
    """Fill a new folder with links to what pip has kept, for one step; keep what this adds, unless it fails.

    What is kept is removed when it is more than `most_mb`; 0 means unlimited. Raises CacheError.
    """
    kept = private_folder(PIP_CACHE)
    with locked(kept), _writing():
        run("cp", "-al", kept, copy)
    try:
        yield
        with locked(kept), _writing():
            run("cp", "-alf", f"{copy}/.", kept)
            if 0 < most_mb * MB < _bytes(kept):
                remove(kept)
    finally:
        remove(copy)


@contextmanager
def place_to_build(most: int, owner: str = "") -> Iterator[None]:
    """Wait until fewer than `most` builds use this cache, and none of this owner; be one of them meanwhile.

    Raises CacheError.
    """
    own = [sha256(owner.encode()).hexdigest()] if owner else []
    with ExitStack() as places:
        for names in (own, map(str, range(most))):
            if paths := [private_folder(PLACES) / name for name in names]:
                held = places.enter_context(_first_free(paths))
                places.callback(Path(held.name).unlink, missing_ok=True)
        yield


def _first_free(paths: Sequence[Path]) -> IO[bytes]:
    """Lock the first of these files that is free; wait until one is."""
    began, is_reported = time.monotonic(), False
    while True:
        for path in paths:
            with suppress(BlockingIOError):
                held = _lock(path, waits=False)
                if is_reported:
                    time.sleep(2 * LOOK_S)  # so that those who wait for a place of others come first
                return held
        if time.monotonic() > began + PATIENCE_S:
            raise CacheError(f"other builds have run for {PATIENCE_S:g} s; end them, or raise sandbox.build.at_once")
        if not is_reported:
            is_reported = True
            sys.stderr.write(f"waiting for other builds: at most {len(paths)} run at the same time\n")
        time.sleep(LOOK_S)


def remove(folder: Path) -> None:
    """Remove a folder if it exists, whatever permissions a build has set in it. Raises OSError."""
    if folder.exists():
        run("chmod", "-R", "u+rwX", folder)
        run("rm", "-rf", folder)


def run(*command: str | Path) -> None:
    """Run a system program on files; it copes with any depth and any name. Raises OSError."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())


def cached() -> list[Cached]:
    """List what the cache holds, the largest first. Raises CacheError."""
    try:
        contents = {folder.name for purpose in HASHED for folder in _folders(purpose)}
        pip = cache_folder() / PIP_CACHE
        kept = [_of_compilers(unquote(folder.name), folder) for folder in _folders(SCRATCH)]
        kept += [_of_compilers(PIP_NAME, pip)] if pip.is_dir() else []
        found = [*map(_content, sorted(contents)), *kept]
    except OSError as error:
        raise CacheError(f"the cache {cache_folder()} cannot be read: {error.strerror or error}") from error
    return sorted(found, key=lambda entry: -entry.bytes)


def discard(entry: Cached) -> bool:
    """Remove something from the cache; return False if a process needs it. Raises CacheError."""
    folder = cache_folder()
    if entry.content_hash:
        held = private_folder(USES) / entry.content_hash
        doomed = [folder / part / entry.content_hash for part in HASHED]
    else:
        doomed = [folder / PIP_CACHE if entry.name == PIP_NAME else scratch_folder(entry.name)]
        held = _lock_of(doomed[0])
    try:
        with _lock(held, waits=False):
            for path in doomed:
                set_done(path, done=False)  # first: what is half removed is not complete
                remove(path)
                _lock_of(path).unlink(missing_ok=True)
            held.unlink(missing_ok=True)
    except BlockingIOError:
        return False
    except OSError as error:
        raise CacheError(f"the cache {folder} cannot be emptied: {error.strerror or error}") from error
    return True


def _content(digest: str) -> Cached:
    folder = cache_folder()
    bot, build, image, home, venv = (folder / part / digest for part in HASHED)
    name, version = _identity(build / BOT_FILE, image / "own" / BOT_FILE, bot / BOT_FILE)
    if venv.exists():
        name, version = "venv", _python_of(venv)
    size = sum(map(_bytes, (bot, build, image, home, venv)))
    used = folder / USES / digest
    places = (used, _done(build), _done(image), _done(venv), build, image, home, bot, venv)
    times = [path.stat().st_mtime for path in places if path.exists()]
    used_s = times[0] if times else 0
    notes = notes_on(venv) or notes_on(build)
    shown = name or digest[:12]
    return Cached(shown, version, digest, bytes=size, used_s=used_s, in_use=is_held(used), build=notes)


def _python_of(venv: Path) -> str:
    """Return the version of the Python of a virtual environment; empty if it is not known."""
    try:
        lines = (venv / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((cut(line.partition("=")[2].strip(), 80) for line in lines if line.startswith("version")), "")


def _of_compilers(name: str, folder: Path) -> Cached:
    used_s, in_use = folder.stat().st_mtime, is_held(_lock_of(folder))
    return Cached(name, "", bytes=_bytes(folder), used_s=used_s, in_use=in_use)


def _identity(*files: Path) -> tuple[str, str]:
    """Return name and version by the first of these files that can be read; empty if none can."""
    for file in files:
        try:
            values = read_toml(file)
        except (OSError, ValueError):
            continue
        return cut(str(values.get("name", "")), 80), cut(str(values.get("version", "")), 80)
    return "", ""


def _folders(purpose: str) -> list[Path]:
    try:
        return sorted(path for path in (cache_folder() / purpose).iterdir() if path.is_dir())
    except FileNotFoundError:
        return []


def _bytes(folder: Path) -> int:
    """Return how much a folder takes on the disk; what vanishes meanwhile takes nothing."""
    total = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            try:
                found = Path(place, name).lstat()
                total += getattr(found, "st_blocks", -(-found.st_size // BLOCK_BYTES)) * BLOCK_BYTES
            except FileNotFoundError:
                continue
    return total


def _done(folder: Path) -> Path:
    return folder.with_suffix(".done")


def _lock_of(folder: Path) -> Path:
    return folder.with_suffix(".lock")


def is_held(path: Path) -> bool:
    """Return whether any process, ours too, holds a lock on a file of the cache."""
    if not path.exists():
        return False
    try:
        with _lock(path, waits=False):
            return False
    except BlockingIOError:
        return True


def _lock(path: Path, *, shared: bool = False, waits: bool = True) -> IO[bytes]:
    """Lock a file; wait for others or raise BlockingIOError. Raises CacheError."""
    with _writing():
        return open_locked(path, lambda file: _wait_for(file, shared=shared) if waits else try_lock(file))


def _wait_for(file: IO[bytes], *, shared: bool) -> None:
    def report(holder: str) -> None:
        sys.stderr.write(f"waiting for {holder}, which uses {file.name}\n")

    try:
        lock(file, PATIENCE_S, report, shared=shared)
    except TimeoutError as error:
        raise CacheError(f"cannot use {file.name}: {error.strerror}") from error
