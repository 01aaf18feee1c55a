"""One library per language to write bots with."""
