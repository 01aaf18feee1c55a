"""Ahau: Rulers of Yucatan, for two to five players."""

from engine.games.ahau.game import Ahau

GAME = Ahau()
