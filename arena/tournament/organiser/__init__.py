"""What an organiser publishes: changes, keys, and signed bundles."""
