"""Run by Alembic for every command: works on the connection that `upgrade` was given."""

from alembic import context

if hasattr(context, "config"):  # which it has while Alembic runs this file, not when it is imported
    context.configure(connection=context.config.attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()
