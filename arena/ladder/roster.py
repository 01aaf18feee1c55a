"""The roster of a ladder: the versions that play, by the decisions in its trail, and those that its rules retire."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import REMOTE
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.decisions.changes import joining
from ballcourt.arena.tournament.decisions.trail import Addition, Decision, Withdrawal
from ballcourt.arena.tournament.event.tables import BotTable

RESIDENT: Final = "/"
"""The place of a resident, which no folder can have."""
FAULTS: Final = "faults"
"""The rule by which a version that is disqualified is retired."""


@dataclass(frozen=True, slots=True)
class Version:
    """A bot version that may join, or that has been let in at some time."""

    bot: BotVersion
    place: str
    """The folder in the watched folder that it came from, to which its name belongs; OWNER/NAME if another program
    handed it over, or if it dials in."""
    table: BotTable
    """Its `path` is relative to the folder of the ladder; that of a resident is its name, and that of a bot that dials
    in "remote:NAME"."""
    index: int = -1
    """Its place in the list of entrants, which never changes; -1 before it is in the roster."""
    arrival: int = 0
    """The number of the decision that let it in; the last one if there are several, 0 before there is one."""
    withdrawal: Withdrawal | None = None
    """Why it does not play any more; None while it does."""

    @property
    def source(self) -> str:
        """What it is a version of: a folder, whatever its bot was called then, or a resident."""
        return f"{RESIDENT}{self.bot.name}" if self.place == RESIDENT else self.place

    @property
    def has_owner(self) -> bool:
        """Whether it came with its owner's name: another program handed it over, or it dials in."""
        return "/" in self.place and self.place != RESIDENT

    @property
    def owner(self) -> str:
        """Whose it is."""
        return self.place.partition("/")[0] if self.has_owner else self.table.owner

    @property
    def is_remote(self) -> bool:
        """Whether it dials in, so that there are no files of it here."""
        return self.table.path.startswith(REMOTE)

    @property
    def details(self) -> dict[str, object]:
        """The details of the decision to let it in."""
        return joining(self.table, Entrant(self.bot, owner=self.owner), self.place)

    @property
    def may_return(self) -> bool:
        """Whether a rule retired it, but for its faults, and not the organiser."""
        return self.withdrawal is not None and self.withdrawal.rule not in ("", FAULTS)


@dataclass(frozen=True, slots=True)
class Retirement:
    """A version that is to be retired, by which rule, and why."""

    version: Version
    rule: str
    reason: str


class Roster:
    """All versions that have ever been let in, in order."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._versions: list[Version] = []
        self._indices: dict[str, int] = {}  # by identity
        self._playing: set[int] = set()
        self._remote: set[int] = set()
        self._homes: dict[str, str] = {}
        for decision in decisions:
            self.take(decision)

    def __len__(self) -> int:
        return len(self._versions)

    def __iter__(self) -> Iterator[Version]:
        return iter(self._versions)

    def __getitem__(self, index: int) -> Version:
        return self._versions[index]

    @property
    def playing(self) -> list[Version]:
        """The versions that have not been withdrawn."""
        return [self._versions[index] for index in self.field]

    @property
    def field(self) -> list[int]:
        """Those of them by index."""
        return sorted(self._playing)

    @property
    def remote(self) -> list[Version]:
        """Those of them that dial in."""
        return [self._versions[index] for index in self._remote & self._playing]

    def homes(self, admitted: Iterable[Version] = ()) -> Mapping[str, str]:
        """Return the names of all bots, and the place to which each belongs: that from which it came first.

        `admitted` are versions that are to join.
        """
        return self._homes | {version.bot.name: version.place for version in admitted}

    def find(self, bot: BotVersion) -> Version | None:
        """Return what has been let in at some time under this name and version, whatever its content."""
        index = self._indices.get(str(bot))
        return None if index is None else self._versions[index]

    def take(self, decision: Decision) -> None:
        """Follow a decision; one that was taken already changes nothing. Raises KeyError for an unknown version."""
        if isinstance(decision, Addition):
            self._let_in(decision)
        elif isinstance(decision, Withdrawal):
            index = self._indices[decision.bot]
            self._versions[index] = replace(self._versions[index], withdrawal=decision)
            self._playing.discard(index)

    def outdated(self, versions: int) -> Iterator[Retirement]:
        """Yield the versions that newer ones have replaced: all but the newest `versions` of each bot.

        A bot that comes from the same folder under another name is a newer version too.
        """
        arrived: dict[str, list[Version]] = {}
        for version in sorted(self.playing, key=lambda version: version.arrival):
            arrived.setdefault(version.source, []).append(version)
        for of_source in arrived.values():
            for old in of_source[:-versions]:
                stay = "the newest version of a bot stays" if versions == 1 else f"the newest {versions} versions stay"
                yield Retirement(old, "versions", f"{of_source[-1].bot} has joined, and only {stay}")

    def _let_in(self, decision: Addition) -> None:
        index = self._indices.setdefault(decision.bot, len(self._versions))
        table = BotTable.model_validate(decision.table)
        found = Version(decision.version, decision.place, table, index, decision.number)
        self._versions[index : index + 1] = [found]
        self._playing.add(index)
        if found.is_remote:
            self._remote.add(index)
        self._homes.setdefault(found.bot.name, decision.place)


def changes_past(decision: Decision, before: Roster) -> bool:
    """Whether results of the past count differently: they are struck, or a version has come back."""
    if isinstance(decision, Addition):
        return before.find(decision.version) is not None
    return decision.action == "void" or (isinstance(decision, Withdrawal) and decision.strike)
