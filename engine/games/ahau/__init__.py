"""Ahau: Rulers of Yucatán, for two to five players, or one player against King Pakal."""

from ballcourt.engine.games.ahau.game import Ahau

GAME = Ahau()
