"""A match as one observer sees it, decision by decision: what replays and live views are made of."""

from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.replays.changes import Operation, changes
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.view.scene import Choice, Observer, plain_choice


class View:
    """Turns the positions of a match into scenes and changes. It keeps the last scene and no position."""

    def __init__(self, game: Game, opening: State, observer: Observer) -> None:
        self.game = game
        self.observer = observer
        self.scene = game.scene(opening, observer)

    def step(self, before: State, seat: int, action: int, after: State) -> tuple[Choice, list[Operation]]:
        """Return a decision as the observer saw it, and what it changed since the last scene."""
        seen = action if self.observer is None else after.seen_action(seat, action, self.observer)
        choice = self.game.choice(before, seat, action) if seen == action else self._other(seen)
        earlier, self.scene = self.scene, self.game.scene(after, self.observer)
        return choice, changes(earlier, self.scene)

    def _other(self, seen: int) -> Choice:
        """Describe an action that the observer saw as another one, or not at all."""
        if not seen:
            return {"action": 0, "label": HIDDEN, "places": []}
        return plain_choice(seen, self.game.action_names[seen])
