"""Schema 8: packs, from which results are read faster."""

from alembic import op
from sqlalchemy import Column, Integer, LargeBinary

from ballcourt.leaderboard.store.packs import write_packs
from ballcourt.leaderboard.store.tables import PACK, last_match

revision = "8"
down_revision = "7"


def upgrade() -> None:
    """Add a table of packs, and those of all matches."""
    op.create_table(
        "packs",
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("content", LargeBinary, nullable=False),
    )
    write_packs(op.get_bind(), range((last_match(op.get_bind()) + 1) // PACK))
