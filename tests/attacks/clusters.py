"""A cluster on this machine whose first worker lies."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ballcourt.arena.cluster.local import LocalWorkers, local_cluster

LIAR = "local-1"
_Popen = subprocess.Popen


def _popen(command: list[str], **settings: Any) -> "subprocess.Popen[bytes]":  # noqa: ANN401
    """Start a process, the worker called LIAR by the program that lies."""
    if LIAR in command:
        start = command.index("ballcourt")
        command = [sys.executable, "-m", "tests.attacks.lying_worker", *command[start + 1 :]]
        settings["cwd"] = Path(__file__).parents[2]
    return _Popen(command, **settings)


@contextmanager
def with_a_liar(workers: int) -> Iterator[LocalWorkers]:
    """Run a cluster with this number of workers, the first of which lies."""
    with patch.object(subprocess, "Popen", _popen), local_cluster(workers) as found:
        yield found
