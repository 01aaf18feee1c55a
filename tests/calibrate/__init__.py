"""Checks ratings and intervals against leagues of bots whose true strength is known."""
