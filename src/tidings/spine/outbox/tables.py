"""The tables of the outbox."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from tidings.kit.tables import METADATA

_NOW = text("now()")
_BYTEWISE = Text(collation="C")


def _time(name: str, *, default: bool = False, optional: bool = False) -> Column[Any]:
    return Column(name, DateTime(timezone=True), nullable=optional, server_default=_NOW if default else None)


def _count(name: str, *, default: bool) -> Column[Any]:
    return Column(name, Integer, nullable=False, server_default=text("0") if default else None)


def _what() -> list[Column[Any]]:
    """What an intent is, and when."""
    return [
        Column("tenant", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("key", _BYTEWISE),
        Column("fact_id", Uuid),
        Column("stream", Text),
        Column("stream_version", BigInteger),
        Column("payload", JSONB),
        _time("due_at"),
        _time("run_at"),
    ]


OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", Uuid, primary_key=True),
    *_what(),
    Column("status", Text, nullable=False, server_default=text("'pending'")),
    _count("attempts", default=True),
    _count("crashes", default=True),
    Column("max_attempts", Integer),
    Column("last_error", Text),
    Column("lease_token", Uuid),
    _count("generation", default=True),
    Column("suspect", Boolean, nullable=False, server_default=text("false")),
    _time("created_at", default=True),
    _time("updated_at", default=True),
    CheckConstraint("status IN ('pending', 'processing', 'failed', 'enqueued')", name="outbox_status_is_open"),
    CheckConstraint("(status = 'processing') = (lease_token IS NOT NULL)", name="outbox_processing_is_leased"),
    Index("outbox_due", "tenant", "kind", "run_at"),
    Index("outbox_newest", "tenant", "created_at", "id"),
    Index("outbox_by_key", "tenant", "kind", "key", postgresql_where=text("key IS NOT NULL")),
    Index(
        "outbox_by_stream",
        "tenant",
        "kind",
        "stream",
        "stream_version",
        postgresql_where=text("stream IS NOT NULL"),
    ),
    Index("outbox_suspects", "kind", "run_at", postgresql_where=text("suspect")),
)

OUTBOX_FINISHED = Table(
    "outbox_finished",
    METADATA,
    Column("id", Uuid, nullable=False),
    *_what(),
    Column("status", Text, nullable=False),
    _count("attempts", default=False),
    _count("crashes", default=False),
    Column("max_attempts", Integer),
    Column("last_error", Text),
    _count("generation", default=False),
    _time("created_at"),
    _time("updated_at"),
    _time("finished_at", default=True),
    PrimaryKeyConstraint("tenant", "id"),
    CheckConstraint("status IN ('succeeded', 'dead', 'cancelled')", name="outbox_finished_status_is_final"),
    Index("outbox_finished_newest", "tenant", "created_at", "id"),
    Index("outbox_finished_by_time", "finished_at", postgresql_using="brin"),
    Index("outbox_dead", "tenant", "kind", "finished_at", postgresql_where=text("status = 'dead'")),
    Index(
        "outbox_dead_streams",
        "tenant",
        "kind",
        "stream",
        postgresql_where=text("status = 'dead' AND stream IS NOT NULL"),
    ),
    Index("outbox_finished_by_fact", "fact_id", postgresql_where=text("fact_id <> id")),
)

OUTBOX_KEYS = Table(
    "outbox_keys",
    METADATA,
    Column("tenant", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("key", _BYTEWISE, primary_key=True),
    Column("intent_id", Uuid, nullable=False),
    _time("expires_at", optional=True),
    Index("outbox_keys_by_expiry", "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("token", Uuid, primary_key=True),
    Column("source", Text, nullable=False),
    Column("worker", Uuid, nullable=False),
    Column("ids", ARRAY(Uuid), nullable=False),
    Column("alone", Boolean, nullable=False),
    _time("expires_at"),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kinds", ARRAY(Text), nullable=False),
    _time("started_at", default=True),
    _time("seen_at", default=True),
)
