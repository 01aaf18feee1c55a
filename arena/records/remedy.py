"""What the arena can do about a fault of a bot, in the words of records and tournament files."""

from enum import StrEnum


class Remedy(StrEnum):
    """What is done about one fault."""

    RETRY = "retry"
    """The bot is asked, or started, again."""
    SUBSTITUTE = "substitute"
    """The arena plays the lowest legal action in this one decision."""
    ACCEPT = "accept"
    """The action counts, although the bot says that it is a fallback."""
    FORFEIT = "forfeit"
    """The bot loses its seat."""
