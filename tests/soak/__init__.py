"""Many matches, some with hostile bots, and the resources they cost the arena: `python -m tests.soak`."""
