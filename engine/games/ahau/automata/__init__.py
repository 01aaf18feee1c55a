"""The actors without a seat: the Shadow Player and King Pakal (RULES §14.3, §15)."""
