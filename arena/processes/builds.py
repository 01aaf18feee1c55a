"""Builds bots before any clock runs: the build step of a bot.toml, run once for every content of its folder.

A build works on a copy of the bot's folder in the cache, and the copy plays. So the content hash never depends on what
a compiler leaves behind, and an author can edit the bot while a tournament runs.

    <cache>/builds/<hash>/     the copy; it is built in place, because compilers write down absolute paths
    <cache>/builds/<hash>.done     exists once the build has succeeded
    <cache>/images/<hash>/     what confined processes get of the copy or, without a build step, of the bot's folder
    <cache>/scratch/<name>/    kept between the builds of a bot, for its compiler's caches
    <cache>/homes/<hash>/      the home of a build in a sandbox, only while it runs: no build trusts what another left

In a sandbox a build can write only to the copy and the home. If the arena runs as root, builds run as another user, who
owns both until the build ends. Only the arena's user may enter the folders of the cache.
"""

import asyncio
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.bots.image import make_image
from ballcourt.arena.faults import describe_exit, excerpt
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.printable import printable
from ballcourt.arena.processes.handles import Exit, LauncherProcess
from ballcourt.arena.sandbox.bubblewrap import BOT_USER
from ballcourt.arena.sandbox.launch import Launch
from ballcourt.arena.sandbox.registries import settings
from ballcourt.arena.sandbox.tiers import (
    NO_SANDBOX,
    Sandbox,
    SandboxError,
    check_startable,
    launch_build,
    require,
)
from ballcourt.arena.sandbox.visible import unseen_tools

BUILD_S = 1200
"""How long a build may take: the first one of a language may fetch and compile all its libraries."""
QUOTED_LINES = 24
CACHE = "BALLCOURT_CACHE"
"""The environment variable of the cache folder; the default is `ballcourt` in XDG_CACHE_HOME or ~/.cache."""


class BuildError(BotError):
    """A bot's build step failed; the lines after the first are its output."""


def ready(bots: Sequence[Bot], sandbox: Sandbox) -> tuple[Bot, ...]:
    """Build the bots and check that they can be started in the sandbox. Raises SandboxError and BuildError."""
    require(sandbox)
    started = tuple(built(bot, sandbox) for bot in bots)
    for bot in started:
        check_startable(bot, sandbox)
    return tuple(map(_with_image, started)) if sandbox.tier else started


def ready_entries(entries: Iterable[Entry], sandbox: Sandbox) -> dict[Entrant, Bot]:
    """Like `ready`, for the bots of entries; return them by entrant. Remote entrants have none."""
    bots = {entry.entrant: entry.bot for entry in entries if entry.bot}
    return dict(zip(bots, ready([*bots.values()], sandbox), strict=True))


def built(bot: Bot, sandbox: Sandbox = NO_SANDBOX) -> Bot:
    """Return the bot ready to be started: its built copy, or the bot itself if it has no build step.

    The build runs in the sandbox. An existing copy is used however it was built: whoever built it unconfined has
    decided to trust that build. Raises BuildError with the output of a failed build, and SandboxError if the sandbox
    cannot start it.
    """
    if not bot.build:
        return bot
    copy = _private_folder("builds") / bot.content_hash
    if not _is_built(copy):
        with _locked(_scratch_folder(bot).with_suffix(".lock")):
            if not _is_built(copy):  # another process may have built it while we waited
                _build(bot, copy, sandbox)
    return replace(bot, folder=copy, directory=copy / bot.directory.relative_to(bot.folder))


def _with_image(bot: Bot) -> Bot:
    """Return the bot with an image of its folder. Raises BotError if the folder is not what was hashed."""
    image = _private_folder("images") / bot.content_hash
    with _locked(image.with_suffix(".lock")):
        if not _is_built(image):
            _remove(image)
            try:
                found = make_image(bot.folder, image, () if bot.build else NO_CONTENT)
            except contents.ContentsError as error:
                raise BotError(str(error)) from error
            if not bot.build and found != bot.content_hash:
                raise BotError(f"the files of bot {bot.name} changed since it was loaded; run the command again")
            _done(image).touch()
    return replace(bot, image=image)


def cache_folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(CACHE):
        return Path(named).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "ballcourt"


def _scratch_folder(bot: Bot) -> Path:
    """Return a folder for the bot's name, whatever characters the name has."""
    return _private_folder("scratch") / quote(bot.name, safe="").replace(".", "%2E")


def _private_folder(purpose: str) -> Path:
    """Return a folder of the cache that only we may enter; make it if it does not exist."""
    folder = cache_folder() / purpose
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder


def _is_built(copy: Path) -> bool:
    return _done(copy).exists()


def _done(copy: Path) -> Path:
    return copy.with_suffix(".done")


def _build(bot: Bot, copy: Path, sandbox: Sandbox) -> None:
    """Copy and build; remove the remains of an interrupted build before, and of a failed one after."""
    sys.stderr.write(printable(f"building {bot.name} {bot.version}; the first time this may take minutes ...") + "\n")
    _remove(copy)
    _done(_private_folder("images") / bot.content_hash).unlink(missing_ok=True)
    try:
        if contents.copy(bot.folder, copy, (*NO_CONTENT, *bot.ignore)) != bot.content_hash:
            raise BuildError(f"bot {bot.name} cannot be built: its files changed meanwhile; run the command again")
        _carry_out(bot, copy, sandbox)
        _check_result(bot, copy)
    except BaseException:
        _remove(copy)
        raise
    _done(copy).touch()


def _carry_out(bot: Bot, copy: Path, sandbox: Sandbox) -> None:
    """Run the build step in the copy, and take ownership of the copy again afterwards."""
    with _home(bot) if sandbox.tier else _scratch(bot) as kept:
        step = launch_build(bot, copy, kept, sandbox)
        is_other = sandbox.tier and os.geteuid() == 0
        if is_other:
            _run("chown", "-hR", f"{BOT_USER}:{BOT_USER}", kept, copy)
        end = asyncio.run(_end_of(step))
    if is_other:
        _run("chown", "-hR", "0:0", copy)
    # nothing that runs as somebody else, or that somebody else may change; bots of root's arena only read it
    _run("chmod", "-R", "ug-s,u=rwX,go=rX", copy)
    if complaint := _complaint(bot, end):
        error = BuildError(complaint)
        for line in (*_output(end), *_advice(end, sandbox)):
            error.add_note(line)
        raise error


@contextmanager
def _home(bot: Bot) -> Iterator[Path]:
    """Make a home for a confined build, with settings for its package managers; remove it afterwards."""
    home = _private_folder("homes") / bot.content_hash
    _remove(home)
    home.mkdir()
    try:
        for name, data in settings().items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(data)
        yield home
    finally:
        _remove(home)


@contextmanager
def _scratch(bot: Bot) -> Iterator[Path]:
    """Make the folder that is kept between the unconfined builds of a bot."""
    folder = _scratch_folder(bot)
    folder.mkdir(exist_ok=True)
    yield folder


def _check_result(bot: Bot, copy: Path) -> None:
    """Raise BuildError if a build left what no bot may consist of."""
    try:
        for _ in contents.items(copy):
            pass
    except contents.ContentsError as error:
        raise BuildError(f"bot {bot.name} cannot be built: {error}") from error


async def _end_of(step: Launch) -> Exit | None:
    """Run a build step and end whatever it leaves running; return None if it took too long. Raises SandboxError."""
    async with LauncherProcess(lambda: None, own_session=True) as launcher:
        exited = launcher.start(step).exited
        ended, _ = await asyncio.wait([exited], timeout=BUILD_S)
    if not ended:
        return None
    end = exited.result()
    if end.ours:
        raise SandboxError(end.failure)
    return end


def _complaint(bot: Bot, end: Exit | None) -> str:
    """Return why a bot is not built; empty if it is."""
    beginning = f"bot {bot.name} cannot be built: "
    step = f"'{' '.join(bot.build)}'"
    if end is None:
        return f"{beginning}{step} took longer than {BUILD_S} s"
    if end.failure:
        return beginning + end.failure
    if not end.code:
        return ""
    why = f" ({end.out_of_memory})" if end.out_of_memory else ""
    return f"{beginning}{step} ended with {describe_exit(end.code)}{why}"


def _output(end: Exit | None) -> list[str]:
    """Quote what a build wrote."""
    return [f"| {line}" for line in excerpt(end.tail, QUOTED_LINES)] if end else []


def _advice(end: Exit | None, sandbox: Sandbox) -> list[str]:
    """Say which programs a confined build cannot see, if it may have missed one."""
    if not sandbox.tier or not end or "not found" not in end.tail:
        return []
    hidden = ", ".join(unseen_tools(sandbox.readable))
    seen = "the system's programs and known toolchains" + (f", and of the PATH not {hidden}" if hidden else "")
    return [f"a build in the sandbox sees {seen}; readable may name more"]


def _remove(folder: Path) -> None:
    """Remove a folder if it exists, whatever permissions a build has set in it."""
    if folder.exists():
        _run("chmod", "-R", "u+rwX", folder)
        _run("rm", "-rf", folder)


def _run(*command: str | Path) -> None:
    """Run a system program on files; it copes with any depth and any name. Raises OSError."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Let one process at a time build bots of a name, as they share a scratch folder. The lock ends with its holder."""
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
