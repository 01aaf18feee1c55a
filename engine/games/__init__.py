"""One package per game; each offers `GAME` and is found by `engine.registry` without any list."""
