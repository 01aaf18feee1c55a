"""Tournaments that are killed, paused, cut off from power and refused by the disk: their tables must not change."""
