"""An environment for OpenEnv in which an action is a program: it rewards models that write bots.

    from openenv.core.env_server import create_app
    app = create_app(ProgramEnvironment, ProgramAction, ProgramObservation)

Each step plays a program against fixed opponents, confined. The reward is the share of duels that it won; the
observation is the feedback on its matches.
"""

import os
from itertools import count
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from ballcourt import Evaluator
from ballcourt.engine.core import WrongInput

TASK = "Write a program in Python with a subclass of ballcourt.Bot that plays {game} and beats {opponents}."


class ProgramAction(Action):
    """A program in Python with a subclass of `ballcourt.Bot`."""

    program: str


class ProgramObservation(Observation):
    """The task at first, then the feedback on the matches of the last program."""

    text: str = ""
    verdict: str = ""


class ProgramEnvironment(Environment[ProgramAction, ProgramObservation, State]):
    """Evaluates programs; an episode goes on until one is known to win more than half of its duels."""

    def __init__(self, game: str = "maya", budget: str = "60 matches", **settings: Any) -> None:  # noqa: ANN401
        """`settings` are those of `Evaluator`."""
        super().__init__()
        self._budget = budget
        self._state = State()
        self._episodes = count(1)
        settings = {"opponents": os.environ.get("BALLCOURT_AGAINST", "greedy").split(","), **settings}
        self._task = TASK.format(game=game, opponents=", ".join(settings["opponents"]))
        self._arena = Evaluator(game, **settings)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> ProgramObservation:  # noqa: ANN401
        """Begin an episode, and return the task."""
        self._state = State(episode_id=episode_id or str(next(self._episodes)), step_count=0)
        return ProgramObservation(text=self._task)

    def step(self, action: ProgramAction, timeout_s: float | None = None, **_: Any) -> ProgramObservation:  # noqa: ANN401
        """Evaluate a program. Text that is not a valid program gets a reward of 0 and an error message."""
        self._state.step_count += 1
        try:
            budget = self._budget if timeout_s is None else f"{self._budget}, {timeout_s:g} seconds"
            found = self._arena.evaluate(action.program, budget, better_than=0.5)
        except WrongInput as error:
            return ProgramObservation(text=str(error), verdict="broken", reward=0.0)
        text = self._arena.feedback(action.program)
        return ProgramObservation(text=text, verdict=found.verdict, reward=found.mean, done=found.better)

    @property
    def state(self) -> State:
        """The episode, and how many programs it has had."""
        return self._state

    def close(self) -> None:
        """End the workers and all bots."""
        self._arena.close()
