"""Plays many small matches in which a tenth of the seats are hostile, and shows the resources that the arena uses.

usage: python -m tests.soak MATCHES

Exits with 1 if a match did not end as expected, or if anything is left.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ballcourt.arena.sandbox.bubblewrap import missing
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine import registry
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces, wait_until
from tests.attacks.in_match import peaceful, seen_in, shortcomings
from tests.attacks.remains import remains
from tests.soak.census import count, header
from tests.soak.matches import Bout, bouts, harmless

WORKERS, MATCHES_PER_WORKER = 2, 3
COUNTS = 10
"""How many times the resources are counted while matches are played."""


class Soak:
    """A soak in progress and its results so far."""

    def __init__(self, planned: Iterable[Bout], traces: Traces) -> None:
        self.planned = {bout.match.key: bout for bout in planned}
        self.seen: Counter[str] = Counter()
        """How many first seats ended in each way."""
        self.problems: list[str] = []
        self._traces = traces
        self._begun = time.monotonic()

    def run(self, runner: Runner) -> None:
        """Play all matches."""
        peace = {tier: self._peace(runner, tier) for tier in sorted({bout.tier for bout in self.planned.values()})}
        every = max(1, len(self.planned) // COUNTS)
        played = runner.run(bout.match for bout in self.planned.values())
        for number, record in enumerate(played, start=1):
            self._judge(self.planned[record.key], record, peace)
            if number % every == 0:
                self.show(f"{number}")

    def show(self, when: str) -> None:
        """Print a line of the table."""
        print(f"{when:>8} {time.monotonic() - self._begun:>6.0f} s |{count(self._traces).line()}", flush=True)

    def _peace(self, runner: Runner, tier: int) -> MatchRecord:
        return next(runner.run([peaceful(tier)]))

    def _judge(self, bout: Bout, record: MatchRecord, peace: dict[int, MatchRecord]) -> None:
        self.seen[seen_in(record)] += 1
        undisturbed = peace[bout.tier]
        if bout.attack:
            found = shortcomings(bout.attack, record, undisturbed)
        else:
            found = [] if record.results == undisturbed.results else [f"a peaceful match ended {record.results}"]
        way = bout.attack.way if bout.attack else "peace"
        self.problems += [f"match {record.key} ({way}, tier {record.sandbox_tier}): {problem}" for problem in found]


def main() -> int:
    """Run the soak and print its results."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("matches", type=int, metavar="MATCHES", help="how many matches to play")
    matches = parser.parse_args().matches
    os.environ[registry.ENVIRONMENT] = "tests.bluff:GAME"
    folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="bc-", dir="/tmp")
    traces = Traces(Path(folder))
    confined = not missing()
    soak = Soak(bouts(matches, harmless(confined=confined), confined=confined), traces)
    hostile = sum(bout.attack is not None for bout in soak.planned.values())
    print(f"{matches} matches of two seats, {hostile} seats hostile, sandbox tiers {'0 and 1' if confined else '0'}")
    print("\n".join(" " * 18 + f"|{line}" for line in header().splitlines()))
    soak.show("before")
    with Runner(WORKERS, MATCHES_PER_WORKER) as runner:
        soak.run(runner)
    wait_until(lambda: not remains(traces))
    soak.show("after")
    left = remains(traces)
    print("seats ended: " + ", ".join(f"{kind} {number}" for kind, number in soak.seen.most_common()))
    print("\n".join(["left: " + ("; ".join(left) or "nothing"), *soak.problems]))
    if not left:
        Path(folder).rmdir()
    return 1 if left or soak.problems else 0


if __name__ == "__main__":
    sys.exit(main())
