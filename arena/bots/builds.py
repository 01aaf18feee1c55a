"""Builds bots before any clock runs: the build step of a bot.toml, carried out once for every content of its folder.

A build works on a copy of the bot's folder in the cache, and the copy is what plays: so the folder's content hash never
depends on what a compiler leaves behind, and an author can go on editing while a tournament runs.

    <cache>/builds/<hash>/     the copy; it is built where it stays, for compilers write down where they were
    <cache>/builds/<hash>.done     there once the build has succeeded
    <cache>/scratch/<name>/    kept between the builds of a bot, for what its compiler wants to keep
"""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from arena.bots.bot import Bot, BotError
from arena.faults import describe_exit
from arena.sandbox.tiers import Sandbox, SandboxError, check_startable, require

BUILD_S = 1200
"""So many seconds a build may take: the first one of a language may fetch and compile all its libraries."""
TAIL_LINES = 20
CACHE = "BALLCOURT_CACHE"
"""Names the folder of the cache; without it, `ballcourt` in XDG_CACHE_HOME or ~/.cache."""
SCRATCH = "BALLCOURT_BUILD_CACHE"
"""Tells a build step its scratch folder."""


def ready(bots: Sequence[Bot], sandbox: Sandbox) -> tuple[Bot, ...]:
    """Build the bots and see that they can be started in the sandbox. Raises SandboxError and BotError.

    A build step is a program of the bot's author too, and runs with all our rights: see to it before.
    """
    require(sandbox)
    for bot in bots:
        if sandbox.tier and bot.build and not _is_built(_copy_of(bot)):
            raise SandboxError(
                f"sandbox: the build step of bot {bot.name}, '{' '.join(bot.build)}', would run unconfined; "
                f"read it, then build the bot with ballcourt check-bot {bot.folder}"
            )
    started = tuple(map(built, bots))
    for bot in started:
        check_startable(bot, sandbox)
    return started


def built(bot: Bot) -> Bot:
    """Return the bot as it can be started: itself when it has no build step, else its built copy.

    Raises BotError with the end of what the build printed when it fails.
    """
    if not bot.build:
        return bot
    copy = _copy_of(bot)
    if not _is_built(copy):
        with _locked(_scratch(bot).with_suffix(".lock")):
            if not _is_built(copy):  # another process may have built it while we waited
                _build(bot, copy)
    return replace(bot, folder=copy, directory=copy / bot.directory.relative_to(bot.folder))


def cache_folder() -> Path:
    """Return where builds are kept."""
    if named := os.environ.get(CACHE):
        return Path(named).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "ballcourt"


def _copy_of(bot: Bot) -> Path:
    return cache_folder() / "builds" / bot.content_hash


def _scratch(bot: Bot) -> Path:
    """A folder for the bot's name, whatever characters that has."""
    return cache_folder() / "scratch" / quote(bot.name, safe="").replace(".", "%2E")


def _is_built(copy: Path) -> bool:
    return _done(copy).exists()


def _done(copy: Path) -> Path:
    return copy.with_suffix(".done")


def _build(bot: Bot, copy: Path) -> None:
    """Copy and build; what a build that broke off has left is removed first, what a failed one leaves at once."""
    sys.stderr.write(f"building {bot.name} {bot.version} ...\n")
    shutil.rmtree(copy, ignore_errors=True)
    try:
        shutil.copytree(bot.folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        _run(bot, copy)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
    _done(copy).touch()


def _run(bot: Bot, folder: Path) -> None:
    scratch = _scratch(bot)
    scratch.mkdir(parents=True, exist_ok=True)
    step = " ".join(bot.build)
    environment = os.environ | {SCRATCH: str(scratch)}
    try:
        code, printed = _carry_out(bot.build, folder, environment)
    except OSError as error:
        raise BotError(f"bot {bot.name} cannot be built: '{step}' does not start: {error.strerror or error}") from None
    except subprocess.TimeoutExpired:
        raise BotError(f"bot {bot.name} cannot be built: '{step}' took longer than {BUILD_S} s") from None
    if code:
        first = f"bot {bot.name} cannot be built: '{step}' ended with {describe_exit(code)}"
        raise BotError("\n| ".join([first, *printed.splitlines()[-TAIL_LINES:]]))


def _carry_out(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command to its end; return its exit code and what it printed. What it started ends with it."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(BUILD_S)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        return process.returncode, output.read().decode(errors="replace")


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Let one process at a time build bots of a name, for they share a scratch folder; a lock ends with its holder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
