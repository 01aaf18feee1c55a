"""The faces of the environment, driven in one way; `python -m tests.env.faces METHOD` takes them elsewhere."""

import multiprocessing
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.env import BatchEnv, Env, EnvError
from ballcourt.env.bots import BotOpponent
from ballcourt.env.gymnasium import SeatEnv
from ballcourt.env.openspiel import load_game
from ballcourt.env.opponents import RandomOpponent
from ballcourt.env.pettingzoo import aec_env, env, parallel_env

SEED = 5


@dataclass(frozen=True)
class Face:
    """How to make an environment, begin a match in it, play an action, and read its position and what is legal."""

    make: Callable[[], Any]
    reset: Callable[[Any, Any], Any]
    step: Callable[[Any, Any], Any]
    rows: Callable[[Any], Any]
    legal: Callable[[Any], list[int]]

    def begun(self) -> Any:  # noqa: ANN401
        """Return one in mid-match."""
        made = self.make()
        self.reset(made, SEED)
        self.play(made, 3)
        return made

    def play(self, made: Any, steps: int) -> None:  # noqa: ANN401
        """Play the lowest legal actions."""
        for _ in range(steps):
            self.step(made, self.legal(made)[0])

    def later(self, made: Any) -> str:  # noqa: ANN401
        """Return what comes of it in a few steps."""
        self.play(made, 4)
        return repr(self.rows(made))


def inner(made: Any) -> Env:  # noqa: ANN401
    """Return the `Env` within."""
    found = made.unwrapped if hasattr(made, "unwrapped") else made
    for name in ("table", "env"):
        found = getattr(found, name, found)
    assert isinstance(found, Env)
    return found


def rows(made: Any) -> list[list[int]]:  # noqa: ANN401
    """Return the position of a match."""
    return inner(made).state.to_rows()


def legal(made: Any) -> list[int]:  # noqa: ANN401
    """Return the legal actions of the seat to act."""
    return inner(made).legal


def seeded(made: Any, seed: object) -> None:  # noqa: ANN401
    """Begin a match as Gymnasium and PettingZoo do."""
    made.reset(seed=seed)


def dealt(seed: object = None) -> Any:  # noqa: ANN401
    """Return a state of OpenSpiel in mid-match."""
    state = load_game("maya", 2).new_initial_state()
    if seed is not None:
        state.apply_action(seed)
    return state


def together(made: Any, action: object) -> None:  # noqa: ANN401
    """Play an action for the agent that is asked, the same for every one that is."""
    made.step({agent: action for agent, seen in made._observations().items() if seen["action_mask"].any()})


def in_batch(made: BatchEnv) -> Any:  # noqa: ANN401
    """Return what a batch shows."""
    arrays = (made.observations, made.masks, made.acting, made.rewards, made.terminals, made.seeds)
    return [array.tolist() for array in arrays]


def batch(processes: int) -> Face:
    """Return the face of a batch of two matches."""
    return Face(
        lambda: BatchEnv("maya", 2, 2, processes=processes),
        BatchEnv.reset,
        lambda made, action: made.step([action, int(np.flatnonzero(made.masks[1])[0])]),
        in_batch,
        lambda made: np.flatnonzero(made.masks[0]).tolist(),
    )


FACES = {
    "Env": Face(lambda: Env("maya", 2), Env.reset, Env.step, rows, legal),
    "SeatEnv": Face(lambda: SeatEnv("maya", [RandomOpponent()], seat=1), seeded, SeatEnv.step, rows, legal),
    "SeatEnv with a bot": Face(
        lambda: SeatEnv("maya", [BotOpponent(GreedyBot())], seat=1), seeded, SeatEnv.step, rows, legal
    ),
    "BatchEnv": batch(1),
    "BatchEnv with processes": batch(2),
    "aec_env": Face(lambda: aec_env("maya", 2), seeded, lambda made, action: made.step(action), rows, legal),
    "env": Face(lambda: env("maya", 2), seeded, lambda made, action: made.step(action), rows, legal),
    "parallel_env": Face(lambda: parallel_env("maya", 2), seeded, together, rows, legal),
    "OpenSpiel": Face(
        dealt,
        lambda made, seed: made.apply_action(seed),
        lambda made, action: made.apply_action(action),
        lambda made: [made.history(), rows(made), made.information_state_string(0)],
        lambda made: made.legal_actions(),
    ),
}


def played_on(made: dict[str, Any], answer: Connection) -> None:
    """Send what comes of each face, or why it cannot go on; another process runs it."""
    found = {}
    for name, one in made.items():
        try:
            found[name] = FACES[name].later(one)
        except EnvError as error:
            found[name] = str(error)
    answer.send(found)


def main(method: str) -> None:
    """Take the faces to another process, which plays on; print what came of those that went another way there."""
    taken = {name: face for name, face in FACES.items() if method == "fork" or name != "BatchEnv with processes"}
    made = {name: face.begun() for name, face in taken.items()}
    ours, theirs = multiprocessing.Pipe()
    context: Any = multiprocessing.get_context(method)
    other = context.Process(target=played_on, args=(made, theirs), daemon=True)
    other.start()
    theirs.close()
    there = ours.recv()
    other.join()
    for name, face in taken.items():
        if there[name] != face.later(made[name]):
            sys.stdout.write(f"{name}: {there[name]}\n")


if __name__ == "__main__":
    main(sys.argv[1])
