"""Matches at a terminal: boards in characters, the conversation with the people at the table, matches put aside."""
