"""Questions that the arena asks a process at the same time, one in each of several matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ballcourt.bots.sdk.python.bot import Bot
from ballcourt.bots.sdk.python.decision import Decision
from ballcourt.bots.sdk.python.profiling import Profile


class Batch:
    """Collects the questions of the streams of a process until all have come, and answers them in one call."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._asked: list[tuple[Bot, Decision]] = []
        self._answers: asyncio.Future[Sequence[int]] | None = None

    async def choose(self, bot: Bot, decision: Decision) -> int:
        """Return the action for a question. Raises what the class of the bot raises."""
        if self._answers is None:
            self._answers = asyncio.get_running_loop().create_future()
        answers, place = self._answers, len(self._asked)
        self._asked.append((bot, decision))
        if len(self._asked) == decision.together:
            asked, self._asked, self._answers = self._asked, [], None
            try:
                answers.set_result(self._profile.call(answered, asked))
            except Exception as error:
                answers.set_exception(error)
        return (await answers)[place]


def answered(asked: Sequence[tuple[Bot, Decision]]) -> Sequence[int]:
    """Return an action for each question. Raises TypeError if the bots' class returns another number of them."""
    chosen = type(asked[0][0]).choose_together(asked)
    if len(chosen) != len(asked):
        raise TypeError(
            f"choose_together returned {len(chosen)} actions for {len(asked)} questions; return one for each"
        )
    return chosen
