"""Plays one match: the referee, the seats, the clocks, the stream to a bot, and what is done about its faults."""
