"""Maya, the game of plantations and cities, for two to four players."""

from ballcourt.engine.games.maya.game import Maya

GAME = Maya()
