"""Tzolk'in: The Mayan Calendar, for two to four players."""

from ballcourt.engine.games.tzolkin.game import Tzolkin

GAME = Tzolkin()
