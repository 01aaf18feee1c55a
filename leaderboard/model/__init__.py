"""Results, ratings and their certainty."""
