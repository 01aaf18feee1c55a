"""Summoning gods and their powers (RULES §5.4, §6)."""
