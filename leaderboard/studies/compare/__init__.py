"""Is a new version of a bot better than the old one? Sequential tests on the duels that it wins."""
