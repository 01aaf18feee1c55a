"""Schema 5, the first that can be upgraded: names in every row, a seal of text for each match."""

revision = "5"
down_revision = None


def upgrade() -> None:
    """Do nothing: no database is older."""
