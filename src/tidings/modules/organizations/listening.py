"""What is said of the facts of this module: an invitation by mail; and what became of that mail, as a fact."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.modules.organizations.model import CATEGORY, MODULE, STREAM, UNDONE, Status, process_of
from tidings.modules.organizations.process.contracts import MAILS_SETTLED
from tidings.modules.organizations.tokens import LINK, PATH, InvitationTokens
from tidings.modules.organizations.words import Reader
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.discretion import hidden
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.hearing import NotTold
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.notify.saying import Notice

_ATTEMPTS = 2
_INVITATION = """
SELECT i.person_id, i.address_id, i.status, i.issue, i.expires_at, i.organization_id, o.name AS organization,
    o.status AS bootstrap, o.subdomain || '.' || o.base_domain AS domain, p.locale, p.timezone
FROM tidings.user_invitations_projection i JOIN tidings.organizations_projection o ON o.id = i.organization_id
LEFT JOIN tidings.people p ON p.id = i.person_id
WHERE i.tenant = $1 AND i.id = $2
"""
_SETTLED = """
SELECT n.properties ->> 'invitationId' AS invitation, (n.properties ->> 'issue')::integer AS issue,
    i.organization_id, o.status, d.last_error AS error, d.address
FROM tidings.notices n JOIN tidings.user_invitations_projection i ON i.id = (n.properties ->> 'invitationId')::uuid
JOIN tidings.organizations_projection o ON o.id = i.organization_id
LEFT JOIN LATERAL (
    SELECT f.last_error, f.address FROM tidings.notifications m
    JOIN tidings.deliveries_finished f ON f.notification_id = m.id WHERE m.notice_id = n.id
    ORDER BY f.updated_at DESC LIMIT 1) d ON true
WHERE n.tenant = $1 AND n.id = $2 AND n.listener = $3
"""
_NAME = "organizations.invitation"


@dataclass(frozen=True)
class OrganizationListeners:
    def listeners(self) -> list[Listener]:
        return [
            Listener(_NAME, ("invitation.email.requested",), self.invitation, asking=True),
            Listener("organizations.mailed", ("notice.settled",), self.mailed, asking=True, settles=_NAME),
        ]

    async def invitation(self, connection: Connection, fact: Heard) -> Notice | NotTold:
        """By e-mail alone, and to the one address that was invited: whoever reads it holds that mailbox. The link is
        made when it is sent."""
        id = UUID(fact.data["invitationId"])  # noqa: A001
        await _hold(connection, fact.tenant, fact.data["organizationId"])
        row = await connection.fetchrow(_INVITATION, fact.tenant, id)
        if row is None or row["status"] != "pending" or row["issue"] != fact.data["issue"]:
            return NotTold("the invitation is void by now")
        if row["bootstrap"] in UNDONE:
            return NotTold("the organisation was not taken on")
        reader = Reader(row["locale"], row["timezone"])
        said = reader.invitation(row["organization"], row["expires_at"])
        return Notice(
            said.title,
            said.body,
            [Selector(By.PERSON, (str(row["person_id"]),))],
            [Channel.EMAIL],
            category=CATEGORY,
            properties={
                "invitationId": str(id),
                "issue": row["issue"],
                "domain": row["domain"],
                "actionLabel": reader.words.accept,
                "locale": reader.language,
            },
            link=LINK,
            matter=f"invitation:{id}",
            max_attempts=_ATTEMPTS,
            addresses=[row["address_id"]],
        )

    async def mailed(self, connection: Connection, fact: Heard) -> None:
        """Sent or not, it is on record, and the process hears that there is something to count."""
        row = await connection.fetchrow(_SETTLED, fact.tenant, UUID(fact.data["noticeId"]), _NAME)
        if row is None:
            return
        await _hold(connection, fact.tenant, str(row["organization_id"]))
        sent = fact.data["sent"] > 0
        error = None if sent else _why(row["error"], row["address"])
        about = {"invitationId": row["invitation"], "issue": row["issue"], "noticeId": fact.data["noticeId"]}
        what = "invitation.email.sent" if sent else "invitation.email.failed"
        key = f"mailed:{row['invitation']}:{row['issue']}"
        await _emit(connection, fact, what, str(row["organization_id"]), key, about | {"error": error})
        if row["status"] == Status.RUNNING:
            await connection.execute(
                """SELECT tidings.schedule_as('processes', ARRAY['process.signal'],
                       ARRAY[jsonb_build_object('process', $2::text, 'signal', $3::text, 'argument', NULL)],
                       ARRAY[NULL::text], ARRAY[now()], $1, NULL)""",
                fact.tenant,
                process_of(row["organization_id"]),
                MAILS_SETTLED,
            )


@dataclass(frozen=True)
class InvitationLinks:
    """The links in the mails: to the organisation's own domain where the world can see that, else to us."""

    tokens: InvitationTokens
    public_url: str
    asks_the_world: bool

    def url(self, data: Mapping[str, Any]) -> str:
        token = self.tokens.token(UUID(data["invitationId"]), int(data["issue"]))
        base = f"https://{data['domain']}" if self.asks_the_world else self.public_url
        return f"{base}{PATH}?token={token}"


async def _hold(connection: Connection, tenant: str, organization_id: str) -> None:
    """Whoever revokes it, or undoes the bootstrap, waits until what is said of it is recorded, and then closes it."""
    await connection.execute("SELECT tidings.hold_organization_of($1, $2)", tenant, UUID(organization_id))


def _why(error: str | None, address: str | None) -> str:
    """In the words of the provider, which often name the mailbox. Facts stay, and addresses may have to go."""
    return hidden(error, [address or ""]) if error else "there is no address that it could be sent to"


async def _emit(
    connection: Connection, cause: Heard, type: str, organization_id: str, key: str, data: Mapping[str, Any]
) -> None:
    await connection.execute(
        """SELECT tidings.emit_as($1, ARRAY[$2::text], ARRAY[$3::text::jsonb], ARRAY[$4::text], ARRAY[$5::text],
               ARRAY[$6::text], ARRAY[$7::text], NULL, ARRAY[$8::text::jsonb])""",
        MODULE,
        type,
        json.dumps({"organizationId": organization_id, **data}),
        STREAM,
        organization_id,
        cause.tenant,
        key,
        json.dumps({"causation_id": str(cause.id)}),
    )
