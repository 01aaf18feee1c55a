"""An environment for verifiers in which language models take seats at a table, and bots of the arena the others.

    vf-eval verifiers_table --env.taskset.bots '["model", "greedy"]' --env.taskset.game maya

Each task is a match of its own seed. The models of the seats 0 to 3 are the agents `seat0` to `seat3`, so that one can
be trained against another; each has a trace of its own, rewarded by places or by points. The trace holds the record of
the match. `model_table.py` plays it.
"""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import AsyncExitStack

import verifiers.v1 as vf
from model_table import ModelTable, Reward

__all__ = ["TableEnv", "TableTaskset"]


class MatchData(vf.TaskData):
    """A match; its seed gives the deal."""

    seed: int


class MatchTask(vf.Task[MatchData]):
    """To play one match."""


class TableTasksetConfig(vf.TasksetConfig):
    """What is played, and by whom."""

    game: str = "maya"
    bots: list[str] = ["model", "greedy"]  # noqa: RUF012 (as pydantic)
    """In seat order; a model is called "model"."""
    matches: int = 100
    seed: int = 1
    """Of the first match; the others count on from it."""
    options: dict[str, str] = {}  # noqa: RUF012
    disguise: int | None = None
    """The seed of a disguise; None: the models see the game as it is."""


class TableTaskset(vf.Taskset[MatchTask, TableTasksetConfig]):
    """Matches of one game."""

    def load(self) -> Iterator[MatchTask]:
        """Yield the matches."""
        for number in range(self.config.matches):
            yield MatchTask(MatchData(seed=self.config.seed + number), self.config.task)


class TableEnvConfig(vf.EnvConfig):
    """The models, by their seats, and what they are rewarded with."""

    seat0: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    seat1: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    seat2: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    seat3: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    reward: Reward = "places"


class TableEnv(vf.Env[TableEnvConfig]):
    """Plays a match each episode."""

    async def run(self, task: MatchTask, agents: vf.Agents) -> None:
        """Put every question to the model of its seat."""
        about = self.taskset.config
        table = ModelTable(about.game, about.bots, task.data.seed, about.options, about.disguise)
        talks: dict[int, vf.Interaction] = {}
        try:
            async with AsyncExitStack() as opened:
                objections: dict[int, str] = {}
                while (seat := await table.asked()) is not None:
                    rules, question = await table.question(seat)
                    if seat not in talks:
                        own = vf.Task(vf.TaskData(idx=task.data.idx, system_prompt=rules))
                        agent = getattr(agents, f"seat{seat}")
                        talks[seat] = await opened.enter_async_context(agent.interaction(own))
                    objection = objections.pop(seat, "")
                    reply = await talks[seat].turn(f"{objection}\n\n{question}".strip())
                    if reply.terminated:  # a limit of the run, such as its number of turns
                        break
                    objections[seat] = table.answer(seat, reply.last_reply)
        finally:
            await table.leave()
        assert table.record
        record = b64encode(table.record.SerializeToString()).decode()
        for seat, reward in table.rewards(self.config.reward).items():
            if seat in talks:
                talks[seat].trace.record_reward(self.config.reward, reward)
                talks[seat].trace.record_metric("fallbacks", table.fallbacks[seat])
                talks[seat].trace.info["record"] = record
