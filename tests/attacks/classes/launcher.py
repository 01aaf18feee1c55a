"""Attacks on the one launcher that starts, watches and ends all bots of a worker."""

import asyncio
import time

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.processes.handles import LauncherProcess
from tests.arena.conftest import BOTS, fixture_bot
from tests.attacks.attack import Ground, Need, deed
from tests.attacks.in_match import HOSTILE

MOST_S = 8.0
"""How long a launcher may take to start another program and report its end, on a machine that the attack keeps busy."""
SETTLE_S = 6.0
VISITOR = Bot("visitor", "1", "", "", ("true",), BOTS, (), "visitor")


@deed("maps dear to read", Need.CONFINEMENT)
def dear_maps(ground: Ground) -> list[str]:
    """Have a bot watched that shares memory and changes its maps all the time; start another bot."""
    return asyncio.run(_delay_beside("maps dear to read", ground))


async def _delay_beside(way: str, ground: Ground) -> list[str]:
    """Start an attacker; return a sentence if the launcher is then slow to serve others."""
    async with LauncherProcess(lambda: None) as launcher:
        environment = {"BALLCOURT_SOCKET": str(launcher.socket_folder / "none"), "BALLCOURT_TOKEN": "attacker"}
        launcher.spawn(fixture_bot(HOSTILE, way), environment, ground.sandbox)
        await asyncio.sleep(SETTLE_S)
        delays = [await _delay_s(launcher, f"visitor {visit}") for visit in range(3)]
    if max(delays) <= MOST_S:
        return []
    return [f"the launcher served others only after {', '.join(f'{delay:.1f}' for delay in delays)} s"]


async def _delay_s(launcher: LauncherProcess, token: str) -> float:
    """Return how long a program takes that does nothing."""
    begun = time.monotonic()
    await launcher.spawn(VISITOR, {"BALLCOURT_TOKEN": token}).exited
    return time.monotonic() - begun


ATTACKS = (dear_maps,)
