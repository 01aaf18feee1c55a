"""Bluff, but every second match on some seeds raises an exception while a file exists in the working folder."""

from pathlib import Path

from ballcourt.engine.core import Wire
from tests.bluff import Bluff, BluffState
from tests.bluff.wire import WIRE

DEFECT = "defect"


class Fragile(Bluff):
    name = "fragile"

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
        defect = Path(DEFECT)
        if seed % 4 == 0 and defect.exists():
            defect.write_text(defect.read_text() + "x")
            if len(defect.read_text()) % 2 == 0:
                raise ZeroDivisionError("points shared among nobody")
        return super().deal(seats, seed, options)

    def wire(self) -> Wire:
        return WIRE


GAME = Fragile()
