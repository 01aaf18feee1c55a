"""A round: turns, producing, trading, and its end."""
