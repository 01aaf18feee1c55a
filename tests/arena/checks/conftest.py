"""What the tests of the checks share: bots in folders of their own, met as a check meets them."""

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
    """A bot's folder whose command is a script of tests/bots."""
    script, *arguments = command
    parts = ", ".join(f'"{part}"' for part in ("{python}", str(BOTS / script), *arguments))
    (tmp_path / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = [{parts}]\n')
    return tmp_path


def meet(
    tmp_path: Path, way: str, check: Callable[[Harness], Awaitable[Found]], clock: Clock = PATIENT, toml: str = ""
) -> Found:
    """Let a check meet a bot of `misbehaving.py`, or the honest one when no way is named."""
    folder = folder_with(tmp_path, *(("misbehaving.py", way) if way else ("honest.py",)))
    with (folder / "bot.toml").open("a") as file:
        file.write(toml)

    async def in_harness() -> Found:
        async with open_harness(load_bot(folder), clock) as harness:
            return await check(harness)

    return asyncio.run(in_harness())
