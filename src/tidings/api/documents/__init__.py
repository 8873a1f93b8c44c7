"""The bodies of replies, for the OpenAPI document. Replies are written by hand; schemathesis checks that they agree."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Document(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, extra="forbid", serialize_by_alias=True)


class Envelope(Document, Generic[T]):
    data: T


class Pagination(Document):
    next_cursor: str | None
    has_more: bool


class Listing(Document, Generic[T]):
    data: list[T]
    pagination: Pagination


class FieldError(Document):
    field: str
    message: str


class SomebodyDocument(Document):
    """Without an id, they are not among the people here any more."""

    id: UUID | None
    name: str | None


class HandledDocument(Document):
    """The first action on a matter: who, when and how."""

    action: Literal["CONFIRMED", "REJECTED", "POSTPONED", "DISMISSED", "CUSTOM", "WITHDRAWN"]
    by: SomebodyDocument
    at: datetime
    note: str | None
    proposed_time: datetime | None


class Problem(Document):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldError] | None = Field(None, description="field by field; only of validation-failed")
    handled: HandledDocument | None = Field(None, description="who, when and how; only of already-handled")


class StreamDocument(Document):
    type: str
    id: str


class FactDocument(Document):
    """Something that happened, as it was recorded."""

    id: UUID
    seq: int = Field(description="a stable order for listing; not the order of commits")
    tenant: str
    type: str
    stream: StreamDocument | None
    stream_version: int | None
    data: dict[str, Any]
    metadata: dict[str, Any]
    occurred_at: datetime


IntentStatus = Literal["pending", "processing", "failed", "enqueued", "succeeded", "dead", "cancelled"]


class IntentDocument(Document):
    """Something that must happen, or has."""

    id: UUID
    tenant: str
    kind: str
    key: str | None
    fact_id: UUID | None
    stream: str | None
    stream_version: int | None
    payload: Any
    due_at: datetime
    run_at: datetime
    status: IntentStatus
    attempts: int
    crashes: int
    max_attempts: int | None
    last_error: str | None
    generation: int
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class KindCount(Document):
    kind: str
    status: IntentStatus
    count: int


class KindLag(Document):
    kind: str
    oldest_due_at: datetime
    lag_seconds: float


class BlockedStream(Document):
    kind: str
    stream: str
    blocked_by: UUID = Field(description="the dead intent at its head; retry or cancel it")
    waiting: int


class StatsDocument(Document):
    """The outbox of one tenant at a glance."""

    counts: list[KindCount] = Field(description="open and dead intents; finished ones of the last day")
    truncated: bool = Field(description="whether there was more than was counted")
    lag: list[KindLag]
    kinds_without_worker: list[str]
    blocked_streams: list[BlockedStream]


class Redriven(Document):
    redriven: int
    more: bool = Field(description="whether dead letters that match are left; ask again for them")


class KeyDocument(Document):
    id: UUID
    user_id: UUID
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class NewKeyDocument(KeyDocument):
    secret: str = Field(description="the key itself; shown now and never again")


class PlaceDocument(Document):
    """A tenant that the session can be moved to."""

    id: str
    name: str
    role: Literal["member", "admin", "operator"]


class PasswordDocument(Document):
    has_one: bool = Field(description="whether the present one is needed to set another")
    may_set: bool = Field(description="not, where a first one would open more than the link did that one came by")


class SessionDocument(Document):
    """Who is signed in."""

    actor: str
    user_id: UUID | None
    email: str | None
    name: str | None
    tenant: str
    role: Literal["member", "admin", "operator"]
    scopes: list[str] | None
    person_id: UUID | None = Field(description="which of this tenant's people you are")
    tenants: list[PlaceDocument] = Field(
        description="where this session can go, at most 200; of a key or a token, the present one"
    )
    csrf_token: str | None = Field(description="to be sent as X-CSRF-Token with every request that changes something")


class SignedIn(Document):
    csrf_token: str
    expires_at: datetime


class Health(Document):
    status: Literal["ok", "ready"]
    broker: str | None = Field(None, description="`there`, or why it is away; only of /readyz, where one is set")
