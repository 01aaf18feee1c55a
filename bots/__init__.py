"""Bots, one folder each with its `bot.toml`, and the SDK they are written with."""
