"""Carries out each attack in a match of its own and prints a table; exits with 1 if one did not end as expected.

usage: python -m tests.attacks [--tier 0|1] [WAY ...]
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.sandbox.bubblewrap import missing
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine import registry
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces, wait_until
from tests.attacks.attack import ATTACKS, Attack, peaceful, seen_in, shortcomings
from tests.attacks.remains import remains

HEADER = f"{'attack':<24} {'expected':<16} {'seen':<16} {'match':>7} {'delay':>7} {'clean':>7}"


@dataclass(frozen=True)
class Course:
    """A played match: its record, how long it took, and how long until nothing of it was left, in seconds."""

    record: MatchRecord
    match_s: float
    clean_s: float


def course(match: PlayableMatch, traces: Traces) -> Course:
    """Play a match with a runner of its own."""
    with Runner(workers=1) as runner:
        begun = time.monotonic()
        (record,) = runner.run([match])
        ended = time.monotonic()
    if not wait_until(lambda: not remains(traces)):
        sys.exit(f"{match.key} left {remains(traces)}")
    return Course(record, ended - begun, time.monotonic() - ended)


def line(attack: Attack, went: Course, peace: Course) -> str:
    """Return a line of the table."""
    times = f"{went.match_s:>6.1f}s {went.match_s - peace.match_s:>6.1f}s {went.clean_s:>6.1f}s"
    problems = "; ".join(shortcomings(attack, went.record, peace.record))
    return f"{attack.way:<24} {attack.deserves:<16} {seen_in(went.record):<16} {times}  {problems}".rstrip()


def main() -> int:
    """Run the attacks named on the command line; by default all that are safe in the sandbox tier."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks")
    parser.add_argument("--tier", type=int, choices=(0, 1), default=0 if missing() else 1)
    parser.add_argument("ways", nargs="*", metavar="WAY")
    given = parser.parse_args()
    confined = given.tier == 1
    os.environ[registry.ENVIRONMENT] = "tests.bluff:GAME"
    folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="bc-", dir="/tmp")
    traces = Traces(Path(folder))
    attacks = [attack for attack in ATTACKS if confined or not attack.only_confined]
    peace = course(peaceful(confined=confined), traces)
    print(f"sandbox tier {given.tier}; a peaceful match takes {peace.match_s:.1f}s\n{HEADER}")
    failed = False
    for attack in (attack for attack in attacks if not given.ways or attack.way in given.ways):
        told = line(attack, went := course(attack.match(confined=confined), traces), peace)
        failed |= bool(shortcomings(attack, went.record, peace.record))
        print(told, flush=True)
    Path(folder).rmdir()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
