"""Bots and the libraries to write them with."""
