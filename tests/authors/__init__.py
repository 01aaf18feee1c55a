"""Scripted authors, who get from `new-bot` to a rank in a ladder by what the documents say."""
