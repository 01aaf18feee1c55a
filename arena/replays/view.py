"""A match as one observer sees it, decision by decision: what replays and live views are made of."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from ballcourt.arena.records.readable import HIDDEN
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.view.scene import Choice, Observer, plain_choice

Operation = list[Any]
"""[path, value] sets what is at a path, [path] removes it; a path is a list of names and indices."""


def changes(before: object, after: object) -> list[Operation]:
    """Return the operations that turn one value into another, in the order in which they must be carried out.

    Lists shrink and grow at their end, which is where piles and logs do.
    """
    return list(_changes([], before, after))


def _changes(path: list[str | int], before: object, after: object) -> Iterator[Operation]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from ([[*path, name]] for name in before if name not in after)
        for name, value in after.items():
            if name in before:
                yield from _changes([*path, name], before[name], value)
            else:
                yield [[*path, name], value]
    elif isinstance(before, list) and isinstance(after, list):
        yield from ([[*path, index]] for index in reversed(range(len(after), len(before))))
        for index, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from _changes([*path, index], old, new)
        yield from ([[*path, index], after[index]] for index in range(len(before), len(after)))
    else:
        yield [path, after]


def carried_out(value: object, operations: Iterable[Operation]) -> Any:  # noqa: ANN401 (JSON values)
    """Return a value after operations, which leave the given one as it is.

    Raises LookupError, TypeError or ValueError if they name what is not there.
    """
    holder = [deepcopy(value)]
    carry_out(holder, ([[0, *path], *deepcopy(new)] for path, *new in operations))
    return holder[0]


def carry_out(value: Any, operations: Iterable[Operation]) -> None:  # noqa: ANN401
    """Carry out operations in a value, with the parts that they bring.

    Raises LookupError, TypeError or ValueError if they name what is not there.
    """
    for (*path, last), *new in operations:
        where = value
        for name in path:
            where = where[name]
        if not new:
            del where[last]
        elif isinstance(where, list) and last == len(where):
            where.append(new[0])
        else:
            where[last] = new[0]


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
