"""Matches at a terminal: boards in characters, the conversation with the people at the table, saved matches."""
