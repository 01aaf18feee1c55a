"""A trial whether Python bots can import Ballcourt in a sandbox: what they cannot import is not their fault."""

import functools
import subprocess
import sys
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.venv import program_in
from ballcourt.arena.sandbox.bubblewrap import run_plugged
from ballcourt.arena.sandbox.launch import inherited
from ballcourt.arena.sandbox.tiers import Sandbox, launch
from ballcourt.arena.temporary import scratch_folder

IMPORTS: Final = (
    "import sys, ballcourt.bots.sdk.python.stream\nif sys.version_info > (3, 11): import ballcourt.simulate"
)
"""What a bot needs; it takes 0.2 s of a processor."""


@functools.cache
def import_failure(python: str, sandbox: Sandbox) -> str:
    """Return why the programs of an interpreter cannot import Ballcourt in a sandbox, and what to do.

    Return an empty string if they can, or if that takes too long to be found out, and on other systems than Linux.
    """
    last = _last_words(python, None, sandbox)
    if not last:
        return ""
    remedy = ", or name the folder of what is missing in readable" if sandbox.tier else ""
    return (
        f"Python bots cannot import Ballcourt in sandbox tier {sandbox.tier}: {last}; "
        f"install it with pip, as PYTHONPATH does not reach bots{remedy}"
    )


@functools.cache
def venv_failure(venv: Path, sandbox: Sandbox) -> str:
    """Return why bots in a virtual environment cannot import the SDK; empty if they can, or as above."""
    return _last_words(str(program_in(venv)), venv, sandbox)


def _last_words(python: str, venv: Path | None, sandbox: Sandbox) -> str:
    """Return the last line of an interpreter that cannot import what bots need."""
    if sys.platform != "linux":
        return ""
    with scratch_folder() as place:
        folder, door = place / "bot", place / "door"
        folder.mkdir()
        door.mkdir()
        bot = Bot("trial", "1", "", "", (python, "-c", IMPORTS), folder, (), "", venv=venv)
        start = launch(bot, sandbox, bot.environment({"BALLCOURT_SOCKET": str(door / "arena.sock")}, ""), place / "own")
        try:
            done = run_plugged(start.command, inherited() | start.environment, start.directory)
        except subprocess.TimeoutExpired:
            return ""
    return (done.stderr.strip().rpartition("\n")[2] or "it ended") if done.returncode else ""
