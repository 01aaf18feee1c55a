"""What happened: one thing of it, and the order in which it is shown."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

MOST: Final = 100
"""How much is shown: what is older is left out."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened."""

    when: str
    """In UTC, such as "2026-11-22T18:30:05Z"."""
    text: str
    link: tuple[str, ...] = ()
    """The parts of the address of its page, if it has one."""
    name: str = ""
    """What makes it the same thing whenever it is shown; by default its time and its text."""

    @property
    def id(self) -> str:
        """The name by which programs know it; the same whenever it is shown."""
        words = self.name or f"{self.when}\0{self.text}"
        return sha256(words.encode(errors="surrogatepass")).hexdigest()[:32]


def newest(*parts: Iterable[Happening]) -> list[Happening]:
    """Return what happened, the newest first, at most `MOST` of it."""
    found = (one for part in parts for one in part)
    return sorted(found, key=lambda one: one.when, reverse=True)[:MOST]
