"""Replays of recorded matches: a document for viewers and programs, and a page that shows it."""
