"""The interface between a ladder and the ways on which bots arrive at it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ballcourt.arena.ladder.roster import Roster, Version


@dataclass(frozen=True, slots=True)
class Refused:
    """A bot that may not join."""

    place: str
    sentence: str
    """Why, in a line."""
    report: Path | None
    """The file for its author; None for a bot that dials in, whose owner learns it by the connection."""


class Arrivals(Protocol):
    """A way on which bots arrive. Call `step` again and again; close it in the end."""

    @property
    def examined(self) -> str:
        """The places of the bots that are being checked; empty if there are none."""
        return ""

    @property
    def places(self) -> frozenset[str] | None:
        """The places whose bots may stay; None while that is not known."""

    @property
    def has_heard_all(self) -> bool:
        """Whether all bots that were there at the start have been admitted or refused once."""
        return True

    def step(self, roster: Roster, admitted: Sequence[Version] = ()) -> Iterator[Version | Refused]:
        """Look for bots if it is time to; yield what has been decided.

        `admitted` are those who are not in the roster yet; it may grow while this runs. Never waits for long. Raises
        OSError.
        """

    def close(self) -> None:
        """End what is under way; by default, nothing is."""
        return


class AllArrivals(Arrivals):
    """Several ways together."""

    def __init__(self, *ways: Arrivals) -> None:
        self._ways = ways

    @property
    def examined(self) -> str:
        return ", ".join(filter(None, (way.examined for way in self._ways)))

    @property
    def places(self) -> frozenset[str] | None:
        places: frozenset[str] = frozenset()
        for way in self._ways:
            if (found := way.places) is None:
                return None
            places |= found
        return places

    @property
    def has_heard_all(self) -> bool:
        return all(way.has_heard_all for way in self._ways)

    def step(self, roster: Roster, admitted: Sequence[Version] = ()) -> Iterator[Version | Refused]:
        for way in self._ways:
            yield from way.step(roster, admitted)

    def close(self) -> None:
        for way in self._ways:
            way.close()
