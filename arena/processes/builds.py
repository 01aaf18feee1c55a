"""Builds bots before any clock runs: the build step of a bot.toml, run once for every content of its folder.

A build works on a copy of the bot's folder in the cache, and the copy plays. So the content hash never depends on what
a compiler leaves behind, and an author can edit the bot while a tournament runs. `arena.processes.cache` says where
everything is.

In a sandbox a build can write only to the copy and the home. If the arena runs as root, builds run as another user, who
owns both until the build ends.
"""

import asyncio
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.bots.image import make_image
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.faults import describe_end, excerpt
from ballcourt.arena.fetching.destinations import Destinations
from ballcourt.arena.fetching.proxy import MB, Proxy, Traffic
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.printable import printable
from ballcourt.arena.processes.cache import (
    BUILDS,
    HOMES,
    IMAGES,
    BuildNotes,
    is_done,
    lease,
    locked,
    place_to_build,
    private_folder,
    remove,
    run,
    scratch_folder,
    set_done,
)
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.starter import Exit
from ballcourt.arena.processes.watching import Watch
from ballcourt.arena.sandbox.bubblewrap import BOT_USER
from ballcourt.arena.sandbox.registries import settings
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox, SandboxError, check_startable, launch_build, require
from ballcourt.arena.sandbox.trial import import_failure
from ballcourt.arena.sandbox.visible import unseen_tools

QUOTED_LINES = 24


class BuildError(BotError):
    """A bot's build step failed; the lines after the first are its output."""


def ready(bots: Sequence[Bot], sandbox: Sandbox) -> tuple[Bot, ...]:
    """Build the bots and check that they can be started in the sandbox. Raises SandboxError and BuildError."""
    require(sandbox)
    if any(bot.command[0] == sys.executable for bot in bots) and (why := import_failure(sys.executable, sandbox)):
        raise SandboxError(why)
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

    The build runs in the sandbox. An existing copy is used however it was built: an unconfined build has
    decided to trust that build. Raises BuildError with the output of a failed build, and SandboxError if the sandbox
    cannot start it.
    """
    if not bot.build:
        return bot
    needs_linux(f"bot {bot.name} has a build step, which needs")
    kept = lease(bot.content_hash)
    copy = private_folder(BUILDS) / bot.content_hash
    if not is_done(copy):
        with locked(scratch_folder(bot.name)):
            if not is_done(copy):  # another process may have built it while we waited
                _build(bot, copy, sandbox)
    return replace(bot, folder=copy, directory=copy / bot.directory.relative_to(bot.folder), lease=kept)


def _with_image(bot: Bot) -> Bot:
    """Return the bot with an image of its folder. Raises BotError if the folder is not what was hashed."""
    kept = bot.lease or lease(bot.content_hash)
    image = private_folder(IMAGES) / bot.content_hash
    with locked(image):
        if not is_done(image):
            remove(image)
            try:
                found = make_image(bot.folder, image, () if bot.build else NO_CONTENT)
            except contents.ContentsError as error:
                raise BotError(str(error)) from error
            if not bot.build and found != bot.content_hash:
                raise BotError(f"the files of bot {bot.name} changed since it was loaded; run the command again")
            set_done(image, done=True)
    return replace(bot, image=image, lease=kept)


def _build(bot: Bot, copy: Path, sandbox: Sandbox) -> None:
    """Copy and build; remove the remains of an interrupted build before, and of a failed one after."""
    _say(f"building {bot.name} {bot.version}; the first time this may take minutes ...")
    remove(copy)
    set_done(private_folder(IMAGES) / bot.content_hash, done=False)
    try:
        if contents.copy(bot.folder, copy, (*NO_CONTENT, *bot.ignore)) != bot.content_hash:
            raise BuildError(f"bot {bot.name} cannot be built: its files changed meanwhile; run the command again")
        with place_to_build(sandbox.build.at_once):
            notes = _carry_out(bot, copy, sandbox)
        _check_result(bot, copy)
    except BaseException:
        remove(copy)
        raise
    set_done(copy, done=True, notes=notes)
    _say(f"built {bot.name} {bot.version} in {notes.describe()}")


def _say(sentence: str) -> None:
    sys.stderr.write(printable(sentence) + "\n")


def _carry_out(bot: Bot, copy: Path, sandbox: Sandbox) -> BuildNotes:
    """Run the build step in the copy, and take ownership of the copy again; return what it took."""
    with _home(bot) if sandbox.tier else _scratch(bot) as kept:
        is_other = sandbox.tier and os.geteuid() == 0
        if is_other:
            run("chown", "-hR", f"{BOT_USER}:{BOT_USER}", kept, copy)
        watch = Watch(sandbox.build, (copy, kept))
        end, excess, traffic = asyncio.run(_end_of(bot, copy, kept, sandbox, watch))
        notes = BuildNotes(round(watch.seconds, 3), {str(place): count for place, count in traffic.bytes.items()})
        if is_other:
            run("chown", "-hR", "0:0", copy)
        # nothing that runs as another user, or that another user may change; bots of root's arena only read it
        run("chmod", "-R", "ug-s,u=rwX,go=rX", copy)
        excess = excess or watch.disk_excess()
        if excess and not sandbox.tier:
            remove(kept)
    if complaint := _complaint(bot, end, excess, watch):
        error = BuildError(complaint)
        for line in (*_output(end), *traffic.lines(), *_advice(end, sandbox)):
            error.add_note(line)
        raise error
    return notes


@contextmanager
def _home(bot: Bot) -> Iterator[Path]:
    """Make a home for a confined build, with settings for its package managers; remove it afterwards."""
    home = private_folder(HOMES) / bot.content_hash
    remove(home)
    home.mkdir()
    try:
        for name, data in settings().items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(data)
        yield home
    finally:
        remove(home)


@contextmanager
def _scratch(bot: Bot) -> Iterator[Path]:
    """Make the folder that is kept between the unconfined builds of a bot."""
    folder = scratch_folder(bot.name)
    folder.mkdir(exist_ok=True)
    yield folder


def _check_result(bot: Bot, copy: Path) -> None:
    """Raise BuildError if a build left what no bot may consist of."""
    try:
        for _ in contents.items(copy):
            pass
    except contents.ContentsError as error:
        raise BuildError(f"bot {bot.name} cannot be built: {error}") from error


async def _end_of(bot: Bot, copy: Path, kept: Path, sandbox: Sandbox, watch: Watch) -> tuple[Exit | None, str, Traffic]:
    """Run a build step and end whatever it leaves running; return how it ended and what it fetched.

    It is ended when it exceeds a limit: the string says which, and there is no exit. Raises SandboxError.
    """
    limits = sandbox.build
    async with (
        LauncherProcess(lambda: None, own_session=True) as launcher,
        Proxy(launcher.socket_folder / "proxy", Destinations(limits.hosts), limits.fetch_mb * MB) as proxy,
    ):
        exited = launcher.start(launch_build(bot, copy, kept, sandbox, proxy.folder)).exited
        excess = await watch.excess(exited, launcher.pid, proxy.traffic)
    if excess:
        return None, excess, proxy.traffic
    end = exited.result()
    if end.ours:
        raise SandboxError(end.failure)
    return end, "", proxy.traffic


def _complaint(bot: Bot, end: Exit | None, excess: str, watch: Watch) -> str:
    """Return why a bot is not built; empty if it is."""
    beginning = f"bot {bot.name} cannot be built: "
    step = f"'{' '.join(bot.build)}'"
    if end is None or excess:
        return f"{beginning}{step} {excess}"
    if end.failure:
        return beginning + end.failure
    if not end.code:
        return ""
    why = "".join(f" ({reason})" for reason in watch.reasons(end))
    return f"{beginning}{step} {describe_end(end.code)}{why}"


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
