"""Schedules of large fields: how even they are, and what choosing them takes."""
