"""A match in which one or several seats are language models, and the others bots of the arena.

    table = ModelTable("maya", ["model", "greedy"], seed=7)
    while (seat := await table.asked()) is not None:
        system, user = await table.question(seat)
        objection = table.answer(seat, the_reply_of_your_model(system, user))
    table.record, table.rewards()

What a model reads, and how its reply is understood, is as for the bot `llm`: the rules, then the position with the
numbered legal actions; the last line names an action. Bots play in processes of their own. The record can be verified.
`verifiers_table.py` and `openenv_table.py` make environments of it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal

from ballcourt.arena.agents.seat import AgentSeat
from ballcourt.arena.match.person import Person
from ballcourt.arena.terminal.matches import match_of, seats_of_people
from ballcourt.arena.terminal.saved import Setup
from ballcourt.arena.workers.local_match import LocalMatch, open_pool, seats_here
from ballcourt.bots.llm.answers import HOW_TO_ANSWER, action_in, objection, planned_in, spoken, words
from ballcourt.engine.core import WrongInput
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

MODEL = "model"
"""What a model is called among the bots; LABEL=model gives it a name."""
ATTEMPTS = 3
"""How many replies a question takes; then the lowest legal action is played."""
Reward = Literal["places", "points"]


class ModelTable:
    """The seats of the models at one table."""

    def __init__(
        self,
        game: str,
        bots: Sequence[str],
        seed: int | None = None,
        options: Mapping[str, str] | None = None,
        disguise: int | None = None,
    ) -> None:
        """Begin a match on the running event loop; the seed of a disguise gives the models other names and numbers.

        Raises WrongInput.
        """
        given = {} if seed is None else {"seed": seed}
        match = match_of(Setup(game=game, bots=(*bots,), options={**(options or {})}, said=given), MODEL)
        places = seats_of_people(bots, MODEL)
        if not places:
            raise WrongInput(f"no seat of {', '.join(bots)} is a model; name one or several of them {MODEL}")
        rules = find_game(game)
        names = [entrant.bot.name for entrant in match.spec.entrants]
        self._wording = Wording(rules, disguise)
        self._changed = asyncio.Event()
        self._people = {place: Person(rules, names[place], self._wake, self._wording) for place in places}
        self._seats: dict[int, AgentSeat] = {}
        self._rejected = dict.fromkeys(places, 0)
        self.fallbacks = dict.fromkeys(places, 0)
        """How often a seat gave no legal action, by seat."""
        self.record: MatchRecord | None = None
        """The record, once the match is over."""

        async def play() -> MatchRecord:
            async with open_pool() as pool:
                return await LocalMatch(match, seats_here(match, pool, self._people)).play()

        self._playing = asyncio.create_task(play())
        self._playing.add_done_callback(lambda _: self._wake())
        for place, person in self._people.items():
            self._seats[place] = AgentSeat(person, self._playing)

    def _wake(self) -> None:
        self._changed.set()
        for seat in self._seats.values():
            seat.changed()

    async def asked(self) -> int | None:
        """Wait for a question; return the seat that it is for, None after the match. Raises ArenaError."""
        while not self._playing.done():
            for place, person in self._people.items():
                if person.question:
                    return place
            self._changed.clear()
            await self._changed.wait()
        self.record = self._playing.result()
        return None

    async def question(self, seat: int) -> tuple[str, str]:
        """Return what the model of a seat that is asked reads: the rules, which stay the same, and the question."""
        agent = self._seats[seat]
        rules, news, actions = await agent.rules(), await agent.observe(), await agent.legal()
        return f"{rules}\n\n{HOW_TO_ANSWER}", f"{news}\n{actions}"

    def answer(self, seat: int, reply: str) -> str:
        """Play what a reply names, and what it plans for the turn; return what is wrong with it, empty if played.

        The last of `ATTEMPTS` is replaced by the lowest legal action.
        """
        person = self._people[seat]
        if person.question is None:
            raise WrongInput(f"seat {seat} is not asked")
        text, choices = spoken(reply), self._choices(seat)
        number = action_in(text, choices)
        if number not in choices:
            self._rejected[seat] += 1
            if self._rejected[seat] < ATTEMPTS:
                return f"{objection(number)}. {HOW_TO_ANSWER}"
            self.fallbacks[seat] += 1
            text, number = "", self._wording.shown(person.question.legal[0])
        self._rejected[seat] = 0
        person.act(self._wording.meant(number))
        for planned in planned_in(text):
            meant = [each for each, label in self._choices(seat).items() if words(label) == words(planned)]
            if len(meant) != 1:
                break
            person.act(self._wording.meant(meant[0]))
        return ""

    def _choices(self, seat: int) -> dict[int, str]:
        """Return the legal actions of a seat in words, by the numbers that its model knows; none while others play."""
        asked = self._people[seat].question
        return self._wording.choices(asked.state, seat, asked.legal) if asked else {}

    def rewards(self, by: Reward = "places") -> dict[int, float]:
        """Return the reward of each model: the share of the others placed below, a tie counting half, or its points."""
        assert self.record, "the match is not over"
        if by == "points":
            return {seat: self.record.results[seat].score for seat in self._people}
        placed = [result.placement for result in self.record.results]
        others = max(1, len(placed) - 1)
        return {
            seat: (sum((placed[seat] < one) + (placed[seat] == one) / 2 for one in placed) - 0.5) / others
            for seat in self._people
        }

    async def leave(self) -> None:
        """Give up the seats of the models, and wait for the end of the match and of the bots."""
        if not self._playing.done():
            for person in self._people.values():
                person.leave()
        self.record = await self._playing
