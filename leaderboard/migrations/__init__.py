"""Alembic migrations of the results database: each file in `versions` leads from one schema to the next."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

UNMARKED: Final = "5"
"""The schema of databases without Alembic's table, whose own table names it."""


def upgrade(connection: Connection, *, marked: bool) -> None:
    """Bring a database to the newest schema within the connection's transaction.

    `marked` says whether it has Alembic's table. Raises SQLAlchemyError, and LeaderboardError for a damaged database.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    if not marked:
        command.stamp(config, UNMARKED)
    command.upgrade(config, "head")
