"""Alembic's entry: runs on the connection that `tidings.migrations.migrate` hands over."""

from alembic import context
from sqlalchemy import Connection

from tidings.kit.db import SCHEMA

connection: Connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=None,
    version_table_schema=SCHEMA,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
