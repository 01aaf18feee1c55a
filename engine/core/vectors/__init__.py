"""Writes observations as vectors: which elements a number has, which rows have changed, which actions are legal."""
