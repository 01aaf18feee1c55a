"""Golden playthroughs: whole matches as text, kept beside this file and compared with what the engine plays now.

Whoever changes a rule on purpose writes them again with `make golden` and reviews the difference with git.
"""
