"""One seat of a game as a Gymnasium environment; needs `pip install ballcourt[rl]`.

To import this module registers every game, such as "ballcourt/maya-v1", where 1 is the version of its rules:

    gymnasium.make("ballcourt/maya-v1", opponents=[RandomOpponent()], seat=1, render_mode="ansi")
"""

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.extras import importing
from ballcourt.engine.core import Game, IllegalAction, Seat
from ballcourt.engine.registry import games
from ballcourt.env.errors import EnvError, whole
from ballcourt.env.opponents import Opponent, RandomOpponent
from ballcourt.env.rendering import FRAMES_PER_SECOND, MODES, RenderMode, Shown
from ballcourt.env.single import Env, Illegal, Masks, Reward, seat_at
from ballcourt.env.tensors import Floats

with importing("rl"):
    import gymnasium


class SeatEnv(Shown, gymnasium.Env[Floats, np.int64]):
    """One seat; the opponents take the others.

    Observations are the vectors of `Env.vector`; `action_masks()` and `info["action_mask"]` have a 1 for every legal
    action. With `illegal="first"` the lowest legal action is played for an illegal one, and `info["illegal_actions"]`
    counts these in the match.
    """

    metadata: dict[str, Any] = {"render_modes": [*MODES], "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012 (as Gymnasium)

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[Opponent] | None = None,
        *,
        seat: Seat = 0,
        options: Mapping[str, str] | None = None,
        skip_forced: bool = True,
        reward: Reward = "placement",
        illegal: Illegal = "raise",
        render_mode: RenderMode | None = None,
    ) -> None:
        """Set up a table for the learner, in `seat`, and the opponents, in the other seats, in this order.

        Without opponents the table is the smallest of the game, and they are random. The image of the render mode
        "rgb_array", uint8 (720, 960, 3), needs `pip install ballcourt[plot]`.

        Raises UnknownGame, InvalidOption, EnvError and MissingExtra.
        """
        if not isinstance(opponents, Sequence | None) or not all(hasattr(one, "choose") for one in opponents or ()):
            raise EnvError(f"opponents is {opponents!r}; it must be a list of opponents, such as [RandomOpponent()]")
        seats = None if opponents is None else len(opponents) + 1
        self.table = Env(game, seats, options, skip_forced=skip_forced, reward=reward, illegal=illegal)
        self.seat = seat_at(self.table.seats, seat)
        self._show(render_mode)
        self._is_reset = False
        others = [other for other in range(self.table.seats) if other != self.seat]
        seated = [RandomOpponent() for _ in others] if opponents is None else opponents
        self._opponents = dict(zip(others, seated, strict=True))
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.table.features),), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.table.actions)

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin a match, with this seed or the next one, and play on to the first decision of the learner.

        `options` is ignored: a game gets its options at the start. Raises what `Env.reset` raises.
        """
        self.table.reset(seed)
        super().reset(seed=None if seed is None else self.table.seed)
        self._is_reset = True
        for opponent in self._opponents.values():
            opponent.match_started(self.table)
        self._others_play()
        return self._vector(), self._info()

    def step(self, action: SupportsIndex) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play an action and go on to the next decision of the learner, or to the end.

        Raises what `Env.step` raises, and EnvError before the first reset.
        """
        if not self._is_reset:
            raise EnvError("no match has begun; call reset() before the first step()")
        self.table.step(action)
        self._others_play()
        return self._vector(), self.table.returns()[self.seat], self.table.done, False, self._info()

    def action_masks(self) -> Masks:
        """Return the mask of the legal actions, all zeros after the match."""
        return self.table.mask(self.seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the position by the render mode, with all secrets: text, an image, or nothing."""
        return self._rendered(self.table)

    def _others_play(self) -> None:
        table = self.table
        while not table.done and table.seat != self.seat:
            action = whole(
                self._opponents[table.seat].choose(table), f"the action of the opponent in seat {table.seat}"
            )
            if table.illegal == "first" and action not in table.legal:  # only the learner is excused
                raise IllegalAction(f"the opponent in seat {table.seat} plays action {action}, which is not legal")
            table.step(action)

    def _vector(self) -> Floats:
        return self.table.vector(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "illegal_actions": self.table.illegal_actions}


for _game in games().values():
    _version = f"-v{_game.rules_version}" if _game.rules_version.isdecimal() else ""
    gymnasium.register(f"ballcourt/{_game.name}{_version}", f"{__name__}:SeatEnv", kwargs={"game": _game.name})
