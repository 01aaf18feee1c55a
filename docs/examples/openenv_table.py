"""An environment for OpenEnv in which language models take seats at a table, and bots of the arena the others.

    from openenv.core.env_server import create_app
    app = create_app(TableEnvironment, TableAction, TableObservation)

An observation says which seat is asked, and holds what its model reads; the action is the reply of that model. With
several seats of models, a trainer sends each observation to the model of its seat. The last observation has the rewards
of all seats, and as reward their mean. `model_table.py` plays the match.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from model_table import ModelTable, Reward
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class TableAction(Action):
    """The reply of a model; its last line names a legal action, such as "ACTION 12"."""

    text: str


class TableObservation(Observation):
    """What the model of a seat reads, or the rewards of the seats after the match."""

    seat: int = -1
    """The seat that is asked; -1 after the match."""
    rules: str = ""
    """The rules of the game, which stay the same: a system prompt."""
    question: str = ""
    """The position and the legal actions, or what was wrong with the last reply."""
    rewards: dict[int, float] = Field(default_factory=dict)
    """Of the seats of the models, after the match."""


class TableState(State):
    """The episode, with the record of its match, in bytes of the protocol's message, once it is over."""

    record: bytes = b""


class TableEnvironment(Environment[TableAction, TableObservation, TableState]):
    """Plays a match each episode."""

    def __init__(
        self,
        game: str = "maya",
        bots: Sequence[str] = (),
        reward: Reward = "places",
        options: Mapping[str, str] | None = None,
        disguise: int | None = None,
    ) -> None:
        """`bots` are in seat order, and a model is called "model"; by default those of BALLCOURT_TABLE."""
        super().__init__()
        self._game = game
        self._bots = bots or os.environ.get("BALLCOURT_TABLE", "model,greedy").split(",")
        self._reward: Reward = reward
        self._options, self._disguise = options, disguise
        self._runner = asyncio.Runner()
        self._table: ModelTable | None = None
        self._state = TableState()
        self._episodes = count(1)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> TableObservation:  # noqa: ANN401
        """Begin a match, and return its first question. Raises WrongInput."""
        self._leave()
        self._state = TableState(episode_id=episode_id or str(next(self._episodes)), step_count=0)
        return self._runner.run(self._begin(seed))

    def step(self, action: TableAction, timeout_s: float | None = None, **_: Any) -> TableObservation:  # noqa: ANN401
        """Answer the question, and return the next one. Raises RuntimeError without a question."""
        if self._table is None or self._state.record:
            raise RuntimeError("no match is being played; call reset() first")
        self._state.step_count += 1
        return self._runner.run(self._next(action.text))

    async def _begin(self, seed: int | None) -> TableObservation:
        self._table = ModelTable(self._game, self._bots, seed, self._options, self._disguise)
        return await self._next()

    async def _next(self, reply: str | None = None) -> TableObservation:
        """Answer the question that is open, if there is a reply; return the next one."""
        table = self._table
        assert table is not None
        seat = await table.asked()
        objection = table.answer(seat, reply) if seat is not None and reply is not None else ""
        seat = await table.asked()
        if seat is None:
            assert table.record
            self._state.record = table.record.SerializeToString()
            rewards = table.rewards(self._reward)
            return TableObservation(done=True, reward=sum(rewards.values()) / len(rewards), rewards=rewards)
        rules, question = await table.question(seat)
        return TableObservation(seat=seat, rules=rules, question="\n\n".join(filter(None, (objection, question))))

    @property
    def state(self) -> TableState:
        """The episode, how many replies it has had, and its record."""
        return self._state

    def close(self) -> None:
        """End the match and its bots."""
        self._leave()
        self._runner.close()

    def _leave(self) -> None:
        if self._table is not None and not self._state.record:
            self._runner.run(self._table.leave())
        self._table = None
