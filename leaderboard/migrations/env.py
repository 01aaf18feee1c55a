"""Run by Alembic for every command: works on the connection that `upgrade` was given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
