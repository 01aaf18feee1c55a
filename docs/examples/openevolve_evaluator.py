"""An evaluation file for OpenEvolve: the generated programs play Maya against `greedy` in a sandbox without API keys.

    openevolve-run first.py docs/examples/openevolve_evaluator.py --config config.yaml

`first.py` holds a subclass of `ballcourt.Bot`. The score is what the points of its duels are worth, 0.5 for a program
as good as its opponents; the feedback on the matches goes into the next prompt as an artifact. Environment variables
set the game, opponents, budget and sandbox. All processes of OpenEvolve share one cache, so no match is played twice.
"""

import atexit
import os
from pathlib import Path

from openevolve.evaluation_result import EvaluationResult

from ballcourt import Evaluator
from ballcourt.engine.core import WrongInput

BUDGET = os.environ.get("BALLCOURT_BUDGET", "60 matches")
ARENA = Evaluator(
    os.environ.get("BALLCOURT_GAME", "maya"),
    opponents=os.environ.get("BALLCOURT_AGAINST", "greedy").split(","),
    sandbox=int(os.environ.get("BALLCOURT_TIER", "1")),
    workers=1,  # OpenEvolve evaluates several programs at a time
    cache=os.environ.get("BALLCOURT_KEPT", "evaluations.sqlite"),
)
atexit.register(ARENA.close)


def evaluate(program_path: str) -> EvaluationResult:
    """Evaluate a program; a wrong one gets no points, and a sentence that says why."""
    program = Path(program_path)
    try:
        found = ARENA.evaluate(program, BUDGET, by="points")
    except WrongInput as error:
        return EvaluationResult(metrics={"combined_score": 0.0}, artifacts={"error": str(error)})
    metrics = {"combined_score": found.score, "duels": found.mean, "lost": float(found.lost)}
    return EvaluationResult(metrics=metrics, artifacts={"feedback": ARENA.feedback(program)})
