"""What a game of Tzolk'in shows: scenes, words, drawings."""
