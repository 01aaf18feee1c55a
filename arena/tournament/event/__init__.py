"""What an organiser asks for: the tournament file, its set-ups, bots and seeds."""
