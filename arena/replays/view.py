"""A match as one observer sees it, decision by decision: what replays and live views are made of."""

from collections.abc import Callable, Iterator
from itertools import islice

from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.operations import Operation, changes
from ballcourt.arena.replays.sheets import asked, first_sheets, sheets_after
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.view.scene import Choice, Observer, Scene, plain_choice
from ballcourt.v1.record_pb2 import MatchRecord

Seen = tuple[Choice, list[Operation]]
"""A decision as an observer saw it, and what it changed."""


class View:
    """Turns the positions of a match into scenes and changes. It keeps the last scene and no position.

    Its scenes have `sources`, by the ledger of the positions if they keep one.
    """

    def __init__(self, game: Game, opening: State, observer: Observer) -> None:
        self.game = game
        self.observer = observer
        self.scene = game.scene(opening, observer)
        self._sheets = first_sheets(self.scene)
        self.scene["sources"] = self._sheets
        self._accounted = len(opening.ledger or [])

    def step(self, before: State, seat: int, action: int, after: State) -> Seen:
        """Return a decision as the observer saw it, and what it changed since the last scene."""
        seen = action if self.observer is None else after.seen_action(seat, action, self.observer)
        choice = self.game.choice(before, seat, action) if seen == action else self._other(seen)
        earlier, self.scene = self.scene, self.game.scene(after, self.observer)
        self._account(lambda: earlier, seat, after, self.scene)
        self.scene["sources"] = self._sheets
        return choice, changes(earlier, self.scene)

    def pass_over(self, before: State, seat: int, after: State) -> None:
        """Account for a decision without looking at it; until `look`, the scene is an older one."""
        if after.ledger is None or len(after.ledger) > self._accounted or after.scores() != before.scores():
            scene = self.game.scene(after, self.observer)
            self._account(lambda: self.game.scene(before, self.observer), seat, after, scene)

    def look(self, state: State) -> Scene:
        """Return the scene of a position to which decisions were passed over."""
        self.scene = self.game.scene(state, self.observer)
        self.scene["sources"] = self._sheets
        return self.scene

    def _account(self, earlier: Callable[[], Scene], seat: int, after: State, scene: Scene) -> None:
        """Add to the sheets what a decision gave; `earlier` draws the scene before it if its question is needed."""
        ledger = after.ledger or []
        gains, self._accounted = ledger[self._accounted :], len(ledger)
        self._sheets = sheets_after(self._sheets, lambda: asked(earlier()["question"]), seat, gains, scene)

    def _other(self, seen: int) -> Choice:
        """Describe an action that the observer saw as another one, or not at all."""
        if not seen:
            return {"action": 0, "label": HIDDEN, "places": []}
        return plain_choice(seen, self.game.action_names[seen])


def scene_at(record: MatchRecord, number: int, observer: Observer = None) -> Scene:
    """Return the scene before decision `number`, or the final one for the number after the last.

    Raises RecordError for a number out of range, or when the record cannot be executed here.
    """
    game, state = opening(record)
    last = len(record.decisions.seats)
    if not 0 <= number <= last:
        raise RecordError(f"match {record.key} has positions 0 to {last}; {number} is not one of them")
    view = View(game, state, observer)
    for before, seat, _, state in islice(_executed(record), number):
        view.pass_over(before, seat, state)
    return view.look(state)


def executed(record: MatchRecord, view: View) -> Iterator[Seen]:
    """Execute a record and yield its decisions as the observer of a view of its opening saw them.

    Raises RecordError if the record cannot be executed here.
    """
    for decision in _executed(record):
        yield view.step(*decision)


def _executed(record: MatchRecord) -> Iterator[tuple[State, int, int, State]]:
    """Execute a record and yield its decisions: the position before, the seat, the action and the position after."""
    following = positions(record)
    state = next(following)
    for seat, action in zip(record.decisions.seats, record.decisions.actions, strict=True):
        before = state.clone()
        next(following)  # refuses an illegal action before anything is asked about it
        yield before, seat, action, state
