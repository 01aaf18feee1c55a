"""Bots on disk: bot.toml, the names people give them, and starters for new ones."""
