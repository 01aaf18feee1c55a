"""Matches that a person plays in a browser on this machine."""
