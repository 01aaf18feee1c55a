"""Studies of results: pairs of bots, seats, history, teaming, comparisons of versions."""
