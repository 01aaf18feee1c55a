"""A tournament: its file, its plan, its folder, and who sits out."""
