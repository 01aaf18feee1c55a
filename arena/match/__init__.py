"""One match: entrants, clocks, the referee, the seats, the streams to bots, and the fault policy."""
