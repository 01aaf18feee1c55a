"""Debugging of bots: puts a question of a recorded match to a bot again."""
