"""Asks a bot again what it was asked in a match."""
