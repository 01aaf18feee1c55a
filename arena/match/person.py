"""A seat for a person, or for a program that plays in the arena's process: it is asked, and answers when it likes.

    person = Person(game, "anna", changed)      # `changed` is called whenever there is something new to see
    seat = PersonSeat(person, clock)            # for the referee
    person.question.legal                       # what may be answered now; `person.question` is None while others play
    person.act(action)
    person.undo()                               # takes back an answer of the unfinished turn

All of it happens on the event loop of the match; a person in another thread calls `loop.call_soon_threadsafe`.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from time import monotonic

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import BotFault, describe_termination
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.arena.match.turn import Answered, Turn
from ballcourt.engine.core import Action, Game, IllegalAction, Observation, State, Stream, WrongInput
from ballcourt.engine.core.view.scene import Choice, Scene, Scenery, plain_choice
from ballcourt.engine.core.view.wording import Wording
from ballcourt.v1.protocol_pb2 import Action as Reply
from ballcourt.v1.protocol_pb2 import (
    ArenaMessage,
    BotIdentity,
    BotMessage,
    Capabilities,
    Decide,
    Event,
    Hello,
    MatchEnd,
    MatchStart,
    Ready,
    Termination,
)

UNHURRIED = Clock(bank_ms=10**9, cap_ms=10**9, match_start_ms=10**9)
"""A clock that lets a person take eleven days."""
LONGEST_TURN_S = 24 * 3600
"""The longest limit for the turn of a person."""
VERSION = "person"
"""The version of every person in records."""


SECRET = "something secret"


class NotAsked(WrongInput):
    """The person acted while others play or after the match, or asked for a hint that nothing gives."""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """What a person is asked now."""

    state: State
    """One of the positions that fit what the seat knows, with the answers of the unfinished turn. Its scene for this
    seat is that of the match; the rest of it is made up. It must not be changed."""
    legal: tuple[Action, ...]
    answers: tuple[Answered, ...]
    """The answers of the unfinished turn, which can be taken back."""
    deadline: float
    """When the turn must be over, by `time.monotonic`."""

    def left_s(self) -> int | None:
        """Return how many seconds are left for the turn, at least 0; None if there is no limit."""
        left_s = self.deadline - monotonic()
        return max(0, round(left_s)) if left_s <= LONGEST_TURN_S else None


@dataclass(frozen=True, slots=True)
class News:
    """What a player did, in the words of the game. `action` is 0 while it is secret."""

    seat: int
    action: Action
    label: str
    is_forced: bool
    """Whether the rules left the person no choice; False of what others did."""


class Person:
    """A person's side of a match, as the session of a seat."""

    def __init__(
        self, game: Game, name: str, changed: Callable[[], None] = lambda: None, wording: Wording | None = None
    ) -> None:
        """`changed` is called after every change of what is public here; an agent may have a wording of its own."""
        self.game = game
        self.wording = wording or Wording(game)
        self.name = name
        self.hello = Hello(
            protocol_min=1,
            protocol_max=1,
            bot=BotIdentity(name=name, version=VERSION),
            capabilities=Capabilities(observe=True),
        )
        self.asked = 0
        self.patient = False
        self.transcript = Transcript()
        self.start: MatchStart | None = None
        """What the arena sent at the start of the match; None before."""
        self.question: PendingQuestion | None = None
        """None while others play."""
        self.state: State | None = None
        """A position like `Question.state`, as last seen; None before the first one."""
        self.scenery: Scenery | None = None
        """The scenery of the match; None before the first position is seen."""
        self.news: list[News] = []
        """What was done so far, oldest first."""
        self.end: MatchEnd | None = None
        """The results; None until the match is over."""
        self.lost = ""
        """Why the person lost the seat; empty if it did not."""
        self._changed = changed
        self._replies: asyncio.Queue[BotMessage | BotFault] = asyncio.Queue()
        self._turn: Turn | None = None
        self._decision_id = 0
        self._deadline = 0.0
        self._plan: deque[Answered] = deque()  # answers that the arena has not asked for yet
        self._before: State | None = None  # fits what the arena showed last: the news to come begin there

    # -- for the code that shows the match to the person

    @property
    def seat(self) -> int:
        """The seat of the person. Raises NotAsked before the match has started."""
        if self.start is None:
            raise NotAsked(f"the match of {self.name} has not started")
        return self.start.seat

    @property
    def is_over(self) -> bool:
        """Whether nothing will be asked any more."""
        return self.end is not None or bool(self.lost)

    def scene(self) -> Scene | None:
        """Return what the seat sees now, with the answers of the unfinished turn; None before the first position."""
        return self.game.scene(self.state, self.seat) if self.state else None

    def choices(self) -> list[Choice]:
        """Describe the legal actions in words; none while others play."""
        question = self.question
        return [self.game.choice(question.state, self.seat, action) for action in question.legal] if question else []

    def act(self, action: Action) -> None:
        """Answer the question. Raises NotAsked and IllegalAction, whose sentence is in the wording."""
        turn, question = self._turn, self._asked()
        assert turn is not None  # there is one with every question
        if action not in question.legal:
            allowed = self.wording.legal(question.state, self.seat, question.legal)
            number = self.wording.shown(action)
            raise IllegalAction(f"action {number} is not legal now; the legal actions are\n{allowed}")
        turn.take(action)
        if turn.is_over:
            self._plan.extend(turn.answers)
            self._turn = self.question = None
            self._answer_as_planned()
        else:
            self._show(turn)
        self._changed()

    def undo(self) -> None:
        """Take back the last answer of the unfinished turn. Raises NotAsked and NothingToUndo."""
        turn = self._turn
        self._asked()
        assert turn is not None
        turn.undo()
        self._show(turn)
        self._changed()

    def leave(self) -> None:
        """Give up the seat: the arena plays it on as it does for a bot that crashed."""
        self._replies.put_nowait(BotFault(Termination.TERMINATION_CRASH, f"{self.name} left the match"))

    def _asked(self) -> PendingQuestion:
        if self.question is None:
            raise NotAsked(f"{self.name} is not asked: " + ("the match is over" if self.is_over else "others play"))
        return self.question

    # -- for the seat

    async def send(self, message: ArenaMessage) -> None:
        """Take a message of the arena."""
        self.transcript.sent(message.SerializeToString())
        match message.WhichOneof("message"):
            case "match_start":
                self.start = message.match_start
                self._chance = Stream(message.match_start.bot_seed)
                self._replies.put_nowait(BotMessage(ready=Ready(match_id=self.start.match_id)))
            case "decide":
                self._ask(message.decide)
            case "observe":
                self._add_news(message.observe.events)
                self._see(self.game.wire().decode(message.observe.observation))
            case "match_end":
                self._part()
                self._add_news(message.match_end.events)
                self._see(self.game.wire().decode(message.match_end.observation))
                self.end = message.match_end
        self._changed()

    begin = send

    async def receive(self) -> BotMessage:
        """Wait for the next answer. Raises BotFault if the person left."""
        reply = await self._replies.get()
        if isinstance(reply, BotFault):
            raise reply
        self.transcript.received(reply.SerializeToString())
        return reply

    def lose(self, why: str) -> None:
        """Note that the person lost the seat."""
        self._part()
        self.lost = why
        self._changed()

    def _part(self) -> None:
        self._turn = self.question = None
        self._plan.clear()

    def _ask(self, decide: Decide) -> None:
        """Answer as planned if the position is as expected; otherwise begin a turn."""
        self._decision_id = decide.decision_id
        self._add_news(decide.events)
        observation = self.game.wire().decode(decide.observation)
        if self._plan and self._plan[0].known == (observation.public, observation.private) and not decide.rejected:
            self._see(observation)
            self._answer_as_planned()
            return
        self._plan.clear()
        self._deadline = monotonic() + decide.limit_ms / 1000
        self._turn = Turn(self.game, observation, self._chance)
        self._before = self._turn.state
        self._show(self._turn)

    def _answer_as_planned(self) -> None:
        action = self._plan.popleft().action
        self._replies.put_nowait(BotMessage(action=Reply(decision_id=self._decision_id, action=action)))

    def _see(self, observation: Observation) -> None:
        self._before = self.game.sample(observation, self._chance)
        self._look(self._before)

    def _show(self, turn: Turn) -> None:
        self._look(turn.state)
        legal = tuple(turn.state.legal_actions(turn.seat))
        self.question = PendingQuestion(turn.state, legal, turn.answers, self._deadline)

    def _look(self, state: State) -> None:
        self.state = state
        self.scenery = self.scenery or self.game.scenery(state)

    def _add_news(self, events: Iterable[Event]) -> None:
        """Note what was done since the arena last showed the position, in words where the position then fits."""
        state = self._before
        for event in events:
            seat, action = event.seat, event.action
            legal = state.legal_actions(seat) if state is not None and seat in state.pending_seats() else []
            fits = action in legal
            label = self._label(state if fits else None, seat, action)
            self.news.append(News(seat, action, label, is_forced=fits and seat == self.seat and len(legal) == 1))
            if state and fits:
                state = state.clone()
                state.apply(seat, action)

    def _label(self, state: State | None, seat: int, action: Action) -> str:
        if state:
            return self.game.choice(state, seat, action)["label"]
        return plain_choice(action, self.game.action_names[action])["label"] if action else SECRET


class PersonSeat(Seat):
    """The seat of a person. It is never stopped: people see what others do while they think."""

    def __init__(self, person: Person, clock: Clock = UNHURRIED) -> None:
        super().__init__(clock)
        self.person = person

    async def connect(self) -> Person:
        """Return the person, who is there."""
        return self.person

    async def vacate(self, cause: Termination) -> Evidence:
        """Report to the person that the seat is lost, and why."""
        self.person.lose(describe_termination(cause))
        return Evidence()

    def freeze(self) -> None:
        """Do nothing."""


def clock_of_person(turn_s: int | None) -> Clock:
    """Return the clock of a person who has this many seconds for a turn, or no limit. Raises WrongInput."""
    if turn_s is not None and not 1 <= turn_s <= LONGEST_TURN_S:
        raise WrongInput(f"the time for a turn is {turn_s} s; it must be from 1 to {LONGEST_TURN_S}")
    return UNHURRIED if turn_s is None else replace(UNHURRIED, cap_ms=1000 * turn_s)


def person_entrant(name: str, own_name: str = "") -> Entrant:
    """Return a person as an entrant; `own_name` is what the person was called at the command line, if not by it."""
    return Entrant(BotVersion(name, VERSION), own_name=own_name)
