"""Residents: bots with a name on this machine that always play in a ladder, as a yardstick for the others."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import check_plays
from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.ladder.roster import RESIDENT, Roster, Version
from ballcourt.arena.tournament.decisions.changes import withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.engine.core import Game

RESIDENTS: Final = "residents"
"""The rule by which they are retired."""


def seat_residents(folder: Path, names: Sequence[str], games: Collection[Game]) -> None:
    """Decide that these bots play, in their present versions, and no other residents.

    Raises BotError for a bot that is unknown or does not play a game, and SettingsError for a version that has played
    with other files, or a name that another bot of the ladder has.
    """
    roster = Roster(read_trail(folder))
    entries = [resolve_entry(name) for name in names]
    for entry in entries:
        assert entry.bot, "it has a name on this machine"
        check_plays(entry.bot, *games)
        known = roster.find(entry.entrant.bot)
        if known and known.bot.content_hash != entry.entrant.bot.content_hash:
            raise SettingsError(
                f"the resident {known.bot} has played here with other files; give it another version, or leave "
                "it out of residents"
            )
        if roster.homes().get(entry.entrant.bot.name, RESIDENT) != RESIDENT:
            raise SettingsError(f"a bot that joined is called {entry.entrant.bot.name} too; leave it out of residents")
    present = {entry.entrant.bot for entry in entries}
    for version in [version for version in roster.playing if version.place == RESIDENT]:
        if version.bot not in present:
            details = withdrawing(version.bot, rule=RESIDENTS)
            Trail(folder).decide("withdraw", "this version is not among the residents", details, LADDER_ITSELF)
    playing = {version.bot for version in roster.playing}
    for name, entry in zip(names, entries, strict=True):
        if entry.entrant.bot not in playing:
            details = Version(entry.entrant.bot, RESIDENT, BotTable(path=name, owner=LADDER_ITSELF)).details
            Trail(folder).decide("add", "it is a resident", details, LADDER_ITSELF)
