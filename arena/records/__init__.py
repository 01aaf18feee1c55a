"""Match records: written, read, verified, and told to people."""
