"""Several matches against a bot of the arena, in a process of its own: how good a bot is, with an interval.

It plays as `ballcourt evaluate` does. What the author can learn from the matches is kept as a log beside.
"""

import secrets
from pathlib import Path
from typing import Final

from ballcourt.arena.files import write_atomically
from ballcourt.arena.processes.asked import AnswerDue, AskedProcess, answer
from ballcourt.arena.records.bundle import LOG_SUFFIX
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.workers.process import environment
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.bout import FULL, Bout, BoutOutcome, BoutProcess
from ballcourt.evaluation.evaluator import Evaluator

FEEDBACK: Final = "feedback"
"""The name of the log in which the feedback is."""


class SeveralProcess(AskedProcess[BoutOutcome]):
    """Several matches in a process that this starts."""

    def __init__(self, bout: Bout) -> None:
        super().__init__(__name__, bout, BoutOutcome, environment(), "the matches")


def begin(bout: Bout) -> AnswerDue[BoutOutcome]:
    """Begin one match, or several."""
    return BoutProcess(bout) if bout.matches == 1 else SeveralProcess(bout)


def evaluate(bout: Bout) -> BoutOutcome:
    """Evaluate the first bot against the second one, and keep the feedback. Raises ArenaError and OSError."""
    own, other = bout.bots
    setup = secrets.choice(setups_of(bout.setups, FULL))
    try:
        with Evaluator(
            setup.game,
            opponents=[other.path],
            seats=setup.seats,
            options=dict(setup.options),
            clock=bout.clock.model_dump(exclude_unset=True),
            sandbox=bout.sandbox.model_dump(exclude_unset=True),
            workers=1,
        ) as arena:
            found = arena.evaluate(Path(own.path), f"{bout.matches} matches")
            feedback = arena.feedback(Path(own.path))
    except WrongInput as error:
        return BoutOutcome(trouble=str(error).partition("\n")[0])
    folder = Path(bout.records)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{bout.key}-{FEEDBACK}{LOG_SUFFIX}", feedback.encode())
    return BoutOutcome(result=f"{setup.game}, {setup.seats} seats: {found.in_words}")


if __name__ == "__main__":
    answer(Bout, evaluate)
