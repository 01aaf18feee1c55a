"""Whether ratings and intervals hold: leagues of bots whose true strength is known."""
