"""A seat for an agent: what it can read, and how it acts. Everything it gets is text."""

import asyncio
from collections.abc import Iterator

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.person import NotAsked, PendingQuestion, Person
from ballcourt.v1.protocol_pb2 import MatchEnd
from ballcourt.v1.record_pb2 import MatchRecord


class AgentSeat:
    """An agent's side of a match that is being played. Its methods wait until the agent is asked, or the match over."""

    def __init__(self, person: Person, playing: asyncio.Task[MatchRecord]) -> None:
        """Take the seat of a person in a match that has begun. The agent reads the game in the person's wording."""
        self.person = person
        self._wording = person.wording
        self._playing = playing
        self._changed = asyncio.Event()
        self._reported = 0
        self._is_acting = False
        self._number = 0
        self._numbered: PendingQuestion | None = None
        playing.add_done_callback(lambda _: self.changed())

    def changed(self) -> None:
        """Note that there is something new."""
        self._changed.set()

    async def rules(self) -> str:
        """Return the rules, and what the names of places mean. Raises ArenaError if the match failed."""
        await self._until_asked()
        person = self.person
        if person.state is None or person.start is None:
            raise ArenaError("the match ended before its first position")
        return self._wording.rules(person.state, person.seat, dict(person.start.options))

    async def observe(self) -> str:
        """Return what others did since the last look, and the position; the results when the match is over."""
        await self._until_asked()
        return "\n".join([*self._news(), *self._position()])

    async def position(self) -> str:
        """Return the position without what others did; the results when the match is over."""
        await self._until_asked()
        return "\n".join(self._position())

    async def legal(self) -> str:
        """Return the number of the question and its legal actions. Raises NotAsked when the match is over."""
        await self._until_asked()
        question = self._question()
        actions = self._wording.legal(question.state, self.person.seat, question.legal)
        return f"question {self._number}, legal actions:\n{actions}"

    async def act(self, action: int, question: int | None = None) -> str:
        """Take a legal action and return the next position and legal actions, or the results.

        A call that repeats one which has not been answered yet is refused, as is one for another question than the
        present one, if it names its question: clients send calls twice. Raises NotAsked and IllegalAction.
        """
        if self._is_acting:
            raise await self._refusal("that question")
        self._is_acting = True
        try:
            await self._until_asked()
            self._question()
            if question not in (None, self._number):
                raise await self._refusal(f"question {question}")
            self.person.act(self._wording.meant(action))
            shown = await self.observe()
            return shown if self.person.question is None else f"{shown}\n{await self.legal()}"
        finally:
            self._is_acting = False

    async def _refusal(self, question: str) -> NotAsked:
        return NotAsked(f"{question} is not open any more, and nothing was done; {await self.legal()}")

    async def _until_asked(self) -> None:
        while self.person.question is None and not self.person.is_over:
            if self._playing.done():
                self._playing.result()  # raises what the match failed with
                return
            self._changed.clear()
            await self._changed.wait()

    def _question(self) -> PendingQuestion:
        if self.person.question is None:
            raise NotAsked(self._outcome())
        if self._numbered is not self.person.question:
            self._numbered, self._number = self.person.question, self._number + 1
        return self.person.question

    def _position(self) -> Iterator[str]:
        person = self.person
        if person.state is not None:
            yield self._wording.position(person.state, person.seat)
        if person.is_over:
            yield self._outcome()

    def _news(self) -> list[str]:
        news, self._reported = self.person.news[self._reported :], len(self.person.news)
        return [f"player {each.seat}: {self._wording.text(each.label)}" for each in news]

    def _outcome(self) -> str:
        if self.person.lost:
            return f"you have lost your seat: {self.person.lost}"
        return f"the match is over; {results(self.person.end or MatchEnd())}"


def results(end: MatchEnd) -> str:
    """Return the results of a match in a sentence."""
    placed = sorted(enumerate(end.results), key=lambda seat: seat[1].placement)
    return ", ".join(f"player {seat} is placed {result.placement} with {result.score:g}" for seat, result in placed)
