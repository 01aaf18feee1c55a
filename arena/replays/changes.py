"""What changed between two JSON values, as a short list of operations."""

from collections.abc import Iterator
from typing import Any

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
