"""The tables of tenants, people, keys and limits."""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)

from tidings.kit.tables import METADATA, SCHEMA

_NOW = text("now()")
_TENANTS = f"{SCHEMA}.tenants.id"
_USERS = f"{SCHEMA}.users.id"


def _time(name: str, *, optional: bool = False) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=optional)


def _created_at() -> Column[object]:
    return Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW)


def _of_tenant(*, primary_key: bool = False) -> Column[str]:
    return Column("tenant", Text, ForeignKey(_TENANTS), nullable=False, primary_key=primary_key)


def _of_user(*, primary_key: bool = False) -> Column[object]:
    owner = ForeignKey(_USERS, ondelete="CASCADE")
    return Column("user_id", Uuid, owner, nullable=False, primary_key=primary_key)


TENANTS = Table(
    "tenants",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    _created_at(),
    _time("suspended_at", optional=True),
    CheckConstraint("id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'", name="tenant_id_is_a_slug"),
)

LIMITS = Table(
    "limits",
    METADATA,
    Column("singleton", Boolean, primary_key=True, server_default=text("true")),
    Column("max_bytes", Integer, nullable=False, server_default=text("262144")),
    Column("max_depth", Integer, nullable=False, server_default=text("64")),
    CheckConstraint("singleton", name="limits_have_one_row"),
)

USERS = Table(
    "users",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("password_hash", Text),
    Column("operator", Boolean, nullable=False, server_default=text("false")),
    _created_at(),
    _time("disabled_at", optional=True),
    CheckConstraint("email = lower(email)", name="email_is_lower_case"),
)

MEMBERSHIPS = Table(
    "memberships",
    METADATA,
    _of_tenant(primary_key=True),
    _of_user(primary_key=True),
    Column("role", Text, nullable=False),
    CheckConstraint("role IN ('member', 'admin')", name="membership_role_is_known"),
    Index("memberships_of_user", "user_id"),
)

API_KEYS = Table(
    "api_keys",
    METADATA,
    Column("id", Uuid, primary_key=True),
    _of_tenant(),
    _of_user(),
    Column("name", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("scopes", ARRAY(Text), nullable=False),
    _created_at(),
    _time("expires_at", optional=True),
    _time("revoked_at", optional=True),
    Index("api_keys_of_tenant", "tenant", "created_at"),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("hash", LargeBinary, primary_key=True),
    _of_user(),
    _of_tenant(),
    _created_at(),
    _time("expires_at"),
    Index("sessions_by_expiry", "expires_at"),
)

SIGN_IN_LINKS = Table(
    "sign_in_links",
    METADATA,
    Column("hash", LargeBinary, primary_key=True),
    _of_user(),
    _of_tenant(),
    _time("expires_at"),
)

IDEMPOTENCY_KEYS = Table(
    "idempotency_keys",
    METADATA,
    Column("tenant", Text, primary_key=True),
    Column("actor", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("fact_id", Uuid),
    Column("status", SmallInteger),
    Column("reply", LargeBinary),
    _time("expires_at"),
    Index("idempotency_keys_by_expiry", "expires_at"),
)

RATE_LIMITS = Table(
    "rate_limits",
    METADATA,
    Column("bucket", Text, primary_key=True),
    _time("empty_at"),
    prefixes=["UNLOGGED"],
)
