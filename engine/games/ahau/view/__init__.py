"""What a game of Ahau shows: scenes, words, drawings."""
