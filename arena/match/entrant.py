"""Who takes part in a match, by what its record says."""

from dataclasses import dataclass
from typing import Final

LADDER_ITSELF: Final = "ladder"
"""The owner of a ladder's residents, which are the anchors of its ratings, and the author of what follows from its
rules."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot version in a match or tournament."""

    name: str
    """The bot's name, or the label that a copy of the bot plays under."""
    version: str
    content_hash: str = ""
    """SHA-256 of the bot's folder, and of the arguments that the organiser adds to its command, hexadecimal; of a
    remote bot, of its owner, name and version; empty: unknown."""
    author: str = ""
    remote: bool = False
    """Whether the bot dials in from another machine instead of being started on this one."""
    bot: str = ""
    """The bot's own name where `name` is a label, else empty."""
    owner: str = ""
    """Who entered it, as the organiser says; empty if not given."""

    @property
    def identity(self) -> str:
        """Its name and version, with a space between: no two entrants of a tournament share both."""
        return f"{self.name} {self.version}"

    @property
    def listed(self) -> tuple[str, str]:
        """Its identity and content hash, as manifests list it."""
        return self.identity, self.content_hash
