"""Tournaments: settings, plan, formats, the output folder, and `play_tournament`, which plays one from Python."""

from ballcourt.arena.tournament.playing.play import play_tournament

__all__ = ["play_tournament"]
