"""A contest that strangers can enter: accounts, teams, submissions, limits and private reports, around a ladder."""
