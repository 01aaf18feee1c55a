"""Games as PettingZoo environments; needs `pip install ballcourt[rl]`.

Observations are dicts: "observation" is the vector of `Env.vector`, "action_mask" has a 1 for every legal action. The
agents are "player_0" and so on, by seat. All rewards come with the last step.
"""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from ballcourt.arena.extras import importing
from ballcourt.engine.core import Game, Seat
from ballcourt.env.errors import EnvError
from ballcourt.env.single import Env, Illegal, Reward

with importing("rl"):
    import gymnasium
    from pettingzoo import AECEnv, ParallelEnv

Observation = dict[str, Any]


class _Seats:
    """What both kinds of environments share: agents, spaces and the match."""

    metadata: dict[str, Any]
    possible_agents: list[str]
    render_mode = "ansi"

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
    ) -> None:
        """Set up a table; the arguments are those of `Env`. A match is truncated after `max_cycles` steps.

        Raises UnknownGame, InvalidOption and EnvError.
        """
        if max_cycles is not None and max_cycles < 1:
            raise EnvError(f"max_cycles is {max_cycles}; it must be at least 1, or None for whole matches")
        self.env = Env(game, seats, options, skip_forced=skip_forced, reward=reward, illegal=illegal)
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(self.env.seats)]
        self.agents = self.possible_agents[:]
        self.metadata = {"name": f"{self.env.game.name}_v{self.env.game.rules_version}", "render_modes": ["ansi"]}
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

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """Return the whole position as text, secrets included."""
        return str(self.env.state)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _observation(self, seat: Seat) -> Observation:
        return {"observation": self.env.vector(seat), "action_mask": self.env.mask(seat)}


class BallcourtAEC(_Seats, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent after the other; simultaneous questions are asked in seat order."""

    metadata: dict[str, Any]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match, with this seed or the next one; `options` is ignored: a game gets its options at the start."""
        self.env.reset(seed)
        self.steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.env.seat]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; the mask is all zeros for one that is not asked."""
        return self._observation(self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for an agent whose match is over. Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.env.step(int(cast(int, action)))
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
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match, with this seed or the next one; `options` is ignored: a game gets its options at the start."""
        self.env.reset(seed)
        self.steps = 0
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of the agents that are asked.

        Raises IllegalAction, which changes nothing, and EnvError if an agent that is asked has no action.
        """
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

    def _action_of(self, seat: Seat, actions: Mapping[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise EnvError(f"{agent} is asked, but the actions are those of {', '.join(actions) or 'no seat'}")
        return int(actions[agent])

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observation(seat) for agent, seat in self._seat_of.items()}


aec_env = BallcourtAEC
parallel_env = BallcourtParallel
