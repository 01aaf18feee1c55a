"""`python -m ballcourt` is the command `ballcourt`."""

from ballcourt.arena.cli import main

main()
