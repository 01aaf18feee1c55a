"""OpenEvolve as released drives the evaluator, with a model that follows a script."""

import os
from pathlib import Path
from typing import Any

import pytest

openevolve = pytest.importorskip("openevolve")

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "openevolve_evaluator.py"
FIRST = """\
from ballcourt import Bot


class Mine(Bot):
    def choose(self, decision):
        return 1 / 0
"""
WRITTEN = FIRST.replace("1 / 0", "decision.legal[0]")


def remember(asked: str) -> None:
    """Write down what the model was asked, in whichever process."""
    with Path(os.environ["ASKED"]).open("a") as file:
        file.write(asked)


class ScriptedModel:
    """Writes a program that plays, whatever it is asked, and keeps what it was asked in a file."""

    weight = 1.0

    def __init__(self, config: Any) -> None:  # noqa: ANN401
        self.model = config.name

    async def generate(self, prompt: str, **_: object) -> str:
        return await self.generate_with_context("", [{"role": "user", "content": prompt}])

    async def generate_with_context(self, system_message: str, messages: list[dict[str, str]], **_: object) -> str:
        remember(messages[-1]["content"])
        return f"```python\n{WRITTEN}```"


@pytest.mark.slow
def test_openevolve_breeds_a_program_that_plays_from_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from openevolve.api import run_evolution
    from openevolve.config import Config, LLMModelConfig

    for name, value in {"AGAINST": "first-legal", "BUDGET": "4 matches", "TIER": "0"}.items():
        monkeypatch.setenv(f"BALLCOURT_{name}", value)
    monkeypatch.setenv("BALLCOURT_KEPT", str(tmp_path / "kept.sqlite"))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    config = Config(diff_based_evolution=False, max_iterations=2)
    config.llm.models = [LLMModelConfig(name="script", init_client=ScriptedModel)]
    config.evaluator.parallel_evaluations = 1
    config.evaluator.cascade_evaluation = False
    found = run_evolution(FIRST, EXAMPLE, config, iterations=2, output_dir=str(tmp_path / "out"), cleanup=False)
    assert "decision.legal[0]" in found.best_code
    assert (found.metrics["lost"], found.best_score) == (0, 0.5)  # it is first-legal itself
    assert "ZeroDivisionError" in (tmp_path / "asked").read_text()
