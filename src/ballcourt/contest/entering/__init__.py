"""How a bot is entered: uploads, limits, and the states of a submission."""
