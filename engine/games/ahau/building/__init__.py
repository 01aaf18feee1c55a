"""Building pyramid tiles and buildings (RULES §5.3, §7.5 to §7.11)."""
