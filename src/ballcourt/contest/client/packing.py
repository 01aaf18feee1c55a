"""Packs the folder of a bot: the same files give the same bytes, so that the same bot is the same submission."""

import gzip
import tarfile
from hashlib import sha256
from typing import IO, Final

from ballcourt.arena.bots.bot import NO_CONTENT, Bot
from ballcourt.arena.bots.contents import CHUNK, FILE_MODE, FOLDER_MODE, PROGRAM_MODE, ContentsError, ItemKind, items

LEVEL: Final = 6


def pack(bot: Bot, file: IO[bytes]) -> tuple[int, str]:
    """Write what belongs to a bot as a tar.gz file; return its size and its SHA-256.

    Raises ContentsError for a link: it is not unpacked on the other side.
    """
    with gzip.GzipFile("", "wb", LEVEL, file, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for item in items(bot.folder, (*NO_CONTENT, *bot.ignore)):
            if item.kind is ItemKind.LINK:
                raise ContentsError(
                    f"{bot.folder / item.path} is a link; a contest takes files and folders alone, so put a copy there"
                )
            entry = tarfile.TarInfo(item.path)
            if item.kind is ItemKind.FOLDER:
                entry.type, entry.mode = tarfile.DIRTYPE, FOLDER_MODE
                archive.addfile(entry)
                continue
            entry.size = item.size
            entry.mode = PROGRAM_MODE if item.kind is ItemKind.PROGRAM else FILE_MODE
            with open(item.handle, "rb", closefd=False) as content:
                archive.addfile(entry, content)
    size = file.seek(0, 2)
    file.seek(0)
    found = sha256()
    while piece := file.read(CHUNK):
        found.update(piece)
    return size, found.hexdigest()
