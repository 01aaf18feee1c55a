"""How long a bot thinks while another reads memory as fast as it comes: `python -m tests.attacks.hogging [ROUNDS]`.

Each line has what a decision costs a bot that copies 160 MB for it, and the ratio to what it costs against an honest
bot; both are medians. The cases are measured in turns, in sandbox tier 1 if the machine has it.
"""

import sys
from dataclasses import replace
from statistics import median
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.record_pb2 import DecidedBy
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import SMALL, in_tier
from tests.attacks.classes.resources import SWEEPING
from tests.attacks.in_match import GAME, HONEST, OPTIONS, SEED
from tests.bench.measure import compare
from tests.bluff.installed import bluff_installed

TIER: Final = 0 if unavailable(1) else 1
VICTIM, HOG, CALM = fixture_bot(SWEEPING, "times", "5"), fixture_bot(SWEEPING, "helpers", "4"), fixture_bot(HONEST)
NEIGHBOUR: Final = fixture_bot(SWEEPING, "seconds", "2")
PONDERING: Final = Clock(ponder=True)
MEASURED: Final = "measured"
MATCHES: Final = 4
ROOMY: Final = replace(SMALL, memory_mb=2048)


def _match(key: str, *table: Bot, clock: Clock | None = None) -> PlayableMatch:
    return match_of(key, GAME, OPTIONS, SEED, table, clock, sandbox=in_tier(TIER, ROOMY))


def _measured(*table: Bot, clock: Clock | None = None) -> list[PlayableMatch]:
    return [_match(f"{MEASURED}{number}", *table, clock=clock) for number in range(MATCHES)]


CASES: Final = {
    "an honest opponent": (1, _measured(CALM, VICTIM)),
    "an opponent with 4 processes": (1, _measured(HOG, VICTIM)),
    "the same with ponder": (1, _measured(HOG, VICTIM, clock=PONDERING)),
    "a second match at the same time": (2, [_match("hogs", NEIGHBOUR, NEIGHBOUR), *_measured(CALM, VICTIM)]),
}


def costs_us(workers: int, matches: list[PlayableMatch]) -> tuple[float, float]:
    """Play matches; return what a decision costs seat 1 of those that are measured: think time and processor time."""
    with Runner(workers=workers, matches_per_worker=1) as runner:
        played = [record for record in runner.run(matches) if record.key.startswith(MEASURED)]
    if faults := [fault.detail for record in played for fault in record.faults]:
        raise RuntimeError(f"a seat was lost, so nothing can be compared: {faults[0]}")
    think = [
        time
        for made in (record.decisions for record in played)
        for seat, by, time in zip(made.seats, made.decided_by, made.think_us, strict=True)
        if seat == 1 and by == DecidedBy.DECIDED_BY_BOT
    ]
    return median(think), sum(record.cpu_us[1] for record in played) / len(think)


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 5
    with bluff_installed():
        found = [[costs_us(*case) for case in CASES.values()] for _ in range(rounds)]
    for what, way in enumerate(("think time", "processor time")):
        columns = [[costs[what] for costs in column] for column in zip(*found, strict=True)]
        for name, times in zip(CASES, columns, strict=True):
            line = compare(name, times, columns[0])
            sys.stdout.write(f"{way:14}  {name:28} {line.ours / 1000:8.1f} ms   ratio {line.ratio:5.2f}\n")


if __name__ == "__main__":
    main()
