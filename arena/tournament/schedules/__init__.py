"""Schedules: which blocks a tournament plays next, and when it ends."""
