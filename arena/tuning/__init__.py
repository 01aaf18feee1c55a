"""Search for better parameters of a bot, by matches against itself."""
