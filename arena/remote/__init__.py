"""Bots that dial in from other machines: the port, tokens, admission, and sessions that outlive a broken stream."""
