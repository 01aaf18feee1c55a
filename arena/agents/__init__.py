"""Seats for agents that come over the Model Context Protocol."""
