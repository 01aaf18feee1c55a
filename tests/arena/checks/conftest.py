"""Fixtures of the tests of the checks: bots in separate folders, started like in a check."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.checks.harness import Harness, open_harness
from ballcourt.arena.match.spec import Clock
from tests.arena.conftest import BOTS

Found = TypeVar("Found")

PATIENT = Clock()
IMPATIENT = Clock(cap_ms=100)


def folder_with(tmp_path: Path, *command: str, name: str = "mine") -> Path:
    """Create the folder of a bot whose command is a script of tests/bots."""
    script, *arguments = command
    parts = ", ".join(f'"{part}"' for part in ("{python}", str(BOTS / script), *arguments))
    (tmp_path / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = [{parts}]\n')
    return tmp_path


def meet(
    tmp_path: Path, way: str, check: Callable[[Harness], Awaitable[Found]], clock: Clock = PATIENT, toml: str = ""
) -> Found:
    """Run a check on a bot of `misbehaving.py`, or on the honest bot if `way` is empty."""
    folder = folder_with(tmp_path, *(("misbehaving.py", way) if way else ("honest.py",)))
    with (folder / "bot.toml").open("a") as file:
        file.write(toml)

    async def in_harness() -> Found:
        async with open_harness(load_bot(folder), clock) as harness:
            return await check(harness)

    return asyncio.run(in_harness())
