"""What an organiser's decisions change about a tournament: what is left out, who joins, what is played again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.tournament.decisions.trail import (
    TRAIL,
    Addition,
    Decision,
    Halt,
    Lengthening,
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
    identity: str
    """Its name and version, with a space between."""
    content_hash: str
    owner: str
    block: int
    """The first block that it can play."""
    members: tuple[int, ...]
    """Who is in from then on, by index: all but those who were withdrawn before."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The sum of all decisions so far; `changes_of` computes it.

    A decision that no run has noticed is `pending`: it already affects which results count, but not which blocks come.
    """

    pending: tuple[Decision, ...] = ()
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    """By index of an entrant: the first block that is played without it."""
    rulings: Mapping[str, tuple[Ruling, ...]] = field(default_factory=dict)
    """By match or block: the decisions to void or repeat it."""
    joined: tuple[Joining, ...] = ()
    length: Length | None = None
    """The length that was asked for last; None: that of the settings."""
    pause: Halt | None = None
    """The decision to pause, while it lasts."""
    closed: Halt | None = None

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


def withdrawing(identity: str, *, strike: bool = False, rule: str = "") -> dict[str, object]:
    """Return the details of the decision that an entrant is withdrawn; a ladder does it by a rule."""
    details: dict[str, object] = {"bot": identity, "strike": strike}
    return details | {"rule": rule} if rule else details


def joining(table: BotTable, entrant: Entrant, place: str = "") -> dict[str, object]:
    """Return the details of the decision that an entrant joins; in a ladder, with the folder it came from."""
    details: dict[str, object] = {
        "bot": entrant.identity,
        "table": table.to_table(),
        "content_hash": entrant.content_hash,
        "owner": table.owner or entrant.owner,
    }
    return details | {"from": place} if place else details


NO_CHANGES: Final = Changes()


def changes_of(decisions: Sequence[Decision], founders: Sequence[str]) -> Changes:
    """Return the changes that decisions make to an event that began with these entrants, given as "name version".

    Raises TrailError for a decision that does not fit the event.
    """
    reader = _Reader(founders)
    for decision in decisions:
        try:
            reader.read(decision)
        except (TypeError, ValueError) as error:
            raise TrailError(
                f"decision {decision.number} in {TRAIL} does not fit the event ({error!r}); restore it from a copy"
            ) from error
    rulings = {target: tuple(about) for target, about in reader.rulings.items()}
    return Changes(
        tuple(decision for decision in decisions if decision.block is None),
        reader.withdrawn, rulings, tuple(reader.joined), reader.length, reader.pause, reader.closed,
    )  # fmt: skip


class _Reader:
    def __init__(self, founders: Sequence[str]) -> None:
        self._names = [*founders]
        self._is_event = bool(founders)  # a ladder begins without bots, and lets them join as long as it runs
        self.withdrawn: dict[int, int] = {}
        self.rulings: dict[str, list[Ruling]] = {}
        self.joined: list[Joining] = []
        self.length: Length | None = None
        self.pause: Halt | None = None
        self.closed: Halt | None = None

    def read(self, decision: Decision) -> None:
        match decision:
            case Withdrawal():
                entrant = self._names.index(decision.bot)
                self.withdrawn[entrant] = 0 if decision.strike else _block(decision)
            case Ruling():
                self.rulings.setdefault(decision.match, []).append(decision)
            case Addition():
                if decision.block is not None:
                    self._join(decision, decision.block)
            case Lengthening():
                if decision.block is not None:
                    self.length = Length(decision.unit, decision.length)
            case Halt(action="close"):
                self.closed = decision
            case Halt():
                self.pause = decision if decision.action == "pause" else None

    def _join(self, decision: Addition, block: int) -> None:
        if self._is_event and len(self.joined) >= MOST_JOINED:
            raise ValueError(f"more than {MOST_JOINED} entrants have joined")
        table = BotTable.model_validate(decision.table)
        if decision.bot in self._names:  # a ladder lets a retired version in again
            self.withdrawn.pop(self._names.index(decision.bot), None)
            return
        self._names.append(decision.bot)
        members = tuple(index for index in range(len(self._names)) if index not in self.withdrawn)
        self.joined.append(Joining(table, decision.bot, decision.content_hash, decision.owner, block, members))


def _block(decision: Decision) -> int:
    return NEVER if decision.block is None else decision.block
