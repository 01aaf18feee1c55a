"""Tzolk'in: The Mayan Calendar, for two to four players."""

from engine.games.tzolkin.game import Tzolkin

GAME = Tzolkin()
