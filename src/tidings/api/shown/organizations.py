"""Organisations, their bootstraps and invitations, as a client sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never
from uuid import UUID

from tidings.modules.organizations.invitations import Invitation
from tidings.modules.organizations.model import Organization, Step
from tidings.modules.organizations.organizations import Fact
from tidings.modules.organizations.progress import Progress
from tidings.spine.processes.states import Away, Ended, NotStarted, Running, State

_SAID = ("stage", "waitsUntil", "verificationTries", "lastVerification")


def shown_organization(organization: Organization, names: Mapping[UUID, str], *, may_manage: bool) -> dict[str, Any]:
    contact = organization.contact_id
    return {
        "id": organization.id,
        "name": organization.name,
        "type": organization.type,
        "parentId": organization.parent_id,
        "contact": {"id": contact, "name": None if contact is None else names.get(contact)},
        "subdomain": organization.subdomain,
        "domain": organization.domain,
        "path": ".".join(organization.path),
        "status": organization.status,
        "active": organization.active,
        "subdomainStatus": organization.subdomain_status,
        "stage": _stage(organization),
        "error": organization.error,
        "leftOver": organization.left_over,
        "mayManage": may_manage,
        "createdAt": organization.created_at,
        "updatedAt": organization.updated_at,
        "closedAt": organization.closed_at,
    }


def shown_bootstrap(
    organization: Organization, progress: Progress, mails: Mapping[str, int], state: State, *, may_manage: bool
) -> dict[str, Any]:
    result = progress.result
    return {
        "organizationId": organization.id,
        "name": organization.name,
        "domain": organization.domain,
        "status": organization.status,
        "progress": [{"step": each.step, "completed": each.completed, "error": each.error} for each in progress.steps],
        "undone": progress.undone,
        "stage": _stage(organization),
        "error": organization.error,
        "leftOver": organization.left_over,
        "mails": mails,
        "live": _live(state),
        "result": None
        if result is None
        else {
            "organizationId": organization.id,
            "domain": result.domain,
            "dnsConfigured": result.dns_configured,
            "invitationsSent": result.invitations_sent,
            "adminRole": result.admin_role,
            "permissionsGranted": result.permissions_granted,
            "path": ".".join(result.path),
            "errors": result.errors,
        },
        "mayManage": may_manage,
        "createdAt": organization.created_at,
        "closedAt": organization.closed_at,
    }


def shown_fact(fact: Fact) -> dict[str, Any]:
    """Without the hashes of tokens, which are of no use to anybody."""
    return {
        "id": fact.id,
        "version": fact.version,
        "type": fact.type,
        "data": {name: value for name, value in fact.data.items() if name != "tokenHash"},
        "actor": fact.actor,
        "occurredAt": fact.occurred_at,
    }


def shown_invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.id,
        "organizationId": invitation.organization_id,
        "personId": invitation.person_id,
        "name": invitation.name,
        "email": invitation.email,
        "role": invitation.role,
        "status": invitation.status,
        "issue": invitation.issue,
        "expiresAt": invitation.expires_at,
        "mailStatus": invitation.mail_status,
        "mailError": invitation.mail_error,
        "createdAt": invitation.created_at,
        "acceptedAt": invitation.accepted_at,
        "revokedAt": invitation.revoked_at,
    }


def _stage(organization: Organization) -> str | None:
    return organization.stage if organization.stage in set(Step) else None


def _live(state: State) -> dict[str, Any]:
    silent: dict[str, Any] = dict.fromkeys(_SAID)
    match state:
        case Running(said):
            return {"state": "running", "reason": None, **{name: said.get(name) for name in _SAID}}
        case Ended(how):
            return {"state": "ended", "reason": how, **silent}
        case NotStarted():
            return {"state": "not_started", "reason": None, **silent}
        case Away(reason):
            return {"state": "away", "reason": reason, **silent}
        case _:
            assert_never(state)
