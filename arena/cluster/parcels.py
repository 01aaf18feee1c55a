"""Bots on their way to other machines: the files of a folder, known by the hash of their content.

    <cache>/bots/<hash>/        a folder that came from elsewhere
    <cache>/bots/<hash>.done    exists once it is complete

A machine asks only for what its cache lacks, and builds it in its own sandbox, once: see `ballcourt.arena.processes`.
"""

import io
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError, is_copy, load_bot
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.cluster.security import ClusterError
from ballcourt.arena.processes.cache import BOTS, is_done, lease, locked, private_folder, remove, set_done
from ballcourt.arena.temporary import scratch_folder

MOST_BYTES: Final = 256 << 20


@dataclass(frozen=True, slots=True)
class Traveller:
    """What a machine needs to know about a bot whose files it may not have."""

    bot: BotVersion
    arguments: tuple[str, ...] = ()
    """What the organiser adds to its command."""


def pack(bot: Bot) -> tuple[Traveller, bytes]:
    """Return a bot and its files as another machine gets them. Raises BotError for a bot that cannot travel."""
    if not bot.directory.is_relative_to(bot.home):
        raise BotError(f"bot {bot.name} starts in {bot.directory}, outside of its folder, so it cannot play elsewhere")
    with scratch_folder() as place:
        folder = place / "bot"
        try:
            found = contents.copy(bot.folder, folder, (*NO_CONTENT, *bot.ignore))
        except contents.ContentsError as error:
            raise BotError(str(error)) from error
        if found != bot.content_hash:
            raise BotError(f"the files of bot {bot.name} changed since it was loaded; run the command again")
        own = load_bot(folder).command
        parcel = _archived(folder)
    if len(parcel) > MOST_BYTES:
        raise BotError(
            f"bot {bot.name} has {len(parcel) >> 20} MB, and at most {MOST_BYTES >> 20} MB travel; put large files on "
            "every machine and name them in the sandbox's readable"
        )
    return Traveller(bot.entrant.bot, bot.command[len(own) :]), parcel


def unpack(traveller: Traveller, fetch: Callable[[str], bytes]) -> Bot:
    """Return a bot from the cache, which gets its files from `fetch` if it lacks them. Raises BotError."""
    kept = lease(traveller.bot.content_hash)
    folder = private_folder(BOTS) / traveller.bot.content_hash
    with locked(folder):
        if not (is_done(folder) and is_copy(folder, traveller.bot.content_hash)):
            set_done(folder, done=False)
            remove(folder)
            if not (
                _extracted(fetch(traveller.bot.content_hash), folder) and is_copy(folder, traveller.bot.content_hash)
            ):
                raise ClusterError(f"the files of bot {traveller.bot.content_hash[:12]} were damaged on their way")
            set_done(folder, done=True)
    bot = load_bot(folder)
    return replace(bot, command=(*bot.command, *traveller.arguments), lease=kept)


def _archived(folder: Path) -> bytes:
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(folder, ".", filter=_anonymous)
        return file.getvalue()


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who owns a file and when it was written."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry


def _extracted(parcel: bytes, folder: Path) -> bool:
    """Extract a parcel into a folder; return whether it is one. Nothing is written outside of the folder."""
    try:
        with tarfile.open(fileobj=io.BytesIO(parcel)) as archive:
            entries = archive.getmembers()
            if not _stays_inside(entries):
                return False
            archive.extraction_filter = _private  # an attribute, because Python 3.11.2 has no parameter for it
            archive.extractall(folder)
    except tarfile.TarError:
        return False
    return True


def _stays_inside(entries: Sequence[tarfile.TarInfo]) -> bool:
    """Whether no entry leads out of the folder, neither by its name nor through a link of another entry."""
    paths = [PurePosixPath(entry.name) for entry in entries]
    links = {path for path, entry in zip(paths, entries, strict=True) if entry.issym()}
    return (
        len(set(paths)) == len(paths)
        and all(entry.isreg() or entry.isdir() or entry.issym() for entry in entries)
        and not any(path.is_absolute() or ".." in path.parts or links.intersection(path.parents) for path in paths)
    )


def _private(entry: tarfile.TarInfo, _: str) -> tarfile.TarInfo:
    entry.mode &= contents.PROGRAM_MODE
    return entry
