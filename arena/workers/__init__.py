"""Many matches in parallel, in worker processes any of which may die."""
