"""The comparison of two versions of a bot as a tournament that ends when the evidence says so."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.play import plan_in
from ballcourt.arena.tournament.schedules.formats.comparison import copies
from ballcourt.arena.tournament.schedules.sequential import Sequential, Stop
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

NEW: Final = "new"
OLD: Final = "old"
FORMAT: Final = "comparison"
MOST_BLOCKS: Final = 100_000
"""A comparison has no length; this is only an upper bound to count towards."""


def plan_comparison(folder: Path, new: str, old: str, settings: Event, *, build: bool = True) -> Plan:
    """Plan the comparison of two bots.

    The entrants are copies under the labels new, new-2, ..., then old, old-2, ... It has no end until `ending`
    gives it one. Without `build`, workers on other machines build the bots. Raises what `plan` raises.
    """
    if len(settings.game or ()) != 1 or len(settings.seats or (0,)) > 1:
        raise SettingsError("a comparison needs one game and one number of seats; give --game")
    seats = settings.seats[0] if settings.seats else default_seats(find_game(*(settings.game or ())))
    entries = _entries(new, old, seats)
    asked = settings.replaced(
        bots=tuple(entries), seats=seats, format=FORMAT, blocks=MOST_BLOCKS, lifetime="match", seeds="block"
    )
    planned = plan_in(folder, asked, entries.__getitem__, build=build)
    if planned.policy.judges:
        raise SettingsError(
            "a comparison suspends no bot, as both versions play every block; drop disqualify and probation"
        )
    return planned


def ending(comparison: Plan, stop: Stop) -> Plan:
    """Return a comparison that ends when the evidence says so."""
    return replace(comparison, schedule=Sequential(comparison.schedule, stop))


def default_seats(game: Game) -> int:
    """Return the largest even number of seats of a game, where a block is two matches; else the largest."""
    return max(game.seat_counts, key=lambda seats: (seats % 2 == 0, seats))


def is_new(label: str) -> bool:
    """Whether an entrant of a comparison, given by its label, is a copy of the new version."""
    return label.partition("-")[0] == NEW


def _entries(new: str, old: str, seats: int) -> dict[str, Entry]:
    """Return the copies of both versions by label."""
    found = {}
    for label, written in ((NEW, new), (OLD, old)):
        entry = resolve_entry(written)
        for number in range(1, copies(seats) + 1):
            name = label if number == 1 else f"{label}-{number}"
            found[name] = replace(entry, entrant=entry.entrant.labelled(name))
    return found
