"""One package per game; each offers `GAME` and is found by `ballcourt.engine.registry` without any list."""
