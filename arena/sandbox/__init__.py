"""How bots are confined, and what this machine can do about it."""
