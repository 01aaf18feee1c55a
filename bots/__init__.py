"""Bots, one folder each with its `bot.toml`, and the SDK they are written with."""

if __name__ != "ballcourt.bots":
    raise ImportError("import this package as ballcourt.bots; a second copy of its classes would not match the first")
