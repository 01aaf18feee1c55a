"""Random input: whatever a bot sends or a file contains, the result is a typed fault or an error of one sentence."""
