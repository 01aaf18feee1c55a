"""The entrants of a database as arrays, which are read again only when there are more of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.store.tables import ENTRANTS, Owned, entrant_seal, read_entrants


@dataclass(frozen=True, slots=True)
class Entrants:
    """All entrants with their owners, sorted; `seals` are by their index."""

    owned: Sequence[Owned]
    seals: NDArray[np.uint64]
    numbers: Floats
    """The numbers by which the database knows them, in ascending order."""
    by_number: Integers
    """Their indices in this order."""

    def indices(self, numbers: Floats) -> Integers:
        """Return the indices of entrants that are known by numbers. Raises ValueError if some are missing."""
        if not self.numbers.size:
            raise ValueError("entrants are missing")
        with np.errstate(invalid="ignore"):  # of what is not a number
            found = (numbers - self.numbers[0]).astype(np.int64)
        if not self._are_at(found, numbers):  # there are gaps
            found = np.searchsorted(self.numbers, numbers)
        if not self._are_at(found, numbers):
            raise ValueError("entrants are missing")
        return np.asarray(self.by_number[found], np.int64)

    def _are_at(self, places: Integers, numbers: Floats) -> bool:
        return bool((self.numbers.take(places, mode="clip") == numbers).all())


def entrants_in(connection: Connection, known: Entrants | None) -> Entrants:
    """Return all entrants; those that were read before if there are no others, for a database only adds some."""
    newest = connection.execute(select(func.max(ENTRANTS.c.id))).scalar()
    if known and newest == known.numbers.max(initial=0):
        return known
    found = sorted((owned, number) for number, owned in read_entrants(connection).items())
    owned = [one for one, _ in found]
    numbers = np.array([number for _, number in found], np.float64)
    seals = np.array([entrant_seal(*one) for one in owned], np.uint64)
    by_number = np.argsort(numbers)
    return Entrants(owned, seals, numbers[by_number], by_number)
