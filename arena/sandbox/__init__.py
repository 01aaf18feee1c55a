"""The confinement of bots, and what this machine offers for it."""
