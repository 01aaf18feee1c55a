"""Golden playthroughs: whole matches as text, stored in this folder and compared with the current engine.

After an intended change of a rule, rewrite them with `make golden` and review the difference with git.
"""
