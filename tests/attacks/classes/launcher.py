"""Attacks on the one launcher that starts, watches and ends all bots of a worker."""

import asyncio
import time
from dataclasses import dataclass
from statistics import fmean
from unittest.mock import patch

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.processes import handles
from tests.arena.conftest import BOTS, fixture_bot
from tests.attacks.attack import NO_HARM, Ground, Need, Outcome
from tests.attacks.in_match import HOSTILE, ONLY_CONFINED

MOST_TIMES = 1.2
"""How much longer the starts and ends of others may take beside an attacker than beside an honest bot."""
ROUNDS = 3
"""How often both are compared; the noise of a busy machine is not in all of them."""
VISITS = 15
SETTLE_S = 4.0
HONEST = "computes in forty processes"
VISITOR = Bot("visitor", "1", "", "", ("true",), BOTS, (), "visitor")
LAUNCHER = """
from ballcourt.arena.processes import launcher
{changes}
with launcher.private_folder() as place:
    launcher.Launcher(place).serve()
"""
NO_GROUPS = "launcher.cgroups.found = lambda: launcher.cgroups.Places()"
"""Without control groups, it has to look after the processes of a bot by itself."""
NO_CPU_GROUPS = """
from dataclasses import replace
here = launcher.cgroups.found()
launcher.cgroups.found = lambda: replace(here, cpu=None)
"""
UNWALLED = f"""{NO_GROUPS}
class Errand(launcher.Errand):
    def __init__(self, lines):
        made = [*lines()]
        super().__init__(lambda: made)
launcher.Errand, launcher.LOOKS = Errand, 0
"""
"""What takes the wall away: the launcher waits for the answers about a bot, for as much of its time as they take."""


@dataclass(frozen=True)
class Dear:
    """A bot that is dear to look after, and how much longer others then take to start and end.

    Both that and an honest bot which computes as much keep the machine busy.
    """

    way: str
    deserves: str = NO_HARM
    needs: frozenset[Need] = ONLY_CONFINED
    changes: str = NO_GROUPS
    """Statements that change the launcher."""

    def carry_out(self, ground: Ground) -> Outcome:
        """Compare it with an honest bot."""
        ratio = min(self._ratio(ground) for _ in range(ROUNDS))
        figure = f"others take {ratio:.2f} times as long as beside an honest bot"
        if ratio <= MOST_TIMES:
            return Outcome(NO_HARM, figures=(figure,))
        return Outcome("harm", (f"{figure}; at most {MOST_TIMES} are allowed",))

    def _ratio(self, ground: Ground) -> float:
        with patch.object(handles, "PROGRAM", ("-c", LAUNCHER.format(changes=self.changes))):
            honest, attacked = (asyncio.run(_visit_s(way, ground)) for way in (HONEST, self.way))
        return attacked / honest


async def _visit_s(way: str, ground: Ground) -> float:
    """Return how long a program that does nothing takes beside a bot, in seconds; the mean of several."""
    async with handles.LauncherProcess(lambda: None) as launcher:
        nowhere = {"BALLCOURT_SOCKET": str(launcher.socket_folder / "none")}
        launcher.spawn(fixture_bot(HOSTILE, way), nowhere | {"BALLCOURT_TOKEN": "bot"}, ground.sandbox)
        await asyncio.sleep(SETTLE_S)
        times = []
        for visit in range(VISITS):
            begun = time.monotonic()
            token = {"BALLCOURT_TOKEN": f"visitor {visit}"}
            await launcher.spawn(VISITOR, nowhere | token, ground.sandbox).exited
            times.append(time.monotonic() - begun)
    return fmean(times)


MAPS = Dear("maps dear to read")
SESSIONS = Dear("computes in forty sessions", needs=ONLY_CONFINED | {Need.CPU_GROUPS}, changes="")
ATTACKS = (MAPS, SESSIONS, Dear("leaves orphans without end"))
