"""The names and versions that a newcomer may have: those that no bot in the ladder has, or could be mistaken for."""

from collections.abc import Iterable, Mapping
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.roster import RESIDENT, Roster, Version

RESERVED: Final = frozenset(("human", "remote", "none", "ladder", "organiser", "admin", "arena", "ballcourt", "root"))
"""Words that mean something else where pages and commands have the name of a bot or a person, or seem to."""
_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", **dict.fromkeys("-_.")})


def look_of(name: str) -> str:
    """Return what is the same for names that are easily mistaken for each other: `Bob_1` and `b0bl`."""
    return name.casefold().translate(_ALIKE)


def refusal(bot: BotVersion, place: str, roster: Roster, admitted: Iterable[Version] = ()) -> str:
    """Return why a bot from this place may not join, by what has joined or is `admitted` already; empty if it may."""
    known = roster.find(bot)
    if known and known.bot.content_hash != bot.content_hash:
        return (
            f"{known.bot} has played here with other files (content hash {known.bot.content_hash}, now "
            f"{bot.content_hash}); give the changed bot another version in its bot.toml"
        )
    if reason := name_refusal(bot.name, place, roster.homes(admitted)):
        return reason
    if known and known.withdrawal and not known.may_return:
        return f"{known.withdrawal.sentence}; a new version may be admitted"
    return ""


def name_refusal(name: str, place: str, homes: Mapping[str, str]) -> str:
    """Return why a bot from this place may not have this name; empty if it may.

    `homes` has the names of those who have joined, and their places. They keep their names, whatever these are.
    """
    if name in homes:
        if homes[name] == place:
            return ""
        return f"the name {name} belongs to {_owner_at(homes[name])}; choose another name"
    look = look_of(name)
    if look in map(look_of, RESERVED):
        return f"the name {name} looks like one of the words {', '.join(sorted(RESERVED))}; choose another name"
    if alike := next((other for other in homes if look_of(other) == look), ""):
        return (
            f"the name {name} looks like {alike}, which is another bot; choose a name that differs from it by more "
            "than case, 0 and O, 1, l and I, or dots, hyphens and underscores"
        )
    return ""


def _owner_at(place: str) -> str:
    """Return whose the names are of bots from this place, in words."""
    if place == RESIDENT:
        return "a resident"
    owner, is_handed, _ = place.partition("/")
    return owner if is_handed else f"the folder {place}, from which it came first"
