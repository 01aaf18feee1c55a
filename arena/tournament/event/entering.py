"""Makes entrants of the bots that an event names."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.entries import REMOTE, Entry
from ballcourt.arena.bots.parameters import objection, set_to
from ballcourt.arena.tournament.event.tables import BotTable


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
            raise BotError(f"args of {entrant.bot}: {sentence}")
        identity = json.dumps([entrant.bot.content_hash, *table.args]).encode()
        entrant = replace(entrant, bot=replace(entrant.bot, content_hash=hashlib.sha256(identity).hexdigest()))
        parameters = set_to(bot.parameters, table.args)
        bot = replace(bot, command=(*bot.command, *table.args), parameters=parameters)
    if table.hash and entrant.bot.content_hash != table.hash:
        raise BotError(
            f"the files of {entrant.bot} are not those that are asked for: their content hash is "
            f"{entrant.bot.content_hash}, not {table.hash}; get them from the bot's owner"
        )
    return Entry(entrant, bot)
