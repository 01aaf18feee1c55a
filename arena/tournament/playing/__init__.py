"""Playing a tournament, here or on a cluster, and forecasting what it takes."""
