"""Entrants as a tournament file names them: strings in `bots`, or `[[bot]]` tables that say more."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, cast

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.entries import REMOTE, Entry
from ballcourt.arena.bots.parameters import objection

TABLE: Final = "bot"
KEYS: Final = ("path", "label", "args", "clock", "owner", "hash")


@dataclass(frozen=True, slots=True)
class BotTable:
    """An entrant as the organiser asked for it."""

    path: str
    """A bot's name or folder, or "remote:NAME"; without a label, also LABEL=BOT."""
    label: str = ""
    args: tuple[str, ...] = ()
    """Words that are added to the bot's command; NAME=VALUE sets a parameter that its bot.toml declares."""
    clock: Mapping[str, int | str] = field(default_factory=dict)
    """What differs from the clock of the tournament."""
    owner: str = ""
    hash: str = ""
    """The content hash that it must have; empty: any."""

    @property
    def written(self) -> str:
        """The bot as a string in `bots` would name it."""
        return f"{self.label}={self.path}" if self.label else self.path

    @property
    def is_plain(self) -> bool:
        """Whether a string in `bots` could say the same."""
        return not (self.args or self.clock or self.owner or self.hash)

    def to_table(self) -> dict[str, object]:
        """Return the `[[bot]]` table, without what is left open."""
        values = asdict(self) | {"args": [*self.args]}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_table(cls, values: object) -> "BotTable":
        """Return the entrant that `to_table` wrote. Raises TypeError or ValueError for any other value."""
        table = dict(cast("dict[str, Any]", values))
        return cls(**{**table, "args": tuple(table.get("args", ()))})


def entry_of(table: BotTable, resolve: Callable[[str], Entry]) -> Entry:
    """Return the entrant of a table and its bot.

    With arguments it counts as another bot: its content hash covers the folder and the arguments. Raises BotError,
    and whatever `resolve` raises.
    """
    entry = resolve(table.written)
    if entry.bot is None and (table.args or table.owner):
        given, why = ("args", "its program is its owner's") if table.args else ("owner", "its token names the owner")
        raise BotError(f"{table.path.removeprefix(REMOTE)} is a remote bot, so {why}; leave {given} out")
    entrant, bot = replace(entry.entrant, owner=table.owner or entry.entrant.owner), entry.bot
    if bot and table.args:
        if sentence := objection(bot.parameters, table.args):
            raise BotError(f"args of {entrant.identity}: {sentence}")
        said = json.dumps([entrant.content_hash, *table.args]).encode()
        entrant = replace(entrant, content_hash=hashlib.sha256(said).hexdigest())
        bot = replace(bot, command=(*bot.command, *table.args))
    if table.hash and entrant.content_hash != table.hash:
        raise BotError(
            f"the files of {entrant.identity} are not those that are asked for: their content hash is "
            f"{entrant.content_hash}, not {table.hash}; get them from the bot's owner"
        )
    return Entry(entrant, bot)
