"""Tournaments and races that are killed, paused, cut off from power and refused by the disk: results must not change."""
