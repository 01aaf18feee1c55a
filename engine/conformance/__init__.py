"""Checks that every game must pass, as a library and as `ballcourt check-game`."""
