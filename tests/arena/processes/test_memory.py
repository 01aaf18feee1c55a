"""How much memory a machine or a container has to spare."""

import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.processes.memory import group_share, spare_share

CYCLES = """
import weakref
from ballcourt.arena.processes.memory import set_up_memory

class Cycle:
    def __init__(self):
        self.itself = self

set_up_memory()
left = weakref.WeakSet()
for _ in range(100_000):
    left.add(Cycle())
print(len(left) < 50_000)
"""


def test_a_worker_still_frees_objects_that_hold_each_other() -> None:
    assert subprocess.check_output([sys.executable, "-c", CYCLES], text=True) == "True\n"


def test_a_machine_has_a_share_of_its_memory_to_spare() -> None:
    assert 0 < spare_share() <= 1


@pytest.mark.parametrize(
    ("files", "share"),
    [
        ({"memory.max": "1000", "memory.current": "900", "memory.stat": "anon 1\ninactive_file 300\n"}, 0.4),
        ({"memory.max": "max", "memory.current": "900"}, 1.0),
        ({"memory.limit_in_bytes": "1000", "memory.usage_in_bytes": "750"}, 0.25),
        ({"memory.limit_in_bytes": "1000", "memory.usage_in_bytes": "1001"}, 0.0),
        ({}, 1.0),
    ],
)
def test_a_control_group_bounds_it(tmp_path: Path, files: dict[str, str], share: float) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert group_share(tmp_path) == pytest.approx(share)
