"""The bots that arrive at a ladder: where they are found, who waits, how each is checked and let in."""
