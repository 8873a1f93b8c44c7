"""Deliveries that were sent, written straight into the tables: sending is tested elsewhere."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.support.pipeline import Owner, add_person

ADDRESS = "somebody@example.com"


async def sent(
    owner: Owner,
    provider: UUID,
    receipt: str,
    *,
    channel: str = "email",
    address: str = ADDRESS,
    tenant: str = "default",
) -> UUID:
    """A finished delivery of a notice of its own, caused by a fact of its own."""
    person = await add_person(owner, tenant=tenant)
    fact = await owner.fetchval("SELECT tidings.emit('order.paid', tenant => $1)", tenant)
    notice = await owner.fetchval(
        """INSERT INTO tidings.notices
               (id, tenant, fact_id, listener, title, body, template, level, category, channels, audience)
           VALUES (tidings.uuid7(), $1, $2, 'test', 'Paid', '', 'notice', 'info', 'orders', '{email}', '[]')
           RETURNING id""",
        tenant,
        fact,
    )
    id: UUID = await owner.fetchval(  # noqa: A001
        """INSERT INTO tidings.deliveries_finished
               (id, tenant, channel, provider, notice_id, notification_id, person_id, address, due_at, run_at,
                expires_at, status, receipt, attempts, crashes, generation, created_at, updated_at)
           VALUES (tidings.uuid7(), $1, $2, $3, $4, tidings.uuid7(), $5, $6, now(), now(), now(), 'sent', $7, 1, 0, 0,
               now(), now()) RETURNING id""",
        tenant,
        channel,
        provider,
        notice,
        person,
        address,
        receipt,
    )
    return id


async def being_sent(owner: Owner, provider: UUID) -> UUID:
    """A delivery that is with its provider: leased, and not settled yet."""
    id: UUID = await owner.fetchval(  # noqa: A001
        """INSERT INTO tidings.deliveries
               (id, tenant, channel, provider, notice_id, notification_id, person_id, address, due_at, run_at,
                expires_at, status, lease_token)
           VALUES (tidings.uuid7(), 'default', 'email', $1, tidings.uuid7(), tidings.uuid7(), tidings.uuid7(),
               'somebody@example.com', now(), now(), now(), 'processing', tidings.uuid7()) RETURNING id""",
        provider,
    )
    return id


async def confirmed(owner: Owner, delivery: UUID) -> str | None:
    found: str | None = await owner.fetchval(
        "SELECT confirmed FROM tidings.deliveries_finished WHERE id = $1", delivery
    )
    return found


async def history(owner: Owner, delivery: UUID) -> list[tuple[str, str | None]]:
    rows = await owner.fetch(
        "SELECT outcome, reason FROM tidings.delivery_attempts WHERE delivery_id = $1 ORDER BY ended_at, ctid", delivery
    )
    return [(row["outcome"], row["reason"]) for row in rows]


async def suppressed(owner: Owner) -> list[dict[str, Any]]:
    rows = await owner.fetch("SELECT tenant, kind, value, reason, detail, delivery_id FROM tidings.suppressions")
    return [dict(row) for row in rows]
