"""The Movement Phase (RULES §4)."""
