"""Seats outside of tournaments: one that answers from a script, and one for a bot that is already connected."""

from collections.abc import Callable

from ballcourt.arena.match.seats import Answer, Evidence, Seat, Session
from ballcourt.arena.match.spec import Clock
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchEnd, MatchStart, Observe, Termination


class ScriptedSeat(Seat):
    """A seat without a bot: `choose` answers or raises BotFault, and all messages to it are kept."""

    def __init__(self, choose: Callable[[Decide], Answer], *, observes: bool = False, work: int = 0) -> None:
        super().__init__(Clock())
        self.sent: list[ArenaMessage] = []
        self._choose = choose
        self._observes = observes
        self._work = work
        self._asked = 0

    @property
    def observes(self) -> bool:
        """Whether it gets pushes."""
        return self._observes

    @property
    def work(self) -> int:
        """Units of work per decision."""
        return self._work

    async def connect(self) -> Session:
        """Raise NotImplementedError: there is no bot."""
        raise NotImplementedError

    async def vacate(self, cause: Termination) -> Evidence:
        """Do nothing: there is no process to end."""
        return Evidence()

    async def start(self, start: MatchStart) -> None:
        """Keep the message."""
        start.clock.work = self.work
        self.sent.append(ArenaMessage(match_start=start))

    async def decide(self, question: ArenaMessage, meanwhile: Callable[[], None] | None = None) -> Answer:
        """Keep the question, with its number in this match as its id, and answer it."""
        self._asked += 1
        question.decide.decision_id = self._asked
        self.sent.append(question)
        return self._choose(question.decide)

    async def observe(self, push: Observe) -> int:
        """Keep the push."""
        self.sent.append(ArenaMessage(observe=push))
        return 0

    async def finish(self, end: MatchEnd) -> None:
        """Keep the message."""
        self.sent.append(ArenaMessage(match_end=end))


class SessionSeat(Seat):
    """A seat for a bot whose session is open; the caller closes it."""

    def __init__(self, session: Session, clock: Clock) -> None:
        super().__init__(clock)
        self._session = session

    async def connect(self) -> Session:
        """Return the open session."""
        return self.session

    async def vacate(self, cause: Termination) -> Evidence:
        """Do nothing: the process is the caller's."""
        return Evidence()

    async def put(self, message: ArenaMessage) -> Answer | None:
        """Send a message of a script as the referee would; return the answer if one is due. Raises BotFault."""
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
