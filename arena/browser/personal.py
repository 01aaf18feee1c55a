"""A match as the person in one seat sees it in a browser: the replay document of the seat, which grows."""

import secrets
from collections.abc import Callable, Iterator
from typing import TypedDict

from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.person import NotAsked, Person
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.replays.document import Document, Step, document, public_step, unfinished_document
from ballcourt.arena.replays.operations import changes
from ballcourt.engine.core.view.scene import Choice, Explanation, Scene
from ballcourt.v1.record_pb2 import MatchRecord


class Offer(Choice, Explanation):
    """An action that may be chosen, and what it does."""


class Asked(TypedDict):
    """What a person may answer now; `left_s` is None without a clock, and `lost` says why the seat was lost.

    `adviser` is the name of the bot that gives hints, empty without one; `again` is whether another match may follow.
    """

    number: int
    choices: list[Offer]
    adviser: str
    undo: bool
    left_s: int | None
    lost: str
    results: list[str]
    again: bool


class PersonalView:
    """What a person was shown so far: a document, its steps, and what is asked now.

    The answers of an unfinished turn are steps too, until they are taken back or the arena confirms them.
    """

    def __init__(
        self,
        spec: MatchSpec,
        person: Person,
        begun: MatchRecord,
        before_question: Callable[[], None],
        adviser: Adviser | None = None,
    ) -> None:
        """`begun` is the record of the match before anyone is asked, which has decisions if the match is continued.

        `before_question` is called when the person is asked; it may keep the match for later. `adviser` gives hints.
        """
        self.person = person
        self.adviser = adviser
        self.edition = secrets.token_hex(4)
        """Changes when steps that were shown no longer hold."""
        self.number = 0
        """Counts what has changed."""
        self.document: Document | None = None
        self.steps: list[Step] = []
        self.record: MatchRecord | None = None
        """The match; None before its end."""
        self.results: list[str] = []
        """Sentences to show after the match; none before its end."""
        self.may_follow = False
        self.spec = spec
        self._begun = begun
        self._before_question = before_question
        self._confirmed = 0  # how many of the steps the arena has confirmed
        self._heard = 0  # how much of the person's news they contain
        self._scene: Scene | None = None
        self._confirmed_scene: Scene | None = None
        self._answering: Choice | None = None
        self._asked = False

    # -- what the person does

    def answer(self, number: int, action: int | None) -> None:
        """Answer a question with an action, or take back the last answer; `number` is that of the question.

        Raises NotAsked, IllegalAction and NothingToUndo.
        """
        self._check(number)
        self.undo() if action is None else self.act(action)

    def _check(self, number: int) -> None:
        if number != self.number:
            raise NotAsked("the question has changed; look again")

    def act(self, action: int) -> None:
        """Answer the question. Raises NotAsked and IllegalAction."""
        self._answering = next((one for one in self.person.choices() if one["action"] == action), None)
        try:
            self.person.act(action)
        finally:
            self._answering = None

    def undo(self) -> None:
        """Take back the last answer. Raises NotAsked and NothingToUndo."""
        self.person.undo()
        self.steps.pop()
        self._scene = self.person.scene()
        self.edition = secrets.token_hex(4)

    async def hint(self, number: int) -> dict[str, str]:
        """Return what the adviser would answer to a question, in words, and its thoughts.

        The label is empty if that is not legal. Raises NotAsked, BotFault and ArenaError.
        """
        self._check(number)
        question, start = self.person.question, self.person.start
        if self.adviser is None or question is None or start is None:
            raise NotAsked("there is nothing to give a hint about, or no bot that gives hints; see --hints BOT")
        answer = await self.adviser.advise(start, question)
        legal = answer.action in question.legal
        game, seat = self.person.game, self.person.seat
        label = game.choice(question.state, seat, answer.action)["label"] if legal else ""
        return {"label": label, "thoughts": answer.thoughts}

    # -- what the arena does

    def changed(self) -> None:
        """Read what is new. The person calls it."""
        self.number += 1
        scene = self.person.scene()
        if scene is None or self.person.state is None:
            return
        if self.document is None:
            self._begin()
        if len(self.person.news) > self._heard:
            self._confirm(scene)
        elif self._answering:
            self.steps.append(self._step(self._answering, scene))
        if self.person.question and not self._asked:
            self._before_question()
        self._asked = self.person.question is not None

    def _begin(self) -> None:
        """Show the opening, and what was decided before the match was continued."""
        self.document, scene = unfinished_document(self._begun, self.person.seat, "now")
        self.steps = self.document["steps"]
        self._scene = self._confirmed_scene = scene
        self._confirmed = self._heard = len(self.steps)

    def _confirm(self, scene: Scene) -> None:
        """Replace the answers that are not confirmed by what the arena reports."""
        if len(self.steps) > self._confirmed:
            del self.steps[self._confirmed :]
            self.edition = secrets.token_hex(4)
        news = self.person.news[self._heard :]
        self._heard = len(self.person.news)
        assert self._confirmed_scene is not None
        for one in news:
            ops = changes(self._confirmed_scene, scene) if one is news[-1] else []
            choice: Choice = {"action": one.action, "label": one.label, "places": []}
            self.steps.append(public_step(one.seat, choice, ops, "rules" if one.is_forced else None))
        self._confirmed, self._confirmed_scene = len(self.steps), scene
        self._scene = scene

    def _step(self, choice: Choice, scene: Scene) -> Step:
        before, self._scene = self._scene, scene
        return public_step(self.person.seat, choice, changes(before, scene))

    def end(self, record: MatchRecord, results: list[str], *, may_follow: bool = False) -> None:
        """Show the match as it was recorded, with what only its end tells, and some sentences."""
        self.may_follow = may_follow
        self.record = record
        self.document = document(record, self.person.seat)
        self.steps = self.document["steps"]
        self.edition = secrets.token_hex(4)
        self.results = results

    # -- for the browser

    def question(self) -> Asked:
        """Return what the person may answer now; no choices while others play."""
        question = self.person.question
        return {
            "number": self.number,
            "choices": [self._offer(choice) for choice in self.person.choices()],
            "adviser": self.adviser.name if self.adviser else "",
            "undo": bool(question and question.answers),
            "left_s": question.left_s() if question else None,
            "lost": self.person.lost,
            "results": self.results,
            "again": self.may_follow,
        }

    def _offer(self, choice: Choice) -> Offer:
        question = self.person.question
        assert question is not None, "there are no choices without a question"
        return {**choice, **self.person.game.explain(question.state, self.person.seat, choice["action"])}


class Feed:
    """What a page is sent of what a person sees: the whole match first, then what is new."""

    def __init__(self, view: PersonalView) -> None:
        self._view = view
        self._sent = ("", 0, -1)

    def events(self) -> Iterator[tuple[str, object]]:
        """Yield the names and data of the events that the page has not been sent."""
        view = self._view
        now = view.edition, len(view.steps), view.number
        if view.document is None or now == self._sent:
            return
        (edition, sent, _), self._sent = self._sent, now
        steps, question = view.steps[:], view.question()  # more may come while an event is sent
        if edition != view.edition:
            yield "match", {**view.document, "steps": steps}
        elif sent < len(steps):
            yield "steps", steps[sent:]
        yield "question", question
