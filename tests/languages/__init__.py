"""Bots in every language there is an SDK for; they need that language's tools, so `make test` leaves them out."""
