"""The formats of tournaments, one file each."""
