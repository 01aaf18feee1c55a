"""One seat of a game as a Gymnasium environment; needs `pip install ballcourt[rl]`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ballcourt.arena.extras import importing
from ballcourt.engine.core import Action, Game, IllegalAction, Seat
from ballcourt.env.errors import EnvError
from ballcourt.env.opponents import Opponent
from ballcourt.env.single import Env, Illegal, Masks, Reward
from ballcourt.env.tensors import Floats

with importing("rl"):
    import gymnasium


class SeatEnv(gymnasium.Env[Floats, np.int64]):
    """One seat; the opponents take the others.

    Observations are the vectors of `Env.vector`; `action_masks()` and `info["action_mask"]` have a 1 for every legal
    action. With `illegal="first"` the lowest legal action is played for an illegal one, and `info["illegal_actions"]`
    counts these in the match.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 (declared so by Gymnasium)
    render_mode = "ansi"

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[Opponent],
        *,
        seat: Seat = 0,
        options: Mapping[str, str] | None = None,
        skip_forced: bool = True,
        reward: Reward = "placement",
        illegal: Illegal = "raise",
    ) -> None:
        """Set up a table for the learner, in `seat`, and the opponents, in the other seats, in this order.

        Raises UnknownGame, InvalidOption and EnvError.
        """
        self.table = Env(game, len(opponents) + 1, options, skip_forced=skip_forced, reward=reward, illegal=illegal)
        if not 0 <= seat < self.table.seats:
            raise EnvError(f"seat {seat} is not at a table of {self.table.seats}; seats are numbered from 0")
        self.seat = seat
        others = [other for other in range(self.table.seats) if other != seat]
        self._opponents = dict(zip(others, opponents, strict=True))
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.table.features),), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.table.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin a match, with this seed or the next one, and play on to the first decision of the learner.

        `options` is ignored: a game gets its options at the start.
        """
        super().reset(seed=seed)
        self.table.reset(seed)
        for opponent in self._opponents.values():
            opponent.match_started(self.table)
        self._others_play()
        return self._vector(), self._info()

    def step(self, action: np.int64 | Action) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play an action and go on to the next decision of the learner, or to the end.

        Raises EnvError after the end of the match, and IllegalAction unless `illegal` is "first".
        """
        self.table.step(int(action))
        self._others_play()
        return self._vector(), self.table.returns()[self.seat], self.table.done, False, self._info()

    def action_masks(self) -> Masks:
        """Return the mask of the legal actions, all zeros after the match."""
        return self.table.mask(self.seat)

    def render(self) -> str:
        """Return the whole position as text, secrets included."""
        return str(self.table.state)

    def _others_play(self) -> None:
        table = self.table
        while not table.done and table.seat != self.seat:
            action = self._opponents[table.seat].choose(table)
            if table.illegal == "first" and action not in table.legal:  # only the learner is excused
                raise IllegalAction(f"the opponent in seat {table.seat} plays action {action}, which is not legal")
            table.step(action)

    def _vector(self) -> Floats:
        return self.table.vector(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "illegal_actions": self.table.illegal_actions}
