"""Formats compared: how many matches each takes until the best bot is known."""
