"""Bots that dial in to a ladder from other machines: those that are connected with a token join it.

A bot is what it says it is, name and version, as in a tournament, and nothing checks it. Its place is OWNER/NAME, where
the owner is that of its token: a name belongs to its owner, and bots of one owner do not sit at one table while others
are there to play. A bot plays while it is connected. One that is away stays in the ladder, like a bot whose folder is
missing, until it has been away for `missing`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.entries import REMOTE, remote_entry
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.arrivals.interface import Arrivals, Refused
from ballcourt.arena.ladder.arrivals.names import refusal
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.remote.tokens import TokenError, Tokens
from ballcourt.arena.tournament.event.tables import BotTable

Here = Callable[[], Mapping[str, str]]
"""What returns the versions of the bots that are connected, by name."""


def none_here() -> Mapping[str, str]:
    """Return who is connected where no bot can dial in."""
    return {}


class DialledArrivals(Arrivals):
    """The bots that dial in to a ladder."""

    def __init__(self, tokens: Tokens, here: Here) -> None:
        self._tokens = tokens
        self._here = here
        self._refused: dict[str, str] = {}
        """The versions that were refused and are still connected, by name."""
        self._places: frozenset[str] = frozenset()

    @property
    def places(self) -> frozenset[str]:
        """The places of the bots that are connected, and play."""
        return self._places

    def step(self, roster: Roster, admitted: Sequence[Version] = ()) -> Iterator[Version | Refused]:
        """Look who is connected; yield those who may join, and those who may not."""
        here = self._here()
        self._refused = {name: version for name, version in self._refused.items() if here.get(name) == version}
        joining = {str(one.bot) for one in admitted}
        places = []
        for name, version in here.items():
            bot = BotVersion(name, version)
            known = roster.find(bot)
            if known and not known.withdrawal and known.is_remote:
                places.append(known.place)
            elif str(bot) not in joining and name not in self._refused:
                yield self._decided(name, version, roster, admitted)
        self._places = frozenset(places)

    def _decided(self, name: str, version: str, roster: Roster, admitted: Sequence[Version]) -> Version | Refused:
        place = name
        try:
            owner = self._tokens.owner_of(name)
            bot, place = remote_entry(name, version, owner).entrant.bot, f"{owner}/{name}"
            reason = refusal(bot, place, roster, admitted)
        except TokenError as error:
            reason = str(error)
        else:
            if owner == LADDER_ITSELF:
                reason = f"its token names {LADDER_ITSELF} as the owner, which owns the residents; make it another one"
            if not reason:
                return Version(bot, place, BotTable(path=f"{REMOTE}{name}"))
        self._refused[name] = version
        return Refused(place, reason, None)
