"""An evaluation program for ShinkaEvolve: generated programs play Maya against `greedy` in a sandbox without API keys.

    EvolutionConfig(init_program_path="first.py", use_text_feedback=True, ...)
    LocalJobConfig(eval_program_path="docs/examples/shinka_evaluate.py")

`first.py` holds a subclass of `ballcourt.Bot` between the lines `# EVOLVE-BLOCK-START` and `# EVOLVE-BLOCK-END`. The
score is what the points of its duels are worth, 0.5 for a program as good as its opponents; the feedback on the matches
goes into the next prompt. Environment variables set the game, opponents, budget and sandbox. All processes of
ShinkaEvolve share one cache, so no match is played twice.
"""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from ballcourt import Evaluator
from ballcourt.engine.core import WrongInput


def evaluated(program: Path) -> tuple[dict[str, Any], str | None]:
    """Return the metrics of a program, and why it is not correct, if it is not."""
    with Evaluator(
        os.environ.get("BALLCOURT_GAME", "maya"),
        opponents=os.environ.get("BALLCOURT_AGAINST", "greedy").split(","),
        sandbox=int(os.environ.get("BALLCOURT_TIER", "1")),
        workers=1,  # ShinkaEvolve evaluates several programs at a time
        cache=os.environ.get("BALLCOURT_KEPT", "evaluations.sqlite"),
    ) as arena:
        try:
            found = arena.evaluate(program, os.environ.get("BALLCOURT_BUDGET", "60 matches"), by="points")
        except WrongInput as error:
            return {"combined_score": 0.0, "text_feedback": str(error)}, str(error)
        public = {
            "duels": found.mean,
            "low": found.low,
            "high": found.high,
            "lost": found.lost,
            "verdict": found.verdict,
        }
        metrics = {"combined_score": found.score, "public": public, "text_feedback": arena.feedback(program)}
        return metrics, str(found) if found.verdict == "broken" else None


def main() -> None:
    """Evaluate the program, and write the two files that ShinkaEvolve reads."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--program_path", type=Path, required=True)
    parser.add_argument("--results_dir", type=Path, required=True)
    given = parser.parse_args()
    metrics, error = evaluated(given.program_path)
    given.results_dir.mkdir(parents=True, exist_ok=True)
    (given.results_dir / "correct.json").write_text(json.dumps({"correct": error is None, "error": error}))
    (given.results_dir / "metrics.json").write_text(json.dumps(metrics))


if __name__ == "__main__":
    main()
