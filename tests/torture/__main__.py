"""Tortures small tournaments, on one machine and on a cluster, ladders, races of candidates and contests.

Compares their tables with that of an undisturbed one.

usage: python -m tests.torture [--quick] [--kills N] [--ladder-kills N] [--cluster-kills N] [--race-kills N]
                               [--contest-kills N]
                               [--pauses N] [--cuts N] [--refusals N] [--jobs N] [--seed N]

Exits with 1 if a table differs, an honest bot loses its seat, a run cannot be completed or anything is left.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.torture import blows, contest, disk, power
from tests.torture.contest import ContestSubject
from tests.torture.subject import ClusterSubject, Failure, LadderSubject, RaceSubject, Subject

Trial = Callable[[Subject, str, random.Random], str]
ERRORS = ("ENOSPC", "EIO")
FULL = {
    "kills": 200,
    "ladder_kills": 100,
    "cluster_kills": 100,
    "race_kills": 20,
    "contest_kills": 200,
    "pauses": 100,
    "cuts": 16,
    "refusals": 100_000,
}
QUICK = {
    "kills": 12,
    "ladder_kills": 6,
    "cluster_kills": 6,
    "race_kills": 3,
    "contest_kills": 30,
    "pauses": 2,
    "cuts": 2,
    "refusals": 16,
}


@dataclass(frozen=True)
class Row:
    """A kind of torture: its trials, each with the rounds and workers of its tournament."""

    name: str
    trials: list[Trial]
    rounds: int
    workers: int
    why_none: str = ""
    kind: type[Subject] = Subject


def rows(wanted: dict[str, int], place: Path, chance: random.Random) -> Iterator[Row]:
    """Yield all kinds of torture."""
    yield Row("kills", [blows.kill] * wanted["kills"], 15, 2)
    yield Row("kills of a ladder", [blows.kill] * wanted["ladder_kills"], 15, 2, kind=LadderSubject)
    yield Row("kills of a cluster", [blows.kill] * wanted["cluster_kills"], 15, 2, kind=ClusterSubject)
    yield Row("kills of a race", [blows.kill] * wanted["race_kills"], 15, 2, kind=RaceSubject)
    yield Row("kills of a contest", [contest.kill] * wanted["contest_kills"], 15, 2, kind=ContestSubject)
    yield Row("pauses of 25 to 70 s", [blows.pause] * wanted["pauses"], 15, 2)
    absent = power.missing()
    yield Row("power cuts", [] if absent else [power.cut] * wanted["cuts"], 15, 2, absent)
    absent = disk.missing()
    yield Row("refused disk calls", [] if absent else _refusals(wanted["refusals"], place, chance), 2, 1, absent)


def _refusals(most: int, place: Path, chance: random.Random) -> list[Trial]:
    if not most:
        return []
    subject = _subject(place / "calls", 2, 1)
    found = [(call, error) for call in disk.calls(subject) for error in ERRORS]
    chosen = found if len(found) <= most else chance.sample(found, most)
    return [partial(disk.refuse, call=call, error=error) for call, error in chosen]


def main() -> int:
    """Carry out everything that the arguments ask for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("--quick", action="store_true", help="a few of each kind: about five minutes")
    for name, number in FULL.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, metavar="N", help=f"{number} by default")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many tournaments at the same time")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the moments and victims")
    given = parser.parse_args()
    usual = QUICK if given.quick else FULL
    wanted = {name: usual[name] if getattr(given, name) is None else getattr(given, name) for name in FULL}
    with tempfile.TemporaryDirectory(prefix="ballcourt-torture-") as folder:
        kinds = rows(wanted, Path(folder), random.Random(given.seed))
        failed = [_carry_out(row, Path(folder), given.seed, given.jobs) for row in kinds]
    return 1 if any(failed) else 0


def _carry_out(row: Row, place: Path, seed: int, jobs: int) -> int:
    """Carry out the trials of a row and print the result; return how many failed."""
    if row.why_none:
        print(f"{row.name:<22} left out: {row.why_none}", flush=True)
        return 0
    if not row.trials:
        return 0
    begun = time.monotonic()
    folder = place / row.name.replace(" ", "-")
    expected = _subject(folder / "undisturbed", row.rounds, row.workers, row.kind).finish()
    with ThreadPoolExecutor(jobs) as pool:
        attempts = []
        for number, trial in enumerate(row.trials):
            subject = _subject(folder / str(number), row.rounds, row.workers, row.kind)
            attempts.append(pool.submit(_attempt, trial, subject, expected, f"{seed} {number}"))
        failures = [failure for attempt in attempts if (failure := attempt.result())]
    seconds = time.monotonic() - begun
    print(f"{row.name:<22} {len(row.trials):>5} trials {len(failures):>4} failed {seconds:>7.0f} s", flush=True)
    for failure in failures:
        print(f"    {failure}", flush=True)
    return len(failures)


def _attempt(trial: Trial, subject: Subject, expected: str, name: str) -> str:
    """Return how a trial failed; empty if it did not."""
    try:
        print(f"    {name}: {trial(subject, expected, random.Random(name))}", file=sys.stderr, flush=True)
    except Failure as error:
        return f"{name}: {error}"
    return ""


def _subject(place: Path, rounds: int, workers: int, kind: type[Subject] = Subject) -> Subject:
    place.mkdir(parents=True)
    return kind(place, rounds, workers).prepare()


if __name__ == "__main__":
    sys.exit(main())
