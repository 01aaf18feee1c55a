"""Carries out each attack and prints a table; exits with 1 if one did not end as expected, 3 if one failed itself.

usage: python -m tests.attacks [--tier 0|1|2] [--flood SECONDS] [--candidates] [WAY ...]
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from ballcourt.arena.sandbox.tiers import TIERS, unavailable
from ballcourt.engine import registry
from tests.arena.conftest import Traces, wait_until
from tests.attacks.attack import Attack, Ground, Outcome
from tests.attacks.candidates import AsCandidate
from tests.attacks.classes import ATTACKS
from tests.attacks.controls import NOT_CARRIED_OUT
from tests.attacks.in_match import InMatch, peaceful_record
from tests.attacks.remains import remains

WIDTH = max(len(attack.way) for attack in ATTACKS)
FAILED = "failed"
HEADER = f"{'attack':<{WIDTH}} {'expected':<16} {'seen':<16} {'took':>7} {'clean':>7}"


@dataclass(frozen=True)
class Course:
    """An attack that was carried out: how it ended, how long it took, and how long until nothing of it was left."""

    outcome: Outcome
    took_s: float
    clean_s: float


def course(attack: Attack, ground: Ground) -> Course:
    """Carry out an attack and wait until nothing of it is left."""
    begun = time.monotonic()
    outcome = _outcome(attack, ground)
    ended = time.monotonic()
    if not wait_until(lambda: not remains(ground.traces)):
        problems = (*outcome.problems, f"left {remains(ground.traces)}")
        return Course(replace(outcome, problems=problems), ended - begun, time.monotonic() - ended)
    return Course(outcome, ended - begun, time.monotonic() - ended)


def _outcome(attack: Attack, ground: Ground) -> Outcome:
    """Carry out an attack; report one that raises an error, and continue with the others."""
    try:
        return attack.carry_out(ground)
    except Exception as error:  # whatever a hostile bot brings about
        return Outcome(FAILED, (f"the attack failed: {type(error).__name__}: {str(error)[:300]}",))


def line(attack: Attack, went: Course) -> str:
    """Return a line of the table."""
    times = f"{went.took_s:>6.1f}s {went.clean_s:>6.1f}s"
    problems = "; ".join((*went.outcome.problems, *went.outcome.figures))
    return f"{attack.way:<{WIDTH}} {attack.deserves:<16} {went.outcome.seen:<16} {times}  {problems}".rstrip()


def main() -> int:
    """Run the attacks named on the command line; by default all that are safe in the sandbox tier."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks")
    parser.add_argument("--tier", type=int, choices=TIERS, default=0 if unavailable(1) else 1)
    parser.add_argument("--flood", type=float, default=30.0, metavar="SECONDS", help="how long each flood takes")
    parser.add_argument("--candidates", action="store_true", help="enter attackers in a match to `evaluate` instead")
    parser.add_argument("ways", nargs="*", metavar="WAY")
    given = parser.parse_args()
    if unknown := sorted(set(given.ways) - {attack.way for attack in ATTACKS}):
        parser.error(f"no attack is called {unknown[0]!r}")
    if sentence := unavailable(given.tier):
        parser.error(f"sandbox tier {given.tier} is not available: {sentence}")
    os.environ[registry.ENVIRONMENT] = "tests.bluff:GAME"
    folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="bc-", dir="/tmp")
    ground = Ground(Traces(Path(folder)), given.tier, flood_s=given.flood, callers=sys.maxsize)
    attacks: list[Attack] = [attack for attack in ATTACKS if not given.ways or attack.way in given.ways]
    if given.candidates:
        attacks = [AsCandidate(attack) for attack in attacks if isinstance(attack, InMatch)]
    lacking = {attack.way: ground.lacks(attack) for attack in attacks}
    attacks = [attack for attack in attacks if not lacking[attack.way]]
    begun = time.monotonic()
    peaceful_record(given.tier)
    print(f"sandbox tier {given.tier}; a peaceful match takes {time.monotonic() - begun:.1f}s\n{HEADER}")
    failed, carried_out = 0, True
    for attack in attacks:
        went = course(attack, ground)
        failed += bool(went.outcome.problems)
        carried_out &= went.outcome.seen != FAILED
        print(line(attack, went), flush=True)
    Path(folder).rmdir()
    print(f"{len(attacks)} attacks, {failed} did harm")
    for way, missing in lacking.items():
        if missing:
            print(f"not carried out: {way}, which needs {' and '.join(missing)}")
    return (1 if failed else 0) if carried_out else NOT_CARRIED_OUT


if __name__ == "__main__":
    sys.exit(main())
