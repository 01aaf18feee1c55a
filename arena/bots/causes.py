"""Causes that the files of a folder show: why it holds no bot, and why a command in it does not start.

Ask only after a failure: each is what it looks like, and nothing is started.
"""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.contents import matches
from ballcourt.arena.printable import cut

ALIKE: Final = re.compile(r"bot\W*\d*\W*\.t\w*(\.\w+)?", re.IGNORECASE)
ARCHIVE: Final = re.compile(r".*\.(zip|tar|tgz|tar\.\w+)", re.IGNORECASE)
MOST_FOLDERS: Final = 200
"""How many folders are looked through for a bot."""
SHELLS: Final = ("sh", "bash", "dash", "zsh", "ksh")
HEAD: Final = 1 << 16
"""How many bytes of a script are read."""
LINE_ENDS: Final = "has the line ends of Windows; save it with those of Linux (in .gitattributes: * text=auto eol=lf)"


def no_bot(folder: Path, file: str, ignore: Sequence[str]) -> str:
    """Return where the file may be that makes a folder a bot: under a name like it, or deeper; empty if nowhere.

    Names that match `ignore` are not looked at.
    """
    for place, folders, names in islice(os.walk(folder), MOST_FOLDERS):
        folders[:] = sorted(name for name in folders if not matches(name, ignore))
        for name in sorted(names):
            inside = os.path.relpath(place, folder)
            if name == file:
                return f"there is one in {cut(inside)}; give that folder itself"
            if ALIKE.fullmatch(name):
                return f"rename {cut(os.path.normpath(os.path.join(inside, name)))} to {file}"  # noqa: PTH118
        if archives := [name for name in sorted(names) if ARCHIVE.fullmatch(name)]:
            return f"there is an archive, {cut(archives[0])}; unpack it, and give what is in it"
    return ""


def unstartable(command: Sequence[str], directory: Path) -> str:
    """Return why a command does not start in a folder, and what to do; empty if no file shows it."""
    if sys.platform == "win32":
        return ""
    program, path = command[0], directory / command[0]
    if os.sep not in program and (found := shutil.which(program)):
        scripts = (directory / word for word in command[1:] if not word.startswith("-"))
        script = next(scripts, None) if Path(found).name in SHELLS else None
        return f"{script.name} {LINE_ENDS}" if script and b"\r\n" in _head(script) else ""
    if os.sep not in program:
        if path.is_file():
            return f"'{program}' is looked for on the PATH; write './{program}' for the file of the folder"
        return f"there is no program '{program}' on the PATH; install it, or correct the command"
    if not path.exists():
        near = [name for name in _names(path.parent) if name.lower() == path.name.lower()]
        return f"there is no file '{program}'" + (f"; there is {near[0]}, and case counts" if near else "")
    if path.is_dir():
        return f"'{program}' is a folder; name a program in it"
    if not os.access(path, os.X_OK):
        return f"'{program}' has no right to execute; give it with chmod +x, or name its interpreter first"
    return _unreadable(program, _head(path))


def _unreadable(program: str, head: bytes) -> str:
    """Return why the kernel cannot run a program that begins so; empty if it can."""
    if head.startswith(b"\x7fELF"):
        return ""
    if not head.startswith(b"#!"):
        return f"'{program}' is neither a program of Linux nor a script whose first line names its interpreter with #!"
    line = head.partition(b"\n")[0]
    if line.endswith(b"\r"):
        return f"'{program}' {LINE_ENDS}"
    interpreter, *words = line[2:].decode(errors="replace").split() or [""]
    if Path(interpreter).name == "env" and os.access(interpreter, os.X_OK):
        interpreter = next((word for word in words if not word.startswith("-") and "=" not in word), "")
    if interpreter and shutil.which(interpreter):
        return ""
    return f"the first line of '{program}' names the interpreter {cut(interpreter)!r}, which does not exist; correct it"


def _head(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(HEAD)
    except OSError:
        return b""


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
    except OSError:
        return []
