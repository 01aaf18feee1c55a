"""The results database: what it holds, how it is filled and read."""
