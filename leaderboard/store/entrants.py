"""Entrants of a database as arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.store.tables import Owned, entrant_seal, read_entrants


@dataclass(frozen=True, slots=True)
class Entrants:
    """Entrants with their owners, sorted; `seals` are by their index."""

    owned: Sequence[Owned]
    seals: NDArray[np.uint64]
    numbers: Floats
    """The numbers by which the database knows them, in ascending order."""
    by_number: Integers
    """Their indices in this order."""

    def indices(self, numbers: Floats) -> Integers:
        """Return the indices of entrants that are known by numbers. Raises ValueError if some are missing."""
        found = np.searchsorted(self.numbers, numbers)
        if np.any(found == self.numbers.size) or not (self.numbers[found] == numbers).all():
            raise ValueError("entrants are missing")
        return np.asarray(self.by_number[found], np.int64)


def entrants_in(connection: Connection, numbers: Collection[int] | None = None) -> Entrants:
    """Return the entrants with these numbers, or all."""
    found = sorted((owned, number) for number, owned in read_entrants(connection, numbers).items())
    owned = [one for one, _ in found]
    known_by = np.array([number for _, number in found], np.float64)
    seals = np.array([entrant_seal(*one) for one in owned], np.uint64)
    by_number = np.argsort(known_by)
    return Entrants(owned, seals, known_by[by_number], by_number)
