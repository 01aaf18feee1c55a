"""Input nobody foresaw: whatever a bot says and whatever a file holds, a typed fault or one sentence comes of it."""
