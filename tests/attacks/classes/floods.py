"""Floods of what HTTP/2 allows, which must not slow down the other matches of the worker or fill its memory."""

from dataclasses import replace
from pathlib import Path

from ballcourt.arena.workers.queue import Voided
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import Deed, Ground
from tests.attacks.in_match import GAME, HONEST, OPTIONS, PATIENT, SEED

FLOODING = "flooding.py"
NEIGHBOURS = 12
TIMELY = replace(PATIENT, cap_ms=2000, grace_ms=100)
MOST_MB = 64
"""How much the worker may grow."""


def _flood(way: str) -> Deed:
    """Return the attack of a bot that floods the arena while other matches are played in its worker."""

    def harms(ground: Ground) -> list[str]:
        tables = [
            (fixture_bot(FLOODING, way), fixture_bot(HONEST)),
            *([(fixture_bot(HONEST), fixture_bot(HONEST))] * NEIGHBOURS),
        ]
        matches = [
            match_of(str(number), GAME, OPTIONS, SEED, table, TIMELY, sandbox=ground.sandbox)
            for number, table in enumerate(tables)
        ]
        problems, grown_mb, least_mb = [], 0, 1 << 20
        with Runner(workers=1, matches_per_worker=2) as runner:
            for event in runner.run_blocks([match] for match in matches):
                if isinstance(event, Voided):
                    problems.append(f"voided match {event.keys[0]}: {event.reason}")
                if not isinstance(event, MatchRecord):
                    continue
                used = _worker_mb(ground)
                least_mb, grown_mb = min(least_mb, used), max(grown_mb, used - least_mb)
                problems += [
                    f"cost seat {fault.seat} of match {event.key} {Termination.Name(fault.termination)}"
                    for fault in event.faults
                    if (event.key, fault.seat) != ("0", 0)
                ]
        return problems + ([f"the worker grew by {grown_mb} MB"] if grown_mb > MOST_MB else [])

    return Deed(way, harms)


def _worker_mb(ground: Ground) -> int:
    pid = ground.traces.pid_of("ballcourt.arena.workers.worker")
    fields = dict(line.split(":") for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmHWM" in line)
    return int(fields["VmHWM"].split()[0]) >> 10


ATTACKS = tuple(
    _flood(way)
    for way in (
        "floods with pings",
        "floods with settings",
        "floods with empty frames",
        "floods with window updates",
        "floods with frames of no type",
        "resets streams in a loop",
        "reconnects in a loop",
        "dials in a loop",
        "sends headers without end",
        "half-closes its stream",
        "sends a gzip bomb",
    )
)
