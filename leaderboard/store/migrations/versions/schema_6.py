"""Schema 6, the first that Alembic knows; `conversion` brings schema 5 to the newest schema at once."""

revision = "6"
down_revision = None


def upgrade() -> None:
    """Do nothing: no database that Alembic knows is older."""
