"""Who takes part: accounts, teams, tokens, links and sessions, and what each of them may see."""
