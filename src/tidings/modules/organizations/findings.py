"""What a look at a tenant's organisations finds to be wrong, and what came of mending it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from tidings.modules.organizations.dns.port import DnsFailed, RecordExists
from tidings.spine.outbox.outcomes import Permanent, describe

TROUBLES = (Permanent, DnsFailed, RecordExists)
"""What a provider of DNS may raise: told, and no reason not to look at the rest."""
Mending: TypeAlias = Callable[[], Awaitable[object]]


class What(StrEnum):
    """What can be wrong."""

    PROCESS_ENDED = "process_ended"  # and the bootstrap is open
    DNS_LEFT = "dns_left"
    DNS_MISSING = "dns_missing"
    DNS_ELSEWHERE = "dns_elsewhere"
    DNS_UNKNOWN = "dns_unknown"  # an id that is not ours: perhaps another installation's
    INVITATION_LEFT = "invitation_left"
    PERMISSION_LEFT = "permission_left"
    UNDO_LEFT = "undo_left"  # on record as not undone
    PROJECTION_DIFFERS = "projection_differs"
    NOT_ASKED = "not_asked"  # Temporal or the DNS provider does not answer


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong; `mended` now, or only told."""

    what: What
    organization_id: UUID | None
    detail: str
    mended: bool

    @property
    def is_open(self) -> bool:
        """Whether somebody has to do something about it. What may belong to another installation is only told."""
        return not self.mended and self.what is not What.DNS_UNKNOWN


@dataclass
class Sweep:
    """One look at a tenant."""

    tenant: str
    mends: bool
    findings: list[Finding] = field(default_factory=list)

    def told(self, what: What, organization_id: UUID | None, detail: str) -> None:
        """What is for a person to decide."""
        self.findings.append(Finding(what, organization_id, detail, mended=False))

    async def mended(self, what: What, organization_id: UUID | None, detail: str, mending: Mending) -> None:
        """Mends it, unless this is only to look. What cannot be mended now is told, with why."""
        mended = self.mends
        if self.mends:
            try:
                await mending()
            except TROUBLES as error:
                detail, mended = f"{detail}; {describe(error)}", False
        self.findings.append(Finding(what, organization_id, detail, mended))
