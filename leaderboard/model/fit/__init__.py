"""Ratings, their uncertainty and cycles from integer arrays: NumPy and SciPy, and nothing of the arena."""
