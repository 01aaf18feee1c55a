"""What a game of Maya shows: scenes, words, drawings."""
