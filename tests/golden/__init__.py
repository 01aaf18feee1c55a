"""Golden playthroughs: whole matches as text, stored in this folder and compared with what the engine plays now.

After an intended change of a rule, write them again with `make golden` and review the difference with git.
"""
