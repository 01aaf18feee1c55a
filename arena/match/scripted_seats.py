"""Seats for what is no tournament: one that answers from a script, and one for a bot that is there already."""

from collections.abc import Callable

from ballcourt.arena.match.seats import Answer, Evidence, Seat, Session
from ballcourt.arena.match.spec import Clock
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchEnd, MatchStart, Observe, Termination


class ScriptedSeat(Seat):
    """A seat without a bot: `choose` answers at once, or raises BotFault, and all that is sent to it is kept."""

    def __init__(self, choose: Callable[[Decide], Answer], *, observes: bool = False, work: int = 0) -> None:
        super().__init__(Clock())
        self.sent: list[ArenaMessage] = []
        self._choose = choose
        self._observes = observes
        self._work = work
        self._asked = 0

    @property
    def observes(self) -> bool:
        """As it was told to."""
        return self._observes

    @property
    def work(self) -> int:
        """As it was told."""
        return self._work

    async def connect(self) -> Session:
        """Never called: there is nobody to reach."""
        raise NotImplementedError

    async def vacate(self, cause: Termination) -> Evidence:
        """There is nothing to end."""
        return Evidence()

    async def start(self, start: MatchStart) -> None:
        """Keep the message."""
        start.clock.work = self.work
        self.sent.append(ArenaMessage(match_start=start))

    async def decide(self, question: ArenaMessage) -> Answer:
        """Keep the question, numbered as on a stream of this match alone, and answer it."""
        self._asked += 1
        question.decide.decision_id = self._asked
        self.sent.append(question)
        return self._choose(question.decide)

    async def observe(self, push: Observe) -> None:
        """Keep the push."""
        self.sent.append(ArenaMessage(observe=push))

    async def finish(self, end: MatchEnd) -> None:
        """Keep the message."""
        self.sent.append(ArenaMessage(match_end=end))


class SessionSeat(Seat):
    """A seat for a bot whose session is open; whoever opened it ends it."""

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(clock)
        self._session = session

    async def connect(self) -> Session:
        """The bot is there."""
        return self.session

    async def vacate(self, cause: Termination) -> Evidence:
        """Leave the process alone."""
        return Evidence()

    async def put(self, message: ArenaMessage) -> Answer | None:
        """Send a message of a script, as the referee would; return the answer where one is due. Raises BotFault."""
        match message.WhichOneof("message"):
            case "match_start":
                await self.start(message.match_start)
            case "decide":
                return await self.decide(message)
            case "observe":
                await self.observe(message.observe)
            case "match_end":
                await self.finish(message.match_end)
        return None
