"""How positions of Goofspiel are shown."""
