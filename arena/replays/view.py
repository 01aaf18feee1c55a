"""A match as one observer sees it, decision by decision: what replays and live views are made of."""

from collections.abc import Callable

from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.replays.operations import Operation, changes
from ballcourt.arena.replays.sheets import asked, first_sheets, sheets_after
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.view.scene import Choice, Observer, Scene, plain_choice


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

    def step(self, before: State, seat: int, action: int, after: State) -> tuple[Choice, list[Operation]]:
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
