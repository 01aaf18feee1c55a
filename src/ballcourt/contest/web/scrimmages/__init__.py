"""Scrimmages in a browser and for programs."""
