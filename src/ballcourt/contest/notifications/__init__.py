"""Notifications of people and their programs: an outbox, mail, and signed webhooks."""
