"""The pieces on the table: workers, rulers, tiles, Temple markers, and what the God Scoring tiles count."""
