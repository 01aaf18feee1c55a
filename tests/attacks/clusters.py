"""Clusters on this machine: one whose first worker lies, and an honest worker that comes to a scheduler and plays."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.cluster.local import LocalWorkers, local_cluster
from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.cluster.security import Credentials, security
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.sandbox.tiers import NO_SANDBOX
from ballcourt.arena.workers.runner import RunEvent
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.cluster.test_endings import started
from tests.arena.matches import match_of
from tests.attacks.in_match import GAME, OPTIONS, PATIENT, SEED
from tests.attacks.strangers import caching
from tests.cli.conftest import write_bot

LIAR = "local-1"
_Popen = subprocess.Popen


def _popen(command: list[str], **settings: Any) -> "subprocess.Popen[bytes]":  # noqa: ANN401
    """Start a process, the worker called LIAR by the program that lies."""
    if LIAR in command:
        start = command.index("ballcourt")
        command = [sys.executable, "-m", "tests.attacks.lying_worker", *command[start + 1 :]]
        settings["cwd"] = Path(__file__).parents[2]
    return _Popen(command, **settings)


def demands() -> Demands:
    """Return what a match of the attacks demands of a worker."""
    return Demands(((GAME, find_game(GAME).rules_version),), NO_SANDBOX, seats=2)


@contextmanager
def with_a_liar(workers: int) -> Iterator[LocalWorkers]:
    """Run a cluster with this number of workers, the first of which lies."""
    with patch.object(subprocess, "Popen", _popen), local_cluster(workers) as found:
        yield found


def unplayed(address: str, given: Credentials, place: Path) -> list[str]:
    """Start a worker that joins a scheduler, plays a match and leaves again; return what is wrong."""
    flags = [word for flag, file in given.files.items() for word in (f"--{flag}", str(file))]
    with caching(place / "cache"), started("-P", "-m", "ballcourt", "admin", "worker", address, "--slots", "1", *flags):
        try:
            played = _played(address, given, place)
        except (ArenaError, WrongInput) as error:
            return [f"an honest worker does not play: {error}"]
    return [] if any(isinstance(event, MatchRecord) for event in played) else [f"an honest worker plays only {played}"]


def _played(address: str, given: Credentials, place: Path) -> list[RunEvent]:
    bots = [place / name if (place / name).exists() else write_bot(place / name, name) for name in ("ann", "bob")]
    table = [*map(load_bot, bots)]
    with ClusterRunner(address, security(address, given), demands()) as runner:
        runner.gather(1, {bot.entrant: bot for bot in table}, lambda _: None)
        return [*runner.run_blocks([[match_of("m", GAME, OPTIONS, SEED, table, PATIENT)]])]
