"""The bootstrap of an organisation as others see it: what it is started with, told, asked, and what it calls."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import Field

from tidings.modules.organizations.model import Step, Undo
from tidings.spine.processes.contracts import Contract, Document, Patience

_MINUTE = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)
_BEAT = timedelta(seconds=10)
_FOR_UNDOING = timedelta(days=1)
"""How long the database may be away until an undo gives up."""


def _patience(
    attempts: int,
    first: timedelta,
    longest: timedelta,
    one: timedelta = 5 * _MINUTE,
    factor: float = 2.0,
    deadline: timedelta = timedelta(hours=2),
) -> Patience:
    return Patience(
        attempts=attempts,
        first_wait=first,
        longest_wait=longest,
        deadline=deadline,
        one_attempt=one,
        factor=factor,
        beat=_BEAT,
    )


class Patiences(Document):
    """How often each step is tried, and how long."""

    facts: Patience = _patience(3, _SECOND, 30 * _SECOND)
    dns: Patience = _patience(5, 5 * _SECOND, 2 * _MINUTE, 10 * _MINUTE)
    verifying: Patience = _patience(10, 10 * _SECOND, 5 * _MINUTE, factor=1.5)
    inviting: Patience = _patience(3, timedelta(milliseconds=500), 10 * _SECOND)
    mailing: Patience = _patience(2, 2 * _SECOND, 30 * _SECOND)
    undoing: Patience = _patience(3, _SECOND, 30 * _SECOND, deadline=_FOR_UNDOING)
    undoing_dns: Patience = _patience(3, 5 * _SECOND, _MINUTE, 10 * _MINUTE, deadline=_FOR_UNDOING)


class Limits(Document):
    """Waits and limits of one bootstrap, from its start on: a replay must find them as they were."""

    propagation: timedelta = 5 * _MINUTE
    verify_every: timedelta = 5 * _MINUTE
    verify_tries: int = 6
    dns_timeout: timedelta = 30 * _MINUTE
    mails: timedelta = 5 * _MINUTE
    total: timedelta = timedelta(minutes=60)
    patience: Patiences = Patiences()


class BootstrapRef(Document):
    tenant: str
    organization_id: str


class BootstrapInput(BootstrapRef):
    limits: Limits = Limits()

    @property
    def ref(self) -> BootstrapRef:
        return BootstrapRef(tenant=self.tenant, organization_id=self.organization_id)


class Verified(Document):
    """What the resolvers said: not there yet is an answer, too."""

    verified: bool
    method: str
    quorum: str


class Mails(Document):
    """How the mails of the invitations stand."""

    sent: int = 0
    failed: int = 0
    waiting: int = 0


class Trouble(BootstrapRef):
    """What came between: in which step, in whose words; `how` it is to end, `failed` or `cancelled`."""

    how: str
    stage: str
    error: str


class UndoFailure(BootstrapRef):
    undo: Undo
    error: str


class StepStatus(Document):
    step: str
    completed: bool
    error: str | None = None


class BootstrapStatus(Document):
    """How the process stands: the answer to the query `status`."""

    status: str
    stage: str | None
    error: str | None
    verification_tries: int
    last_verification: str | None
    waits_until: datetime | None
    mails: Mails


class Progress(Document):
    """Every step, done or not: the answer to the query `progress`."""

    steps: list[StepStatus]
    mails: Mails
    undone: list[str] = Field(default_factory=list)


class BootstrapResult(Document):
    organization_id: str
    status: str
    mails: Mails = Mails()


CREATE = Contract("organizations.create", BootstrapRef, str)
GRANT = Contract("organizations.grant", BootstrapRef, int)
CONFIGURE_DNS = Contract("organizations.configure_dns", BootstrapRef, str)
VERIFY_DNS = Contract("organizations.verify_dns", BootstrapRef, Verified)
INVITE = Contract("organizations.invite", BootstrapRef, int)
MAIL = Contract("organizations.mail", BootstrapRef, Mails)
COUNT_MAILS = Contract("organizations.count_mails", BootstrapRef, Mails)
COMPLETE = Contract("organizations.complete", BootstrapRef, str)
BEGIN_UNDOING = Contract("organizations.begin_undoing", Trouble, str)
UNDO: dict[Undo, Contract[BootstrapRef, str]] = {
    Undo.REVOKE_INVITATIONS: Contract("organizations.revoke_invitations", BootstrapRef, str),
    Undo.REMOVE_DNS: Contract("organizations.remove_dns", BootstrapRef, str),
    Undo.REVOKE_PERMISSIONS: Contract("organizations.revoke_permissions", BootstrapRef, str),
    Undo.DEACTIVATE: Contract("organizations.deactivate", BootstrapRef, str),
}
UNDO_FAILED = Contract("organizations.undo_failed", UndoFailure, str)
FINISH = Contract("organizations.finish", Trouble, str)

RETRY_DNS = "retry_dns_verification"
CANCEL = "cancel"
MAILS_SETTLED = "mails_settled"
"""The signals."""
STEPS = tuple(Step)
