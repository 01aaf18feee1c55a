"""Tournaments and races that are killed, paused, cut off and refused by the disk: their results must not change."""
