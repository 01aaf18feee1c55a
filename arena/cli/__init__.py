"""The `ballcourt` command."""
