"""Organisations, their bootstraps and invitations, as a client sees them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tidings.api.documents import Document, SomebodyDocument

OrganizationStatus = Literal["initiated", "running", "compensating", "completed", "failed", "cancelled"]
OrganizationType = Literal["provider", "partner"]
SubdomainStatus = Literal["reserved", "configured", "verified", "removed"]
RoleName = Literal["provider_admin", "partner_admin", "member"]
StepName = Literal[
    "createOrganization",
    "grantPermissions",
    "configureDns",
    "waitForPropagation",
    "verifyDns",
    "generateInvitations",
    "sendInvitations",
    "complete",
]
UndoName = Literal["revokeInvitations", "removeDns", "revokePermissions", "deactivateOrganization"]


class AcceptedDocument(Document):
    organization_id: UUID
    status: OrganizationStatus


class AvailabilityDocument(Document):
    subdomain: str
    domain: str = Field(description="what it would be")
    available: bool
    reason: str | None = Field(description="why not")


class OrganizationDocument(Document):
    id: UUID
    name: str
    type: OrganizationType
    parent_id: UUID | None
    contact: SomebodyDocument
    subdomain: str
    domain: str
    path: str = Field(description="its place in the tree, as labels joined by dots; empty until it is made")
    status: OrganizationStatus = Field(description="of its bootstrap")
    active: bool
    subdomain_status: SubdomainStatus
    stage: StepName | None = Field(description="where the bootstrap came to grief")
    error: str | None = Field(description="the first")
    left_over: list[UndoName] = Field(description="what could not be undone yet, and is being tried")
    may_manage: bool = Field(description="whether you may cancel, invite and revoke")
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None


class ProgressDocument(Document):
    step: StepName
    completed: bool
    error: str | None


class MailsDocument(Document):
    sent: int
    failed: int
    waiting: int


class LiveDocument(Document):
    """What the process itself says; not there while nobody answers for it."""

    state: Literal["not_started", "running", "ended", "away"]
    reason: str | None = Field(description="how it ended, or why nobody answers")
    stage: str | None = Field(description="the step it is at")
    waits_until: datetime | None
    verification_tries: int | None
    last_verification: str | None = Field(description="how many resolvers have it, such as 1/3")


class ResultDocument(Document):
    """What a complete bootstrap has come to."""

    organization_id: UUID
    domain: str
    dns_configured: bool
    invitations_sent: int
    admin_role: str
    permissions_granted: int
    path: str
    errors: list[str] = Field(description="mails that could not be sent")


class BootstrapStatusDocument(Document):
    organization_id: UUID
    name: str
    domain: str
    status: OrganizationStatus
    progress: list[ProgressDocument]
    undone: list[UndoName]
    stage: StepName | None
    error: str | None = Field(description="the first; of one that failed or was cancelled")
    left_over: list[UndoName]
    mails: MailsDocument
    live: LiveDocument
    result: ResultDocument | None
    may_manage: bool
    created_at: datetime
    closed_at: datetime | None


class OrganizationFactDocument(Document):
    id: UUID
    version: int = Field(description="its place in the stream, without gaps")
    type: str
    data: dict[str, Any]
    actor: str | None = Field(description="who, or which process, said so")
    occurred_at: datetime


class InvitationDocument(Document):
    id: UUID
    organization_id: UUID
    person_id: UUID
    name: str | None
    email: str | None
    role: RoleName
    status: Literal["pending", "accepted", "revoked", "expired"]
    issue: int = Field(description="how many links were made; the last alone is good")
    expires_at: datetime
    mail_status: Literal["none", "requested", "sent", "failed"]
    mail_error: str | None
    created_at: datetime
    accepted_at: datetime | None
    revoked_at: datetime | None


class OpenedInvitationDocument(Document):
    """What whoever holds the link may see."""

    organization: str
    email: str
    name: str
    role: RoleName
    expires_at: datetime
    has_login: bool = Field(description="whether there is a sign-in for this address, whose password is asked for")
    signed_in_as: str | None = Field(description="the address of whoever is signed in here")


class AcceptedInvitationDocument(Document):
    organization_id: UUID
    tenant: str
    csrf_token: str | None = Field(description="of the session that was opened; null where you are signed in already")
    expires_at: datetime | None
