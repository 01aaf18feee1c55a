"""Running the suite on a faster or slower clock: see `sitecustomize.py`."""

import os
import subprocess
import sys

import pytest

from tests.arena.conftest import PATIENCE_S

RATE = os.environ.get("BALLCOURT_TEST_CLOCK", "")


@pytest.mark.skipif(not RATE, reason="the suite runs on the machine's own clock")
def test_processes_of_the_arena_measure_time_at_the_given_rate() -> None:
    program = "import time; print(time.perf_counter_ns.__globals__['RATE'])"
    # as `ballcourt.arena.processes` starts its own
    command = [sys.executable, "-P", "-c", program]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S).stdout
    assert float(told) == float(RATE)
