"""The tables in code and the tables in migrations are the same."""

from __future__ import annotations

from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

from tests.support.postgres import Server
from tidings.kit.tables import SCHEMA
from tidings.spine.tables import METADATA

pytestmark = pytest.mark.usefixtures("any_postgres")

_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
    a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'tidings'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
"""
_CONSTRAINTS = """
SELECT c.relname, n.conname, pg_get_constraintdef(n.oid) FROM pg_constraint n JOIN pg_class c ON c.oid = n.conrelid
WHERE c.relnamespace = 'tidings'::regnamespace
"""
_INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'tidings'"
_TABLES = "SELECT relname, relpersistence FROM pg_class WHERE relnamespace = 'tidings'::regnamespace AND relkind = 'r'"


def _connect(url: str) -> Connection:
    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool).connect()


def test_alembic_sees_no_difference(database_url: str) -> None:
    with _connect(database_url) as connection:
        options = {
            "include_schemas": True,
            "include_name": lambda name, kind, _: kind != "schema" or name == SCHEMA,
            "version_table_schema": SCHEMA,
            "compare_type": True,
            "compare_server_default": True,
        }
        assert compare_metadata(MigrationContext.configure(connection, opts=options), METADATA) == []


def test_tables_made_from_the_code_are_those_made_by_migrations(server: Server, database_url: str) -> None:
    with server.database("template0") as url, _connect(url) as made, _connect(database_url) as migrated:
        made.execute(text(f"CREATE SCHEMA {SCHEMA}"))
        METADATA.create_all(made)
        for question in (_TABLES, _COLUMNS, _CONSTRAINTS, _INDEXES):
            assert _answer(made, question) == _answer(migrated, question)


def _answer(connection: Connection, question: str) -> set[tuple[Any, ...]]:
    return {tuple(row) for row in connection.execute(text(question)) if row[0] != "alembic_version"}
