"""Bots, one folder each with its `bot.toml`, and the SDKs they are written with.

- `sdk/<language>`: the SDK of a language, held to the protocol by the recorded conversations (`ballcourt check sdk`).
  The `Rules` of every SDK start `sdk/python/rules.py`, which plays positions on; it is a process of the bot, so it
  needs no wall, clock or account of its own.
- `starters/<language>`: what `ballcourt new-bot` copies
- `example`, `first_legal`, `random`, `greedy`, `planner`, `ismcts`, `rollout`, `flat_monte_carlo`, `learned`,
  `trained`, `evolved`, `llm`: the reference bots
"""

if __name__ != "ballcourt.bots":
    raise ImportError("import this package as ballcourt.bots; a second copy of its classes would not match the first")
