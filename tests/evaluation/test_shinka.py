"""ShinkaEvolve as released drives the evaluator, with a scripted model behind an endpoint of this machine."""

import sys
from pathlib import Path

import pytest

from tests.bots_sdk.test_llm import endpoint, saying

shinka = pytest.importorskip("shinka.core")

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "shinka_evaluate.py"
FIRST = """\
from ballcourt import Bot

# EVOLVE-BLOCK-START
class Mine(Bot):
    def choose(self, decision):
        return 1 / 0
# EVOLVE-BLOCK-END
"""
WRITTEN = FIRST.replace("1 / 0", "decision.legal[0]")
SAID = f"<NAME>\nlowest\n</NAME>\n<DESCRIPTION>\nIt plays.\n</DESCRIPTION>\n<CODE>\n```python\n{WRITTEN}```\n</CODE>"


@pytest.mark.slow
def test_shinka_breeds_a_program_that_plays_from_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shinka.core import EvolutionConfig, ShinkaEvolveRunner
    from shinka.database import DatabaseConfig
    from shinka.launch import LocalJobConfig

    for name, value in {"AGAINST": "first-legal", "BUDGET": "4 matches", "TIER": "0"}.items():
        monkeypatch.setenv(f"BALLCOURT_{name}", value)
    monkeypatch.setenv("BALLCOURT_KEPT", str(tmp_path / "kept.sqlite"))
    (tmp_path / "first.py").write_text(FIRST)
    with endpoint(saying(SAID)) as (url, requests):
        evolution = EvolutionConfig(
            init_program_path=str(tmp_path / "first.py"),
            results_dir=str(tmp_path / "out"),
            num_generations=2,
            patch_types=["full"],
            patch_type_probs=[1.0],
            llm_models=[f"local/script@{url}"],
            llm_dynamic_selection=None,
            meta_rec_interval=None,
            embedding_model=None,
            use_text_feedback=True,
        )
        job = LocalJobConfig(eval_program_path=str(EXAMPLE), python_executable=sys.executable)
        runner = ShinkaEvolveRunner(
            evolution,
            job,
            DatabaseConfig(db_path=str(tmp_path / "programs.sqlite"), num_islands=1),
            verbose=False,
            max_evaluation_jobs=1,
            max_proposal_jobs=1,
        )
        runner.run()
    best = runner.db.get_best_program()
    assert "decision.legal[0]" in best.code
    assert (best.public_metrics["lost"], best.combined_score) == (0, 0.5)  # it is first-legal itself
    assert any("ZeroDivisionError" in message["content"] for request in requests for message in request["messages"])
