"""Who takes part in a match, by what its record says."""

from dataclasses import dataclass, replace
from typing import Final

from ballcourt.arena.bots.version import BotVersion

LADDER_ITSELF: Final = "ladder"
"""The owner of a ladder's residents, which are the anchors of its ratings, and the author of what follows from its
rules."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot version in a match or tournament; no two entrants of a tournament share name and version."""

    bot: BotVersion
    author: str = ""
    remote: bool = False
    """Whether the bot dials in from another machine instead of being started on this one."""
    own_name: str = ""
    """The bot's own name where it plays under a label, else empty."""
    owner: str = ""
    """Who entered it, as the organiser says; empty if not given."""

    def labelled(self, label: str) -> "Entrant":
        """Return the entrant under another name than the bot's own."""
        return replace(self, bot=replace(self.bot, name=label), own_name=self.own_name or self.bot.name)
