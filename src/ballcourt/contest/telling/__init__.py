"""Telling people and their programs what has happened: an outbox, mail, and signed web hooks."""
