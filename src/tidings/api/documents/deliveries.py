"""The bodies of replies about providers, notices, deliveries and the sandbox."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document

ChannelName = Literal["email", "sms", "whatsapp", "push", "slack", "websocket", "webhook", "apprise"]
LevelName = Literal["info", "warning", "critical"]
OnUnknownName = Literal["resend", "hold"]
DeliveryStatus = Literal["pending", "sending", "deferred", "unknown", "sent", "skipped", "failed"]
AttemptOutcome = Literal["sent", "deferred", "rejected", "unknown", "skipped", "expired", "crashed", "quiet"]


class RateDocument(Document):
    count: int
    period: str = Field(description="such as 1s or 1m")


class CircuitDocument(Document):
    """Whether a provider is sent through: not while its circuit is open, and one at a time while it is tried again."""

    state: Literal["closed", "open", "trying"]
    open_until: datetime | None
    failures: int = Field(description="in a row")
    last_error: str | None
    last_error_at: datetime | None


class ProviderDocument(Document):
    """What a channel sends through. Of secrets in its configuration no more is shown than that they are set."""

    id: UUID
    channel: ChannelName
    type: str
    name: str
    built_in: bool = Field(description="made by itself, and used only where the channel has no other")
    enabled: bool
    priority: int = Field(description="the lowest is used first")
    config: dict[str, Any]
    version: int
    concurrency: int | None = Field(description="most sends at a time, by all workers together")
    rate: RateDocument | None = Field(description="most sends in a time, by all workers together")
    on_unknown: OnUnknownName | None = Field(description="of what may have been sent; by the type where null")
    max_attempts: int | None
    expires_after: str | None
    circuit: CircuitDocument
    receipts_url: str | None = Field(description="where it tells what became of messages; null where its type does not")
    created_at: datetime
    updated_at: datetime


class ProviderTypeDocument(Document):
    """A kind of provider that there is."""

    type: str
    channels: list[ChannelName]
    config: dict[str, Any] = Field(description="the JSON schema of its configuration; secrets are writeOnly")
    on_unknown: OnUnknownName = Field(description="what is done about a send that may have worked, unless it is set")


class TriedDocument(Document):
    delivery_id: UUID = Field(description="what becomes of it is seen at /v1/deliveries/{id}")


class TallyDocument(Document):
    """How a notice stands, counted in people (`people`, `noTarget`) and in deliveries."""

    complete: bool = Field(description="whether everybody in the audience has been reached")
    people: int
    no_target: int = Field(
        description="people without an address for any channel, or whose chosen integrations are gone"
    )
    open: int
    sent: int
    skipped: int
    failed: int
    settled_at: datetime | None


class NoticeDocument(Document):
    """Something that was said, once, whoever heard it."""

    id: UUID
    fact_id: UUID | None
    listener: str
    rule_version: int | None
    title: str
    body: str
    template: str
    level: LevelName
    category: str
    channels: list[ChannelName]
    topic: str | None = Field(description="that it is said under: who chose integrations for it is told there")
    audience: list[dict[str, Any]]
    properties: dict[str, Any]
    shared: bool
    run_at: datetime
    tally: TallyDocument
    closed_at: datetime | None
    closed_reason: str | None
    matter: str | None = Field(description="what is to be settled, where somebody is to")
    actions: list[str] = Field(description="what can be done about it")
    created_at: datetime


class RecipientDocument(Document):
    """A notification: a notice to one person."""

    id: UUID
    person_id: UUID
    missing: list[ChannelName] = Field(description="channels for which the person had no address")
    targets: int = Field(description="how many addresses it goes to")
    routed: bool = Field(
        description="whether it goes to what the person chose for its topic; no targets: that is gone, or off"
    )
    status: DeliveryStatus | None = Field(
        description="the worst of its deliveries, what is open before what has ended; null where it has none"
    )
    attempts: int = Field(description="of all its deliveries")
    last_error: str | None = Field(description="the newest of its deliveries")
    settled_at: datetime | None = Field(description="when the last of its deliveries ended")
    read_at: datetime | None
    archived_at: datetime | None
    created_at: datetime


class DeliveryDocument(Document):
    """A notification over one channel to one address."""

    id: UUID
    channel: ChannelName
    provider: UUID
    provider_name: str | None
    notice_id: UUID
    title: str | None = Field(description="the notice's")
    fact_id: UUID | None = Field(description="that the notice tells of")
    notification_id: UUID
    person_id: UUID
    person_name: str | None = Field(description="null where the person was deleted")
    address: str
    status: DeliveryStatus
    attempts: int
    max_attempts: int | None
    last_error: str | None
    receipt: str | None
    confirmed: str | None = Field(description="what the provider said of it later")
    confirmed_at: datetime | None
    due_at: datetime
    run_at: datetime
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class AttemptDocument(Document):
    """One attempt, or one decision not to make one."""

    outcome: AttemptOutcome
    reason: str | None
    receipt: str | None
    took_seconds: float | None
    provider: UUID
    provider_name: str | None
    ended_at: datetime


class DeliveryInFullDocument(DeliveryDocument):
    history: list[AttemptDocument]


class RetriedDocument(Document):
    retried: int
    more: bool = Field(description="whether failed deliveries that match are left; ask again for them")


class KeptDocument(Document):
    """A message that the sandbox kept."""

    id: UUID = Field(description="its delivery's")
    channel: ChannelName
    to: str | None = Field(description="null where it was sealed with a master key that is not there any more")
    subject: str | None
    text: str | None
    created_at: datetime


class ButtonDocument(Document):
    label: str
    url: str


class KeptInFullDocument(KeptDocument):
    name: str | None
    html: str | None
    level: LevelName | None
    data: dict[str, Any] | None
    unsubscribe_url: str | None
    buttons: list[ButtonDocument] = Field(description="what it can be answered with; of a mail, among its words too")
    attachments: list[dict[str, Any]]


class ClearedDocument(Document):
    removed: int
