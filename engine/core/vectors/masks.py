"""Writes which actions are legal. Compiled by Cython, with masks.pxd."""

from ballcourt.engine.core.vectors import bulk


class Masks:
    """Which actions are legal in each of some matches: a byte for each action."""

    view: "memoryview[int]"
    size: int

    def __init__(self, buffer: memoryview, size: int) -> None:
        """Write into a buffer, `size` bytes for each match."""
        self.view = buffer
        self.size = size

    def write(self, first: int, legal: list[list[int]]) -> None:
        """Write the legal actions of some matches, the first of which has the number `first`."""
        bulk.clear(self.view, first * self.size, len(legal) * self.size)
        for index in range(len(legal)):
            base = (first + index) * self.size
            for action in legal[index]:
                self.view[base + action] = 1

    def first_illegal(self, actions: list[int]) -> int:
        """Return the first match in which an action is not legal; the number of actions if all are."""
        for index in range(len(actions)):
            action = actions[index]
            if action < 0 or action >= self.size or not self.view[index * self.size + action]:
                return index
        return len(actions)
