"""How far a bootstrap is, from its facts: so that it can be told when no worker is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tidings.modules.organizations.model import Organization, Status, Step, Undo
from tidings.modules.organizations.organizations import Fact

_DONE_BY: Mapping[str, Step] = {
    "organization.created": Step.CREATE,
    "organization.permissions.granted": Step.GRANT,
    "organization.dns.configured": Step.CONFIGURE_DNS,
    "organization.subdomain.verified": Step.VERIFY_DNS,
    "user.invited": Step.INVITE,
    "invitation.email.sent": Step.MAIL,
    "organization.bootstrap.completed": Step.COMPLETE,
}
_UNDONE_BY: Mapping[str, Undo] = {
    "invitation.revoked": Undo.REVOKE_INVITATIONS,
    "organization.dns.removed": Undo.REMOVE_DNS,
    "organization.permissions.revoked": Undo.REVOKE_PERMISSIONS,
    "organization.deactivated": Undo.DEACTIVATE,
}


@dataclass(frozen=True)
class StepDone:
    """`error`: what it, or the bootstrap while it was at it, came to grief of."""

    step: Step
    completed: bool
    error: str | None


@dataclass(frozen=True)
class Result:
    """What a bootstrap that is complete has come to."""

    domain: str
    dns_configured: bool
    invitations_sent: int
    admin_role: str
    permissions_granted: int
    path: tuple[str, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    steps: tuple[StepDone, ...]
    undone: tuple[Undo, ...]
    result: Result | None


def progress_of(organization: Organization, facts: Sequence[Fact], mails_failed: Sequence[str]) -> Progress:
    types = {fact.type for fact in facts}
    completed = organization.status is Status.COMPLETED
    done = {step for fact, step in _DONE_BY.items() if fact in types} | (set(Step) if completed else set())
    if Step.VERIFY_DNS in done:
        done.add(Step.WAIT)
    troubled = organization.stage if organization.status is not Status.COMPLETED else None
    steps = tuple(StepDone(step, step in done, organization.error if troubled == step else None) for step in Step)
    turned = organization.status in (Status.COMPENSATING, Status.FAILED, Status.CANCELLED)
    undone = tuple(undo for fact, undo in _UNDONE_BY.items() if turned and fact in types)
    return Progress(steps, undone, _result(organization, facts, mails_failed) if completed else None)


def _result(organization: Organization, facts: Sequence[Fact], mails_failed: Sequence[str]) -> Result:
    data: dict[str, Any] = next(fact.data for fact in facts if fact.type == "organization.bootstrap.completed")
    return Result(
        organization.domain,
        any(fact.type == "organization.dns.configured" for fact in facts),
        len({fact.data["invitationId"] for fact in facts if fact.type == "invitation.email.sent"}),
        data["adminRole"],
        data["permissionsGranted"],
        tuple(data["path"]),
        tuple(mails_failed),
    )
