"""The names that a newcomer may have: those that nobody in the ladder has, or could be mistaken for."""

from collections.abc import Mapping
from typing import Final

from ballcourt.arena.ladder.roster import RESIDENT

RESERVED: Final = frozenset(("human", "remote", "none", "ladder", "organiser"))
"""Words that mean something else where commands and pages have the name of a bot or of an owner."""
_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "_": "-", ".": "-"})


def look_of(name: str) -> str:
    """Return what is the same for names that are easily mistaken for each other: `Bob_1` and `b0b-l`."""
    return name.casefold().translate(_ALIKE)


def name_refusal(name: str, place: str, homes: Mapping[str, str]) -> str:
    """Return why a bot from this folder may not have this name; empty if it may.

    `homes` has the names of those who have joined, and their folders. They keep their names, whatever these are.
    """
    if name in homes:
        if homes[name] == place:
            return ""
        owner = "a resident" if homes[name] == RESIDENT else f"the folder {homes[name]}, from which it came first"
        return f"the name {name} belongs to {owner}; choose another name"
    look = look_of(name)
    if look in map(look_of, RESERVED):
        return f"the name {name} looks like one of the words {', '.join(sorted(RESERVED))}; choose another name"
    if alike := next((other for other in homes if look_of(other) == look), ""):
        return (
            f"the name {name} looks like {alike}, which is another bot; choose a name that differs from it by more "
            "than case, 0 and O, 1, l and I, or dots, hyphens and underscores"
        )
    return ""
