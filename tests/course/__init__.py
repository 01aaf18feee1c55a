"""A course in an afternoon: scripted students, some of them hostile, enter a contest as its tutorial says."""
