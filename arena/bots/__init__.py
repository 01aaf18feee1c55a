"""Bots on disk: what their bot.toml says, how they are built, and how one is begun."""
