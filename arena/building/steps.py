"""Steps that make what a bot needs before any clock runs: its build, and the installation of its requirements.

In a sandbox a step can write only to the folders that it names and to its home. If the arena runs as root, steps run as
another user, who owns these until the step ends.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.causes import unstartable
from ballcourt.arena.building.watching import Watch
from ballcourt.arena.faults import describe_end, excerpt
from ballcourt.arena.fetching.destinations import Destinations
from ballcourt.arena.fetching.proxy import MB, Proxy, Traffic
from ballcourt.arena.printable import printable
from ballcourt.arena.processes.cache import HOMES, BuildNotes, locked, private_folder, remove, run, scratch_folder
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.starter import Exit
from ballcourt.arena.sandbox.bubblewrap import BOT_USER
from ballcourt.arena.sandbox.registries import settings
from ballcourt.arena.sandbox.tiers import GVISOR, BuildPlan, Sandbox, SandboxError, launch_build
from ballcourt.arena.sandbox.visible import unseen_tools

QUOTED_LINES = 24


class BuildError(BotError):
    """A bot cannot be built, or its requirements cannot be installed; the lines after the first are the output."""


@dataclass(frozen=True)
class Step:
    """A command that fills a folder for a bot."""

    bot: str
    """The name of the bot."""
    plan: BuildPlan
    folder: Path
    """The folder that it fills, and that others may read when it has ended."""
    links: Path | None = None
    """A folder in its home with links to files that are kept anyway, so they do not count."""
    reason: Callable[[str], str] = lambda _: ""
    """Returns why it failed, given what it printed; empty if that does not say it."""
    shown: str = ""
    """How sentences call its command; empty: by all of its words."""


def say(sentence: str) -> None:
    """Report on the standard error what is going on."""
    sys.stderr.write(printable(sentence) + "\n")


def carry_out(step: Step, home: Path, sandbox: Sandbox) -> BuildNotes:
    """Run a step and take ownership of its folder again; return what it took.

    Raises BuildError with the output of a step that failed, and SandboxError if the sandbox cannot start it.
    """
    is_other = sandbox.tier and os.geteuid() == 0
    if is_other:
        run("chown", "-hR", f"{BOT_USER}:{BOT_USER}", home, step.folder)
    watch = Watch(sandbox.build, (step.folder, home), step.links)
    end, excess, traffic = asyncio.run(_end_of(step, home, sandbox, watch))
    notes = BuildNotes(round(watch.seconds, 3), {str(place): count for place, count in traffic.bytes.items()})
    if is_other:
        run("chown", "-hR", "0:0", step.folder)
    # nothing that runs as another user, or that another user may change; bots of root's arena only read it
    run("chmod", "-R", "ug-s,u=rwX,go=rX", step.folder)
    excess = excess or watch.disk_excess()
    if excess and not sandbox.tier:
        remove(home)
    if complaint := _complaint(step, end, excess, watch):
        error = BuildError(complaint)
        for line in (*_output(end), *traffic.lines(), *_advice(end, sandbox)):
            error.add_note(line)
        raise error
    return notes


@contextmanager
def home_of(name: str, key: str, sandbox: Sandbox) -> Iterator[Path]:
    """Make the home of a step: a new one for a confined step, otherwise what is kept for the bot of this name.

    One build at a time uses what is kept.
    """
    if sandbox.tier:
        with new_home(key) as home:
            yield home
        return
    folder = scratch_folder(name)
    with locked(folder):
        folder.mkdir(exist_ok=True)
        yield folder


@contextmanager
def new_home(key: str) -> Iterator[Path]:
    """Make a home with settings for package managers; remove it afterwards."""
    home = private_folder(HOMES) / key
    remove(home)
    home.mkdir()
    try:
        for name, data in settings().items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_bytes(data)
        yield home
    finally:
        remove(home)


async def _end_of(step: Step, home: Path, sandbox: Sandbox, watch: Watch) -> tuple[Exit | None, str, Traffic]:
    """Run a step and end whatever it leaves running; return how it ended and what it fetched.

    It is ended when it exceeds a limit: the string says which, and there is no exit. Raises SandboxError.
    """
    limits = sandbox.build
    async with (
        LauncherProcess(lambda: None, own_session=True) as launcher,
        Proxy(
            launcher.socket_folder / "proxy",
            Destinations(limits.hosts),
            limits.fetch_mb * MB,
            hands_over=sandbox.tier != GVISOR,
        ) as proxy,
    ):
        start = launch_build(step.bot, step.plan, (step.folder, home), home, sandbox, proxy.folder)
        exited = launcher.start(start).exited
        excess = await watch.excess(exited, launcher.pid, proxy.traffic, start.processes)
    if not excess and sandbox.tier == GVISOR and exited.result().lacked_processes:  # that ends gVisor itself
        excess = watch.too_many
    if excess:
        return None, excess, proxy.traffic
    end = exited.result()
    if end.ours:
        raise SandboxError(end.failure)
    return end, "", proxy.traffic


def _complaint(step: Step, end: Exit | None, excess: str, watch: Watch) -> str:
    """Return why a step failed; empty if it did not."""
    beginning = f"bot {step.bot} cannot be built: "
    command = f"'{step.shown or ' '.join(step.plan.command)}'"
    if end is None or excess:
        return f"{beginning}{command} {excess}"
    if (end.failure or end.code) and (cause := unstartable(step.plan.command, step.plan.directory)):
        return f"{beginning}{command} does not start: {cause}"
    if end.failure:
        return beginning + end.failure
    if not end.code:
        return ""
    why = "".join(f" ({reason})" for reason in watch.reasons(end))
    if reason := step.reason(end.tail):
        return f"{beginning}{reason}{why}"
    return f"{beginning}{command} {describe_end(end.code)}{why}"


def _output(end: Exit | None) -> list[str]:
    """Quote what a step wrote."""
    return [f"| {line}" for line in excerpt(end.tail, QUOTED_LINES)] if end else []


def _advice(end: Exit | None, sandbox: Sandbox) -> list[str]:
    """Say which programs a confined step cannot see, if it may have missed one."""
    if not sandbox.tier or not end or "not found" not in end.tail:
        return []
    hidden = ", ".join(unseen_tools(sandbox.readable))
    seen = "the system's programs and known toolchains" + (f", and of the PATH not {hidden}" if hidden else "")
    return [f"a build in the sandbox sees {seen}; readable may name more"]
