"""Attacks of hostile bots: what each deserves, and what it must not leave; `python -m tests.attacks` shows them all."""
