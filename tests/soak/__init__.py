"""Many matches with hostile bots among the honest ones, and what they cost the arena: `python -m tests.soak`."""
