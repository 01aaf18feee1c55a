"""What every web application of the project shares: its guard, its server, answers made once, errors and templates."""
