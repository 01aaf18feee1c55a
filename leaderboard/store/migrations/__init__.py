"""Migrations of the results database: each file in `versions` leads from one schema to the next, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from ballcourt.leaderboard.store.migrations.conversion import convert
from ballcourt.leaderboard.store.tables import create_indices


def upgrade(connection: Connection, *, marked: bool) -> None:
    """Bring a database to the newest schema within the connection's transaction.

    `marked` says whether it has Alembic's table; schema 5 has not. Raises SQLAlchemyError, and LeaderboardError for a
    damaged database.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    if marked:
        command.upgrade(config, "head")
    else:
        convert(connection)
        command.stamp(config, "head")
    create_indices(connection)
