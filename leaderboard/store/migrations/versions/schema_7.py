"""Schema 7: the owners of entrants, and how long kept tables may be shown although matches have come since.

What was played before has no owner here; `ballcourt leaderboard FOLDER --rebuild` takes it from the records.
"""

from alembic import op
from sqlalchemy import BigInteger, Column, String

revision = "7"
down_revision = "6"

UNIQUE = "entrants_name_version_content_hash_key"
"""What PostgreSQL calls the constraint; in SQLite it has no name."""


def upgrade() -> None:
    """Add an empty owner to all entrants; forget the tables that were kept."""
    with op.batch_alter_table("entrants", naming_convention={"uq": UNIQUE}) as entrants:
        entrants.drop_constraint(UNIQUE, type_="unique")
        entrants.add_column(Column("owner", String(100), nullable=False, server_default=""))
        entrants.create_unique_constraint(
            "entrants_name_version_content_hash_owner_key", ["name", "version", "content_hash", "owner"]
        )
    op.execute("DELETE FROM boards")
    with op.batch_alter_table("boards") as boards:
        boards.add_column(Column("until", BigInteger, nullable=False, server_default="0"))
