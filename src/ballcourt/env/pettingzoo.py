"""Games as PettingZoo environments; needs `pip install ballcourt[rl]`.

Observations are dicts: "observation" is the vector of `Env.vector`, "action_mask" has a 1 for every legal action. The
agents are "player_0" and so on, by seat. All rewards come with the last step.
"""

from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.extras import importing
from ballcourt.engine.core import Game, Seat
from ballcourt.env.errors import EnvError, whole
from ballcourt.env.rendering import FRAMES_PER_SECOND, MODES, RenderMode, Shown
from ballcourt.env.single import Env, Illegal, Reward

with importing("rl"):
    import gymnasium
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

Observation = dict[str, Any]


class _Seats(Shown):
    """What both kinds of environments share: agents, spaces and the match."""

    metadata: dict[str, Any]
    possible_agents: list[str]

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        skip_forced: bool = True,
        reward: Reward = "placement",
        illegal: Illegal = "raise",
        max_cycles: int | None = None,
        render_mode: RenderMode | None = None,
    ) -> None:
        """Set up the first match; the arguments are those of `Env`. A match is truncated after `max_cycles` steps.

        The image of the render mode "rgb_array", uint8 (720, 960, 3), needs `pip install ballcourt[plot]`.

        Raises UnknownGame, InvalidOption, EnvError and MissingExtra.
        """
        if max_cycles is not None and whole(max_cycles, "max_cycles") < 1:
            raise EnvError(f"max_cycles is {max_cycles}; it must be at least 1, or None for whole matches")
        self.env = Env(game, seats, options, skip_forced=skip_forced, reward=reward, illegal=illegal)
        self.max_cycles = max_cycles
        self._show(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.env.seats)]
        self.agents = self.possible_agents[:]
        name = f"{self.env.game.name}_v{self.env.game.rules_version}"
        self.metadata = {"name": name, "render_modes": [*MODES], "render_fps": FRAMES_PER_SECOND}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(-np.inf, np.inf, (len(self.env.features),), np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.env.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.env.actions) for agent in self.possible_agents}
        self.reset()

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Begin a match, with this seed or the next one; `options` is ignored: a game gets its options at the start.

        Raises what `Env.reset` raises.
        """
        self.env.reset(seed)
        self.steps = 0
        self.agents = self.possible_agents[:]

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[self._known(agent)]

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the position by the render mode, with all secrets: text, an image, or nothing."""
        return self._rendered(self.env)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _known(self, agent: str) -> str:
        """Return an agent of this table. Raises EnvError for another one."""
        if agent not in self.possible_agents:
            raise EnvError(f"there is no agent {agent!r}; it must be one of {', '.join(self.possible_agents)}")
        return agent

    def _begun(self) -> None:
        """Raise EnvError after the end of the match, or after `max_cycles`."""
        if not self.agents:
            raise EnvError("the match is over; call reset() before the next step()")

    def _observation(self, seat: Seat) -> Observation:
        return {"observation": self.env.vector(seat), "action_mask": self.env.mask(seat)}


class BallcourtAEC(_Seats, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent after the other; simultaneous questions are asked in seat order."""

    metadata: dict[str, Any]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.env.seat]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; the mask is all zeros for one that is not asked."""
        return self._observation(self._seat_of[self._known(agent)])

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action of the selected agent; None for one whose match is over. Raises what `Env.step` raises."""
        self._begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.env.step(action)  # type: ignore[arg-type] # None is refused there
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.steps += 1
        if self.env.done:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self.env.returns(), strict=True))
        elif self.steps == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0 if self.env.done else self.env.seat]
        self._accumulate_rewards()


class BallcourtParallel(_Seats, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All agents at once: those that are asked answer together, the others wait.

    Agents with an empty mask are not asked. What they answer is ignored; 0, which is never legal, is meant for that.
    """

    metadata: dict[str, Any]

    def reset(
        self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        super().reset(seed, options)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of the agents that are asked.

        Raises what `Env.step_together` raises, and EnvError if an agent that is asked has no action, or an action is
        for no agent.
        """
        self._begun()
        for agent in actions:
            self._known(agent)
        self.env.step_together({seat: self._action_of(seat, actions) for seat in self.env.asked})
        self.steps += 1
        over = self.env.done
        cut = not over and self.steps == self.max_cycles
        agents = self.possible_agents
        self.agents = [] if over or cut else agents[:]
        return (
            self._observations(),
            dict(zip(agents, self.env.returns(), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )

    def _action_of(self, seat: Seat, actions: Mapping[str, SupportsIndex]) -> SupportsIndex:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise EnvError(f"{agent} is asked, but the actions are those of {', '.join(actions) or 'no seat'}")
        return actions[agent]

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observation(seat) for agent, seat in self._seat_of.items()}


class _InOrder(Shown, OrderEnforcingWrapper[str, Observation, int]):  # type: ignore[misc]
    """PettingZoo's wrapper, whose copies have matches of their own."""


aec_env = raw_env = BallcourtAEC
parallel_env = BallcourtParallel


def env(*arguments: Any, **named: Any) -> OrderEnforcingWrapper[str, Observation, int]:  # noqa: ANN401
    """Return an `aec_env` in PettingZoo's wrapper that enforces the order of calls; the arguments are the same."""
    return _InOrder(aec_env(*arguments, **named))
