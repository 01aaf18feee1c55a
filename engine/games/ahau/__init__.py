"""Ahau: Rulers of Yucatán, for two to five players, and for one against King Pakal."""

from ballcourt.engine.games.ahau.game import Ahau

GAME = Ahau()
