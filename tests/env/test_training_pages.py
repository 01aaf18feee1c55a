"""The programs of the pages about training run."""

import re
from pathlib import Path

import numpy as np
import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.env import BatchEnv
from tests.needs import library

PAGES = [PACKAGE / "docs" / page for page in ("tutorials/agent.md", "how-to/libraries.md", "reference/vectors.md")]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
NEEDED = ("pettingzoo", "gymnasium", "open_spiel")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_of_the_pages_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = PROGRAMS[number]
    for name in NEEDED:
        if name in program:
            library(name)
    batch = BatchEnv("maya", 1)
    weights = np.ones((len(batch.features), batch.actions), np.float32)
    np.savez(tmp_path / "weights.npz", weights=weights, fingerprint=np.array(batch.fingerprint))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(program, f"program {number} of the pages", "exec"), names)
    if bot := names.get("Linear"):
        assert callable(bot)
        assert bot().decide(batch.observations, batch.masks)[0] in np.flatnonzero(batch.masks[0])
