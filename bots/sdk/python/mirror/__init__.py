"""The mirror bot of the contract."""
