"""The list of attacks, the match in which one is carried out, and the check of its record."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import tests.bots
from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import Limits, Sandbox
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.matches import match_of

BOTS = Path(tests.bots.__file__).parent
HOSTILE, MISBEHAVING, HONEST = "hostile.py", "misbehaving.py", "honest.py"

PATIENT = Clock(startup_ms=30_000, match_start_ms=10_000, bank_ms=60_000, cap_ms=20_000, grace_ms=500)
BRISK = replace(PATIENT, cap_ms=1500)
QUICK_START = replace(PATIENT, startup_ms=10_000)
SMALL = Limits(memory_mb=256, processes=48, file_mb=16, tmp_mb=32)
CONFINED = Sandbox(1, SMALL)
SEED = 5
GAME, OPTIONS = "bluff", {"rounds": "3"}


@dataclass(frozen=True)
class Attack:
    """An attack: the script of tests/bots that carries it out, and how it must end."""

    way: str
    deserves: str
    """The expected termination of its seat, without the prefix."""
    says: str = ""
    """Part of the expected fault detail."""
    script: str = HOSTILE
    clock: Clock = PATIENT
    sandbox: Sandbox = CONFINED
    only_confined: bool = False
    """Whether it would harm the machine if it were not confined."""

    def match(self, *, confined: bool) -> PlayableMatch:
        """Return the match against an honest bot, with the attacker in seat 0."""
        sandbox = self.sandbox if confined else Sandbox()
        table = (bot(self.script, self.way), bot(HONEST))
        return match_of(self.way, GAME, OPTIONS, SEED, table, self.clock, sandbox=sandbox)


ATTACKS = (
    Attack("fork bomb", "OK", only_confined=True),
    Attack("memory hog", "OUT_OF_MEMORY", "the words 'MemoryError'", only_confined=True),
    Attack("hog of shared memory", "OUT_OF_MEMORY", "MB of memory; at most 256", only_confined=True),
    Attack("disk filler", "OK", only_confined=True),
    Attack("/dev/shm filler", "OK", only_confined=True),
    Attack("spins outside its turn", "OK"),
    Attack("floods its output", "OK"),
    Attack("100 MB message", "CRASH", "stream ended", sandbox=Sandbox(1, replace(SMALL, memory_mb=1024))),
    Attack("drips its Hello", "FAILED_TO_START", "did not say Hello within 10000 ms", clock=QUICK_START),
    Attack("drips its answer", "TIMEOUT", "did not answer decision 1 within 1500 ms", clock=BRISK),
    Attack("unasked answer", "PROTOCOL_ERROR", "which was never asked", MISBEHAVING),
    Attack("stale answers", "OK", script=MISBEHAVING),
    Attack("answers twice", "OK", script=MISBEHAVING),
    Attack("illegal", "ILLEGAL", "action 77 (no action of this game)", MISBEHAVING),
    Attack("out of range", "ILLEGAL", "action 4294967295 (no action of this game)"),
    Attack("never connects", "FAILED_TO_START", "did not say Hello within 10000 ms", MISBEHAVING, QUICK_START),
    Attack("connects and is silent", "FAILED_TO_START", "did not say Hello within 10000 ms", clock=QUICK_START),
    Attack("connects twice", "OK"),
    Attack("connects often", "FAILED_TO_START", "before it said Hello"),
    Attack("steals a token", "FAILED_TO_START", "before it said Hello", only_confined=True),
    Attack("hangs", "TIMEOUT", "did not answer decision 1 within 1500 ms", MISBEHAVING, BRISK),
    Attack("exits after an answer", "CRASH", "stream ended"),
    Attack("deaf to SIGTERM", "ILLEGAL", "action 77", MISBEHAVING),
    Attack("orphan", "OK", script=MISBEHAVING),
    Attack("orphan and crash", "CRASH", "exit code 4", MISBEHAVING),
    Attack("pries", "OK", only_confined=True),
)


def bot(script: str, *arguments: str) -> Bot:
    """Return a bot that is a script of tests/bots."""
    command = (sys.executable, str(BOTS / script), *arguments)
    return Bot(" ".join(arguments) or script, "1", "", "", command, BOTS, (), f"{script} {arguments}")


def peaceful(*, confined: bool) -> PlayableMatch:
    """Return the same match without an attack. Attackers and the arena's substitutes play the lowest action as well."""
    return match_of("peace", GAME, OPTIONS, SEED, (bot(HONEST), bot(HONEST)), PATIENT, sandbox=_sandbox(confined))


def _sandbox(confined: bool) -> Sandbox:
    return CONFINED if confined else Sandbox()


def shortcomings(attack: Attack, record: MatchRecord, peace: MatchRecord) -> list[str]:
    """List how a record differs from the attack's expected end, and from the same match without the attack."""
    problems = []
    seen = seen_in(record)
    if seen != attack.deserves:
        problems.append(f"ended {seen}, not {attack.deserves}: {[fault.detail for fault in record.faults]}")
    if any(attack.says not in fault.detail for fault in record.faults):
        problems.append(f"says '{record.faults[0].detail}'")
    honest, undisturbed = record.results[1], peace.results[1]
    if (honest.termination, honest.score) != (Termination.TERMINATION_OK, undisturbed.score):
        problems.append(f"cost the other seat {Termination.Name(honest.termination)}, {honest.score} points")
    if list(record.decisions.actions) != list(peace.decisions.actions):
        problems.append("changed the match")
    return problems


def seen_in(record: MatchRecord) -> str:
    """Return the termination of the attacker's seat, without the prefix."""
    return Termination.Name(record.results[0].termination).removeprefix("TERMINATION_")
