"""Which files are seen in the sandbox: a bot's own, the system's, and what a Python bot needs of this installation.

A build step sees besides what `ballcourt.arena.sandbox.toolchains` lists.
"""

import functools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.sandbox.bubblewrap import system_paths
from ballcourt.arena.sandbox.toolchains import settings, toolchain_paths


def visible_paths(bot: Bot, readable: Iterable[str] = ()) -> list[Path]:
    """List what is mounted for a bot; nothing in it is a part of something else in it."""
    return _outermost({*_shared(), *_interpreter(_program(bot.command, bot.directory)), bot.home, *map(Path, readable)})


def build_mounts(bot: Bot, folder: Path, readable: Iterable[str] = ()) -> dict[Path, Path]:
    """Say what is mounted beside the folder for the build of a bot in it: where it is seen, and where it is outside."""
    program = _program(bot.build, folder)
    paths = _outermost({*_shared(), *_interpreter(program), *toolchain_paths(), *map(Path, readable)})
    return {path: path for path in paths} | settings()


def objection(bot: Bot, readable: Iterable[str] = (), *, as_other: bool) -> str:
    """Say why a bot could not be started among its visible paths, `as_other`: by another user; empty if it could."""
    if not bot.directory.is_relative_to(bot.home):
        return f"bot {bot.name} runs in {bot.directory}, which is outside its folder {bot.home}; it has to be inside"
    if path := _unseen(_program(bot.command, bot.directory), visible_paths(bot, readable)):
        return (
            f"bot {bot.name} is started by {path}, which bots in the sandbox do not see; name its folder in "
            "readable, or bring the program along in the bot's folder"
        )
    if as_other and (closed := _first_closed(bot.home)):
        return (
            f"bot {bot.name} could not read {closed}: an arena run by root starts bots as a user without rights; "
            f"run chmod -R a+rX {bot.home}"
        )
    return ""


def build_objection(bot: Bot, folder: Path, readable: Iterable[str] = ()) -> str:
    """Say why a bot could not be built in this folder among what is mounted for that; empty if it could."""
    if path := _unseen(_program(bot.build, folder), [folder, *build_mounts(bot, folder, readable)]):
        return f"bot {bot.name} is built by {path}, which builds in the sandbox do not see; name its folder in readable"
    return ""


def unseen_tools(bot: Bot, folder: Path, readable: Iterable[str] = ()) -> list[str]:
    """List the folders of the PATH that exist, but not for the build of a bot in this folder."""
    seen = [*build_mounts(bot, folder, readable)]
    named = dict.fromkeys(map(Path, os.get_exec_path()))
    return [str(path) for path in named if path.is_absolute() and os.access(path, os.X_OK) and _unseen([path], seen)]


@functools.cache
def _shared() -> tuple[Path, ...]:
    """What all bots see; the same as long as the arena runs, and asked for at every start of a bot."""
    return (*system_paths(), *_installation())


def _installation() -> Iterator[Path]:
    """Our interpreter, the packages it has, and of an installation from source only what bots use."""
    yield from (Path(sys.prefix), Path(sys.base_prefix))
    yield from (path for path in map(Path, sys.path) if path.name in ("site-packages", "dist-packages"))
    yield PACKAGE  # in a checkout its folders are links, so what they lead to is mounted too
    yield from ((PACKAGE / part).resolve() for part in ("engine", "v1", "contract", "bots/__init__.py", "bots/sdk"))


def _program(command: Sequence[str], directory: Path) -> list[Path]:
    """Where the program of a command is: each link, and what they end at; nothing when it cannot be found."""
    name = command[0] if command else ""
    found = shutil.which(str(directory / name) if os.sep in name else name)
    if not found:
        return []
    path, chain = Path(found), [Path(found)]
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent / path.readlink()))
        chain.append(path)
    return [*chain, path.resolve()]


def _interpreter(program: Sequence[Path]) -> Iterator[Path]:
    """The installation a program belongs to, where it is a Python; others are named in `readable`."""
    for path in program:
        prefix = path.parent.parent
        if (prefix / "pyvenv.cfg").exists() or any(prefix.glob("lib/python3*/os.py")):
            yield prefix


def _outermost(paths: set[Path]) -> list[Path]:
    return [path for path in sorted(paths) if paths.isdisjoint(path.parents)]


def _unseen(paths: Iterable[Path], seen: Iterable[Path]) -> Path | None:
    """Find a path that is neither one of those seen nor below one."""
    places = [*seen]
    return next((path for path in paths if not any(path.is_relative_to(place) for place in places)), None)


def _first_closed(folder: Path) -> Path | None:
    """Find a file or folder that not everybody may read."""
    for path in (folder, *sorted(folder.rglob("*"))):
        needed = 0o5 if path.is_dir() else 0o4
        if not path.is_symlink() and path.stat().st_mode & needed != needed:
            return path
    return None
