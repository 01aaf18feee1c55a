"""The programs of the guide to training run."""

import re
from pathlib import Path

import numpy as np
import pytest

import ballcourt.env
from ballcourt.env import BatchEnv
from tests.env.owners import library

GUIDE = (Path(ballcourt.env.__file__).parent / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
NEEDED = ("pettingzoo", "gymnasium", "open_spiel")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_of_the_guide_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = PROGRAMS[number]
    for name in NEEDED:
        if name in program:
            library(name)
    batch = BatchEnv("maya", 1)
    weights = np.ones((len(batch.features), batch.actions), np.float32)
    np.savez(tmp_path / "weights.npz", weights=weights, fingerprint=np.array(batch.fingerprint))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "guide"}
    exec(compile(program, f"program {number} of the guide", "exec"), names)
    if bot := names.get("Linear"):
        assert callable(bot)
        assert bot().decide(batch.observations, batch.masks)[0] in np.flatnonzero(batch.masks[0])
