"""Attacks of hostile bots, and how each must end: `python -m tests.attacks` runs them all."""
