"""Builds bots before any clock runs: the build step of a bot.toml, carried out once for every content of its folder.

A build works on a copy of the bot's folder in the cache, and the copy is what plays: so the folder's content hash never
depends on what a compiler leaves behind, and an author can go on editing while a tournament runs.

    <cache>/builds/<hash>/     the copy; it is built where it stays, for compilers write down where they were
    <cache>/builds/<hash>.done     there once the build has succeeded
    <cache>/scratch/<name>/    kept between the builds of a bot, for what its compiler wants to keep
    <cache>/homes/<name>/      the same for builds in a sandbox, which trust nothing that came about outside of one

In a sandbox the copy and the home are all that a build can write to. Run by root it is another user, who owns them
until it has ended.
"""

import asyncio
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.faults import describe_exit, excerpt
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.processes.handles import Exit, LauncherProcess
from ballcourt.arena.sandbox.bubblewrap import BOT_USER
from ballcourt.arena.sandbox.launch import Launch
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
"""So many seconds a build may take: the first one of a language may fetch and compile all its libraries."""
QUOTED_LINES = 24
CACHE = "BALLCOURT_CACHE"
"""Names the folder of the cache; without it, `ballcourt` in XDG_CACHE_HOME or ~/.cache."""


class BuildError(BotError):
    """A bot's build step fails; the lines after the first are what it printed."""


def ready(bots: Sequence[Bot], sandbox: Sandbox) -> tuple[Bot, ...]:
    """Build the bots and see that they can be started in the sandbox. Raises SandboxError and BuildError."""
    require(sandbox)
    started = tuple(built(bot, sandbox) for bot in bots)
    for bot in started:
        check_startable(bot, sandbox)
    return started


def ready_entries(entries: Iterable[Entry], sandbox: Sandbox) -> dict[Entrant, Bot]:
    """Like `ready`, for the bots of entries; return them by entrant. Remote entrants have none."""
    bots = {entry.entrant: entry.bot for entry in entries if entry.bot}
    return dict(zip(bots, ready([*bots.values()], sandbox), strict=True))


def built(bot: Bot, sandbox: Sandbox = NO_SANDBOX) -> Bot:
    """Return the bot as it can be started: itself when it has no build step, else its built copy.

    The build runs in the sandbox. A copy that is there already is taken however it was built: who has built a bot
    unconfined has decided to trust that build. Raises BuildError with what the build printed when it fails,
    SandboxError when the sandbox does not let it begin.
    """
    if not bot.build:
        return bot
    copy = cache_folder() / "builds" / bot.content_hash
    if not _is_built(copy):
        with _locked(_folder_for(bot, "scratch").with_suffix(".lock")):
            if not _is_built(copy):  # another process may have built it while we waited
                _build(bot, copy, sandbox)
    return replace(bot, folder=copy, directory=copy / bot.directory.relative_to(bot.folder))


def cache_folder() -> Path:
    """Return where builds are kept."""
    if named := os.environ.get(CACHE):
        return Path(named).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "ballcourt"


def _folder_for(bot: Bot, purpose: str) -> Path:
    """A folder for the bot's name, whatever characters that has."""
    return cache_folder() / purpose / quote(bot.name, safe="").replace(".", "%2E")


def _is_built(copy: Path) -> bool:
    return _done(copy).exists()


def _done(copy: Path) -> Path:
    return copy.with_suffix(".done")


def _build(bot: Bot, copy: Path, sandbox: Sandbox) -> None:
    """Copy and build; what a build that broke off has left is removed first, what a failed one leaves at once."""
    sys.stderr.write(f"building {bot.name} {bot.version}; the first time this may take minutes ...\n")
    _remove(copy)
    try:
        shutil.copytree(bot.folder, copy, symlinks=True, ignore=shutil.ignore_patterns(*NO_CONTENT, *bot.ignore))
        _carry_out(bot, copy, sandbox)
    except BaseException:
        _remove(copy)
        raise
    _done(copy).touch()


def _carry_out(bot: Bot, copy: Path, sandbox: Sandbox) -> None:
    """Carry out the build step in the copy, which is ours alone again afterwards."""
    kept = _folder_for(bot, "homes" if sandbox.tier else "scratch")
    kept.mkdir(parents=True, exist_ok=True)
    step = launch_build(bot, copy, kept, sandbox)
    is_other = sandbox.tier and os.geteuid() == 0
    if is_other:
        _run("chown", f"{BOT_USER}:{BOT_USER}", kept)
        _run("chown", "-hR", f"{BOT_USER}:{BOT_USER}", copy)
    end = asyncio.run(_end_of(step))
    if is_other:
        _run("chown", "-hR", "0:0", copy)
        _run("chmod", "-R", "ug-s,u=rwX,go=rX", copy)  # bots are started by that user too, and only read it
    if complaint := _complaint(bot, end):
        raise BuildError(complaint + _advice(bot, end, copy, sandbox))


async def _end_of(step: Launch) -> Exit | None:
    """Run a build step and end whatever it leaves running; None when it took too long. Raises SandboxError."""
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
    """Say why a bot is not built, with what its build printed; empty when it is."""
    beginning = f"bot {bot.name} cannot be built: "
    step = f"'{' '.join(bot.build)}'"
    if end is None:
        return f"{beginning}{step} took longer than {BUILD_S} s"
    if end.failure:
        return beginning + end.failure
    if not end.code:
        return ""
    why = f" ({end.out_of_memory})" if end.out_of_memory else ""
    first = f"{beginning}{step} ended with {describe_exit(end.code)}{why}"
    return "\n| ".join([first, *excerpt(end.tail, QUOTED_LINES)])


def _advice(bot: Bot, end: Exit | None, copy: Path, sandbox: Sandbox) -> str:
    """Say what a confined build that did not find a program may have missed."""
    if not sandbox.tier or not end or "not found" not in end.tail:
        return ""
    hidden = ", ".join(unseen_tools(bot, copy, sandbox.readable))
    seen = "the system's programs and known toolchains" + (f", and of the PATH not {hidden}" if hidden else "")
    return f"\na build in the sandbox sees {seen}; readable may name more"


def _remove(folder: Path) -> None:
    """Remove a folder if it is there, whatever a build has done to it."""
    if folder.exists():
        _run("chmod", "-R", "u+rwX", folder)
        _run("rm", "-rf", folder)


def _run(*command: str | Path) -> None:
    """Run one of the system's programs for files, which no depth and no name disturbs. Raises OSError."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Let one process at a time build bots of a name, for they share a scratch folder; a lock ends with its holder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
