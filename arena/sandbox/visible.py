"""The files that are visible in the sandbox: the bot's, the system's, and what Python bots need of this installation.

A build step also sees what `ballcourt.arena.sandbox.toolchains` lists.
"""

import functools
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import NO_CONTENT, Bot
from ballcourt.arena.bots.contents import ItemKind, items, matches
from ballcourt.arena.bots.venv import our_libraries, program_in
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.python import our_prefixes, our_python
from ballcourt.arena.sandbox.bubblewrap import system_paths
from ballcourt.arena.sandbox.registries import WHOLE
from ballcourt.arena.sandbox.toolchains import toolchain_paths

MOST_LINKS = 40  # as in the kernel


def visible_paths(bot: Bot, readable: Iterable[str] = ()) -> list[Path]:
    """List the paths that are mounted for a bot; none is below another.

    Neither its command nor a link in its folder adds any.
    """
    return _outermost({*_shared(), bot.home, *_of_venv(bot.venv), *map(Path, readable)})


def build_paths(readable: Iterable[str] = (), venv: Path | None = None) -> list[Path]:
    """List the paths that are mounted for a build step, besides the folders it writes to; none is below another.

    `venv` is the environment that it uses or fills.
    """
    return _outermost({*_shared(), *toolchain_paths(), *_of_venv(venv), *map(Path, readable)})


def objection(bot: Bot, readable: Iterable[str] = ()) -> str:
    """Return why a bot could not start with its visible paths; empty if it could."""
    if not bot.directory.is_relative_to(bot.home):
        return f"bot {bot.name} runs in {bot.directory}, which is outside its folder {bot.home}; it has to be inside"
    if path := _unseen(_program(bot.command, bot.directory), visible_paths(bot, readable)):
        return (
            f"bot {bot.name} is started by {path}, which bots in the sandbox do not see; name its folder in "
            "readable, or bring the program along in the bot's folder"
        )
    if path := _left_out(bot):
        return (
            f"bot {bot.name} is started by {path}, which is not part of the bot: such names are of the machine "
            "it was written on; rename it, or let a build step or requirements make it"
        )
    return ""


def is_whole(bot: Bot) -> bool:
    """Return whether neither its directory, nor its program, nor a link in its folder is outside of what is copied."""
    home = str(bot.home)
    if not bot.directory.is_relative_to(home) or _left_out(bot):
        return False
    links = (item for item in items(bot.home, (*NO_CONTENT, *bot.ignore)) if item.kind is ItemKind.LINK)
    return all(Path(os.path.realpath(bot.home / link.path)).is_relative_to(home) for link in links)


def build_objection(bot: str, command: Sequence[str], folder: Path, seen: Iterable[Path]) -> str:
    """Return why the build step of a bot could not run in this folder with what it sees; empty if it could."""
    if path := _unseen(_program(command, folder), [folder, *seen]):
        return f"bot {bot} is built by {path}, which builds in the sandbox do not see; name its folder in readable"
    return ""


def unseen_tools(readable: Iterable[str] = ()) -> list[str]:
    """List the folders of the PATH that the build of a bot cannot see."""
    seen = build_paths(readable)
    named = dict.fromkeys(map(Path, os.get_exec_path()))
    return [str(path) for path in named if path.is_absolute() and os.access(path, os.X_OK) and _unseen([path], seen)]


def _left_out(bot: Bot) -> Path | None:
    """Return the program of a bot without a build step if that is left out of the folder."""
    program = [] if bot.build else _program(bot.command, bot.directory)
    inside = (path.relative_to(bot.home) for path in program if path.is_relative_to(bot.home))
    return next(
        (path for path in inside if any(matches(part, (*NO_CONTENT, *bot.ignore)) for part in path.parts)), None
    )


@functools.cache
def _shared() -> tuple[Path, ...]:
    """Return what all bots see; cached, because it is needed at every start of a bot."""
    return (*system_paths(), *_installation())


def _installation() -> Iterator[Path]:
    """Yield our interpreter and its packages; in a checkout, ours are the targets of links."""
    yield from (*our_prefixes(), *_pythons(_chain(Path(our_python()))))
    yield from our_libraries()
    yield from (PACKAGE, *(path.resolve() for path in PACKAGE.iterdir() if path.is_symlink()))


def _of_venv(venv: Path | None) -> Iterator[Path]:
    """Yield a virtual environment and the installation of Python that it belongs to."""
    if venv:
        yield venv
        yield from _pythons(_chain(program_in(venv)))


def _program(command: Sequence[str], directory: Path) -> list[Path]:
    """Return the path of a command's program: each link on the way, and the target; empty if it is not found."""
    name = command[0] if command else ""
    found = shutil.which(str(directory / name) if os.sep in name else name)
    return _chain(Path(found)) if found else []


def _chain(path: Path) -> list[Path]:
    """Return a path, each link that it leads to, and the target."""
    chain = [path]
    while chain[-1].is_symlink() and len(chain) <= MOST_LINKS:
        chain.append(Path(os.path.normpath(chain[-1].parent / chain[-1].readlink())))
    return [*chain, Path(os.path.realpath(path))]


def _pythons(chain: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders of the installations of Python that these paths belong to."""
    for prefix in (path.parent.parent for path in chain):
        if (prefix / "pyvenv.cfg").exists() or any(prefix.glob("lib/python3*/os.py")):
            yield prefix


def _outermost(paths: set[Path]) -> list[Path]:
    return [path for path in sorted(paths) if paths.isdisjoint(path.parents) or not WHOLE.isdisjoint(path.parents)]


def _unseen(paths: Iterable[Path], seen: Iterable[Path]) -> Path | None:
    """Return a path that is neither visible nor below a visible one; None if there is none."""
    places = [*seen]
    return next((path for path in paths if not any(path.is_relative_to(place) for place in places)), None)
