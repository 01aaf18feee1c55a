"""A turn: planting, expanding, and what follows."""
