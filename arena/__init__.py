"""Runs bots: sessions, referee, launcher, schedule, records and the command line."""
