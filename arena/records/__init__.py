"""Match records: written, read, executed again, and shown."""
