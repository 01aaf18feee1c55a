"""Ratings, database and tables: what people look at after a tournament."""
