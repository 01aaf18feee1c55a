"""The SDKs: one library per language to write bots with."""
