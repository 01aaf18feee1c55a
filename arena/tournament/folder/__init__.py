"""The output folder of a tournament: its plan, its manifest, its log of events."""
