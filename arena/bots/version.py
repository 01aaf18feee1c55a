"""What identifies a bot everywhere: its name, its version, and what its files hold."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, order=True)
class BotVersion:
    """A version of a bot. Other content under the same name and version is another one; `str` is "name version"."""

    name: str
    """The bot's name, or the label that a copy of the bot plays under; without spaces."""
    version: str
    content_hash: str = ""
    """SHA-256 of the bot's folder, and of the arguments that the organiser adds to its command, hexadecimal; of a
    remote bot, of its owner, name and version; empty: unknown."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @classmethod
    def parse(cls, text: str, content_hash: str = "") -> "BotVersion":
        """Return the version that `str` writes as this text. Raises ValueError."""
        name, space, version = text.partition(" ")
        if not (name and space and version):
            raise ValueError(f"{text!r} is not a bot's name and version, such as 'greedy 1.0.0'")
        return cls(name, version, content_hash)


NO_BOT: Final = BotVersion("", "")
"""What stands for a bot of which nothing is known."""
