"""Attacks by a program in the sandbox on what is around it; it prints what it has achieved."""

import sys
from dataclasses import asdict, dataclass, replace
from textwrap import dedent

from ballcourt.arena.sandbox.tiers import launch
from tests.arena.conftest import Talk, fixture_bot
from tests.attacks.attack import NO_HARM, Ground, Need, Outcome
from tests.attacks.in_match import ONLY_CONFINED

HARM = "harm: "
"""The beginning of a line that a program prints when it has done harm."""
PRELUDE = """
import ctypes, mmap, os, platform, signal, socket, struct, sys, time
MACHINE = ["x86_64", "aarch64"].index(platform.machine())
libc = ctypes.CDLL(None, use_errno=True)
def harm(what):
    print("harm:", what, flush=True)
    os._exit(0)
def call(numbers, *arguments):
    return libc.syscall(numbers[MACHINE], *arguments)
"""


@dataclass(frozen=True)
class InSandbox:
    """An attack that is Python code, run like a bot. It calls `harm(WHAT)` if it succeeds."""

    way: str
    code: str
    needs: frozenset[Need] = ONLY_CONFINED
    deserves: str = NO_HARM

    def carry_out(self, ground: Ground) -> Outcome:
        """Run the code until it ends or is ended."""
        attacker = replace(fixture_bot(self.way), command=(sys.executable, "-c", PRELUDE + dedent(self.code)))
        talk = Talk(ground.traces)
        sockets = talk.folder / "sockets"
        sockets.mkdir()
        environment = {"BALLCOURT_SOCKET": str(sockets / "arena.sock")}
        talk.say(spawn=1, **asdict(launch(attacker, ground.sandbox, environment, talk.folder / "own")))
        end = talk.hear()
        talk.end()
        harms = [line.removeprefix(HARM) for line in str(end["tail"]).splitlines() if line.startswith(HARM)]
        return Outcome("harm" if harms else NO_HARM, tuple(harms))
