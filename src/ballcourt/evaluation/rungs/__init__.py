"""The rungs of the games, a file for each game."""
