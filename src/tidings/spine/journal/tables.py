"""The tables of the journal."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, DateTime, Identity, Index, Table, Text, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB

from tidings.kit.tables import METADATA

FACTS = Table(
    "facts",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("seq", BigInteger, Identity(always=True), nullable=False),
    Column("tenant", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("stream_type", Text),
    Column("stream_id", Text),
    Column("stream_version", BigInteger),
    Column("data", JSONB, nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("occurred_at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    CheckConstraint("(stream_type IS NULL) = (stream_id IS NULL)", name="a_stream_has_type_and_id"),
    Index("facts_in_order", "tenant", "seq"),
    Index("facts_by_type", "tenant", "type", "seq"),
    Index(
        "facts_by_stream",
        "tenant",
        "stream_type",
        "stream_id",
        "seq",
        postgresql_where=text("stream_type IS NOT NULL"),
    ),
    Index("facts_by_time", "occurred_at", postgresql_using="brin"),
)

RESERVED_TYPES = Table(
    "reserved_types",
    METADATA,
    Column("prefix", Text, primary_key=True),
    Column("module", Text, nullable=False),
)

ORDERED_STREAMS = Table("ordered_streams", METADATA, Column("stream_type", Text, primary_key=True))

STREAM_HEADS = Table(
    "stream_heads",
    METADATA,
    Column("tenant", Text, primary_key=True),
    Column("stream_type", Text, primary_key=True),
    Column("stream_id", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
)
