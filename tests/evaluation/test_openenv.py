"""The environment for OpenEnv, with openenv-core as released."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv.core.env_server.interfaces")

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PLAYS = (
    "from ballcourt import Bot\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"
)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(EXAMPLES)
    yield import_module("openenv_environment")
    sys.modules.pop("openenv_environment")


@pytest.mark.slow
def test_a_step_rewards_a_program_with_its_share_of_duels(example: Any) -> None:  # noqa: ANN401
    settings = {"opponents": ["first-legal"], "sandbox": 0, "workers": 1}
    environment = example.ProgramEnvironment("maya", "2 matches", **settings)
    try:
        assert "beats first-legal" in environment.reset().text
        wrong = environment.step(example.ProgramAction(program="no\nprogram"))
        assert (wrong.reward, wrong.done) == (0.0, False)
        assert "names no Bot" in wrong.text
        played = environment.step(example.ProgramAction(program=PLAYS))
        assert (played.reward, played.done) == (0.5, False)  # it is first-legal itself
        assert "## points in a match, by source" in played.text
        assert environment.state.step_count == 2
    finally:
        environment.close()
