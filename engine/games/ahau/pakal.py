"""King Pakal, the automaton of the solo game (RULES §15). Being written by A2: A1 please leave it to me."""
