"""Plays many matches at the same time, in worker processes of which any may die."""
