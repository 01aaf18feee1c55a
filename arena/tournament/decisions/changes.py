"""What an organiser's decisions change about a tournament: what is left out, who joins, what is played again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.decisions.trail import (
    TRAIL,
    Addition,
    Decision,
    Halt,
    Lengthening,
    Renewal,
    Ruling,
    TrailError,
    Withdrawal,
)
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.arena.tournament.schedules.schedule import Block, Length, Seating

NEVER: Final = 1 << 62
"""A block that no tournament reaches."""


MOST_JOINED: Final = 1000
"""Entrants that join an event after its beginning; there is a schedule for each."""


@dataclass(frozen=True, slots=True)
class Joining:
    """An entrant that joins a running event."""

    table: BotTable
    bot: BotVersion
    owner: str
    block: int
    """The first block that it can play."""
    members: tuple[int, ...]
    """Who is in from then on, by index: all but those who were withdrawn before; in a ladder its stages say it."""

    @property
    def entrant(self) -> Entrant:
        """The entrant, as far as the decision describes it."""
        return Entrant(self.bot, owner=self.owner)


@dataclass(frozen=True, slots=True)
class Changes:
    """The sum of all decisions so far; `changes_of` computes it.

    A decision that no run has noticed is `pending`: it already affects which results count, but not which blocks come.
    """

    pending: tuple[Decision, ...] = ()
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    """By index of an entrant: the first block that is played without it."""
    retired: frozenset[int] = frozenset()
    """Those of them whom a rule of a ladder withdrew."""
    rulings: Mapping[str, tuple[Ruling, ...]] = field(default_factory=dict)
    """By match or block: the decisions to void or repeat it."""
    joined: tuple[Joining, ...] = ()
    length: Length | None = None
    """The length that was asked for last; None: that of the settings."""
    pause: Halt | None = None
    """The decision to pause, while it lasts."""
    closed: Halt | None = None
    renewed: tuple[Renewal, ...] = ()
    """The decisions that a ladder goes on under other rules, in order."""

    @property
    def leave_out(self) -> bool:
        """Whether they leave out matches that the schedule has."""
        return bool(self.withdrawn or self.rulings)

    @property
    def rewrites(self) -> bool:
        """Whether matches that have been played may no longer count."""
        return bool(self.rulings) or 0 in self.withdrawn.values()

    def due(self, block: Block, seatings: Sequence[Seating]) -> tuple[Seating, ...]:
        """Return those of a block's matches that are not void, and in which no entrant was withdrawn."""
        return tuple(
            (key, table) for key, table in seatings if not self.is_void(key) and not self.absent(block.index, table)
        )

    def absent(self, block: int, entrants: Iterable[int]) -> frozenset[int]:
        """Return those of these entrants that were withdrawn before a block."""
        return frozenset(entrant for entrant in entrants if self.withdrawn.get(entrant, NEVER) <= block)

    def repeats(self, key: str) -> int:
        """Return how often the organiser has had a match played again."""
        return sum(decision.action == "repeat" for decision in self._about(key))

    def is_void(self, key: str) -> bool:
        """Whether the organiser has decided that a match does not count."""
        about = self._about(key)
        return bool(about) and about[-1].action == "void"

    def _about(self, key: str) -> list[Ruling]:
        """Return the rulings on a match and its block, in order."""
        found = (*self.rulings.get(key, ()), *self.rulings.get(key.rpartition("-")[0], ()))
        return sorted(found, key=lambda decision: decision.number)


def withdrawing(bot: BotVersion, *, strike: bool = False, rule: str = "") -> dict[str, object]:
    """Return the details of the decision that an entrant is withdrawn; a ladder does it by a rule."""
    details: dict[str, object] = {"bot": str(bot), "strike": strike}
    return details | {"rule": rule} if rule else details


def joining(table: BotTable, entrant: Entrant, place: str = "") -> dict[str, object]:
    """Return the details of the decision that an entrant joins; in a ladder, with the folder it came from."""
    details: dict[str, object] = {
        "bot": str(entrant.bot),
        "table": table.to_table(),
        "content_hash": entrant.bot.content_hash,
        "owner": table.owner or entrant.owner,
    }
    return details | {"from": place} if place else details


NO_CHANGES: Final = Changes()


def changes_of(decisions: Sequence[Decision], founders: Sequence[BotVersion]) -> Changes:
    """Return the changes that decisions make to an event that began with these entrants.

    Raises TrailError for a decision that does not fit the event.
    """
    reader = ChangesReader(founders)
    for decision in decisions:
        reader.read(decision)
    return reader.changes([decision for decision in decisions if decision.block is None])


class ChangesReader:
    """Sums up decisions one by one. One that was pending is read again with its block."""

    def __init__(self, founders: Sequence[BotVersion]) -> None:
        """`founders` are the entrants with which the event began; a ladder has none."""
        self._index = {str(bot): index for index, bot in enumerate(founders)}
        self._is_event = bool(founders)  # a ladder begins without bots, and lets them join as long as it runs
        self._withdrawn: dict[int, int] = {}
        self._retired: dict[int, bool] = {}
        self._rulings: dict[str, dict[int, Ruling]] = {}
        self._joined: list[Joining] = []
        self._length: Length | None = None
        self._pause: Halt | None = None
        self._closed: Halt | None = None
        self._renewed: dict[int, Renewal] = {}

    def changes(self, pending: Sequence[Decision] = ()) -> Changes:
        """Return the changes so far; `pending` are the decisions that no run has noticed."""
        rulings = {target: tuple(about.values()) for target, about in self._rulings.items()}
        retired = frozenset(one for one in self._withdrawn if self._retired[one])
        return Changes(
            tuple(pending), {**self._withdrawn}, retired, rulings,
            tuple(self._joined), self._length, self._pause, self._closed, tuple(self._renewed.values()),
        )  # fmt: skip

    def read(self, decision: Decision) -> None:
        """Add a decision. Raises TrailError if it does not fit the event."""
        try:
            self._read(decision)
        except (KeyError, TypeError, ValueError) as error:
            raise TrailError(
                f"decision {decision.number} in {TRAIL} does not fit the event ({error!r}); restore it from a copy"
            ) from error

    def _read(self, decision: Decision) -> None:
        match decision:
            case Withdrawal():
                begun = NEVER if decision.block is None else decision.block
                self._withdrawn[self._index[decision.bot]] = 0 if decision.strike else begun
                self._retired[self._index[decision.bot]] = bool(decision.rule)
            case Ruling():
                self._rulings.setdefault(decision.match, {})[decision.number] = decision
            case Addition():
                if decision.block is not None:
                    self._join(decision, decision.block)
            case Lengthening():
                if decision.block is not None:
                    self._length = Length(decision.unit, decision.length)
            case Renewal():
                self._renewed[decision.number] = decision
            case Halt(action="close"):
                self._closed = decision
            case Halt():
                self._pause = decision if decision.action == "pause" else None

    def _join(self, decision: Addition, block: int) -> None:
        if self._is_event and len(self._joined) >= MOST_JOINED:
            raise ValueError(f"more than {MOST_JOINED} entrants have joined")
        table = BotTable.model_validate(decision.table)
        if decision.bot in self._index:  # a ladder lets a retired version in again
            self._withdrawn.pop(self._index[decision.bot], None)
            return
        self._index[decision.bot] = len(self._index)
        members: Iterable[int] = ()
        if self._is_event:
            members = (index for index in self._index.values() if index not in self._withdrawn)
        self._joined.append(Joining(table, decision.version, decision.owner, block, tuple(members)))
