"""Entrants as people name them: a bot's name or folder, or LABEL=BOT for a copy of a bot under another name."""

import hashlib
import json
import os
from dataclasses import dataclass
from typing import Final

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.naming import name_objection
from ballcourt.arena.printable import cut

REMOTE = "remote:"
"""Prefix of the names of remote bots, where local bots are named too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant, and the bot on this machine that plays for it; None if the bot is remote."""

    entrant: Entrant
    bot: Bot | None = None


def resolve_entry(written: str) -> Entry:
    """Return the entrant that a person means, and its bot. Raises BotError."""
    label, name = split_label(written)
    if name.startswith(REMOTE):
        raise BotError(
            f"{written} gives a label to a remote bot, which plays under the name in its token; drop '{label}='"
            if label
            else f"{written} dials in from elsewhere, so only `ballcourt host` can play with it"
        )
    bot = resolve_bot(name)
    return Entry(bot.entrant.labelled(label) if label else bot.entrant, bot)


UNKNOWN: Final = "absent"
"""The version of a remote bot that has not dialled in."""


def remote_entry(name: str, version: str, owner: str) -> Entry:
    """Return the entry of a bot that dials in; all that is known of its program is what its owner says."""
    identity = json.dumps(["remote", owner, name, version]).encode()
    bot = BotVersion(name, version, hashlib.sha256(identity).hexdigest())
    return Entry(Entrant(bot, owner, remote=True, owner=owner))


def split_label(written: str) -> tuple[str, str]:
    """Split LABEL=BOT into label and bot; return an empty label where there is none.

    There is none in a path with a slash before its first equals sign. Raises BotError if the label cannot name an
    entrant, or if the label or the bot is empty.
    """
    label, equals, name = written.partition("=")
    if not equals or os.sep in label:
        return "", written
    if not label or not name:
        raise BotError(f"'{written}' is not LABEL=BOT; give both, such as twin=greedy")
    if objection := name_objection(label):
        raise BotError(f"the label '{cut(label)}' cannot name an entrant; {objection}")
    return label, name
