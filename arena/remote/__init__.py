"""Bots that dial in from elsewhere: the door, the tokens, the lobby, and sessions that outlive a stream."""
