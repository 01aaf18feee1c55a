"""King Pakal, the automaton of the solo game (RULES §15)."""
