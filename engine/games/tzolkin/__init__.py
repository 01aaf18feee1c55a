"""Tzolk'in: The Mayan Calendar, for two to four players."""
