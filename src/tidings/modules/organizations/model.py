"""What an organisation is, the steps of taking one on, and what may be asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

MODULE = "organizations"
STREAM = "organization"
CATEGORY = "invitations"
WORKFLOW = "OrganizationBootstrapWorkflow"
ADMIN_ROLE = "provider_admin"
SUBDOMAIN = "^[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$"
MOST_USERS = 100
DNS_TIMEOUT = timedelta(minutes=30)
LONGEST_DNS_TIMEOUT = timedelta(minutes=45)
SHORTEST_DNS_TIMEOUT = timedelta(minutes=1)
MARK = "tidings-organization:"
"""What the comment of a DNS record of ours begins with; the organisation's id follows."""
RECONCILER: Mapping[str, Any] = {"actor": "reconciler"}
"""Who says what the reconciler says."""


class Type(StrEnum):
    PROVIDER = "provider"
    PARTNER = "partner"  # of another organisation, its parent


class InvitedRole(StrEnum):
    PROVIDER_ADMIN = "provider_admin"
    PARTNER_ADMIN = "partner_admin"
    MEMBER = "member"


class Status(StrEnum):
    INITIATED = "initiated"
    RUNNING = "running"
    COMPENSATING = "compensating"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (Status.INITIATED, Status.RUNNING, Status.COMPENSATING)
UNDONE = (Status.COMPENSATING, Status.FAILED, Status.CANCELLED)
"""No step goes forward any more."""


class Step(StrEnum):
    """In their order, by the names that the API knows them by."""

    CREATE = "createOrganization"
    GRANT = "grantPermissions"
    CONFIGURE_DNS = "configureDns"
    WAIT = "waitForPropagation"
    VERIFY_DNS = "verifyDns"
    INVITE = "generateInvitations"
    MAIL = "sendInvitations"
    COMPLETE = "complete"


class Undo(StrEnum):
    """What takes a step back."""

    REVOKE_INVITATIONS = "revokeInvitations"
    REMOVE_DNS = "removeDns"
    REVOKE_PERMISSIONS = "revokePermissions"
    DEACTIVATE = "deactivateOrganization"


UNDOES: Mapping[Step, Undo] = {
    Step.CREATE: Undo.DEACTIVATE,
    Step.GRANT: Undo.REVOKE_PERMISSIONS,
    Step.CONFIGURE_DNS: Undo.REMOVE_DNS,
    Step.INVITE: Undo.REVOKE_INVITATIONS,
}


class Invited(StrEnum):
    """How an invitation stands. One that nobody took up in time is `expired`, which no fact says."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REVOKED = "revoked"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Organization:
    """As its facts say."""

    id: UUID
    name: str
    type: Type
    parent_id: UUID | None
    contact_id: UUID | None
    base_domain: str
    subdomain: str
    path: tuple[str, ...]
    status: Status
    active: bool
    subdomain_status: str
    dns_record_id: str | None
    dns_record_ours: bool | None
    dns_timeout: timedelta
    stage: str | None
    error: str | None
    left_over: tuple[str, ...]
    version: int
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None

    @property
    def domain(self) -> str:
        return f"{self.subdomain}.{self.base_domain}"

    @property
    def process(self) -> str:
        return process_of(self.id)


@dataclass(frozen=True)
class Roles:
    """What each role may do."""

    of: Mapping[str, Sequence[str]]

    @property
    def grants(self) -> dict[str, list[str]]:
        return {role: sorted(permissions) for role, permissions in self.of.items()}


def process_of(organization_id: UUID) -> str:
    return f"org-bootstrap-{organization_id}"


def invitation_of(organization_id: UUID, address_id: UUID) -> UUID:
    """One for each mailbox and organisation, the same every time."""
    return uuid5(organization_id, str(address_id))


def mark_of(organization_id: UUID) -> str:
    return f"{MARK}{organization_id}"


def marked(comment: str | None) -> UUID | None:
    """The organisation that a record says it belongs to; None for what is none of ours."""
    if comment is None or not comment.startswith(MARK):
        return None
    try:
        return UUID(comment.removeprefix(MARK))
    except ValueError:
        return None
