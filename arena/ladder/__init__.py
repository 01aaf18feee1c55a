"""The perpetual ladder: bots join from a watched folder, and play as long as the ladder is left running."""
