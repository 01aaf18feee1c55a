"""Attacks of tests/attacks entered as candidates: they do no harm and read nothing of the environment."""

from pathlib import Path

import pytest

from ballcourt import Evaluator
from ballcourt.evaluation.assessment import Conclusion
from tests.arena.conftest import Traces, bluff_is_installed, tier_1, traces, treasures, wait_until
from tests.attacks.attack import Ground
from tests.attacks.candidates import AsCandidate
from tests.attacks.classes import IN_MATCH

__all__ = ["bluff_is_installed", "tier_1", "traces", "treasures"]

READER = """
import glob, os
from ballcourt import Bot
def texts():
    for name in ["/proc/self/environ", *glob.glob("/proc/[0-9]*/environ"), *glob.glob("/proc/[0-9]*/cmdline")]:
        try:
            yield open(name, "rb").read().decode(errors="replace")
        except OSError:
            continue
seen = "".join([*texts(), *map("=".join, os.environ.items())])
print("read the secret" if "hunter2" in seen else "read nothing", flush=True)
for path in (PLACES):
    if os.path.exists(path):
        print("SAW", path, flush=True)
class Mine(Bot):
    def choose(self, decision):
        return 1 / 0
"""


@pytest.mark.slow
def test_a_candidate_reads_nothing_of_the_environment_of_who_asks(
    tier_1: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    (tmp_path / "kept").touch()
    hidden = [str(tmp_path / "kept"), str(Path(__file__)), str(Path.home() / ".cache")]
    program = READER.replace("(PLACES)", repr(hidden))
    with Evaluator("maya", opponents="random", workers=1, cache=tmp_path / "kept") as arena:
        found = arena.evaluate(program)
    assert found.verdict is Conclusion.BROKEN
    assert "ZeroDivisionError" in found.faults[0]
    assert "read nothing" in found.faults[0]
    assert "read the secret" not in found.faults[0]
    assert "SAW" not in found.faults[0]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["pries", "talks by locks", "kills all before its Hello", "fork bomb"])
def test_an_attack_as_a_candidate_leaves_the_evaluator_whole(tier_1: None, traces: Traces, way: str) -> None:
    [attack] = [attack for attack in IN_MATCH if attack.way == way]
    assert AsCandidate(attack).carry_out(Ground(traces, 1)).problems == ()
    assert wait_until(lambda: not traces.processes())
