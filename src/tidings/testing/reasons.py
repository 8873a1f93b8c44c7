"""Why somebody was not told, in words: what `tidings why` would say of the newest facts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.settings import Settings
from tidings.spine.delivery.seeing.why import Why
from tidings.testing.database import opened

_MOST_FACTS = 3
_MOST_PEOPLE = 3
_PEOPLE = f"""
SELECT p.id FROM tidings.people p WHERE p.tenant = $1 AND ($2::text IS NULL OR $2 IN (p.external_id, p.name, p.id::text)
    OR EXISTS (SELECT FROM tidings.addresses a WHERE a.person_id = p.id AND a.value = $2))
ORDER BY p.id LIMIT {_MOST_PEOPLE}
"""
# Facts about notices come of what was told.
_FACTS = f"""
SELECT f.id FROM tidings.facts f WHERE f.tenant = $1 AND f.type NOT LIKE 'notice.%'
ORDER BY f.seq DESC LIMIT {_MOST_FACTS}
"""


async def why_not(settings: Settings, tenant: str, person: str | UUID | None, fact: UUID | None) -> list[str]:
    """Of one fact or the newest few, for one person or the first few."""
    async with opened(settings) as pool, pool.acquire() as connection:
        wanted = None if person is None else str(person)
        people = [row["id"] for row in await connection.fetch(_PEOPLE, tenant, wanted)]
        facts = [fact] if fact is not None else [row["id"] for row in await connection.fetch(_FACTS, tenant)]
        if not people:
            return [await _unknown(connection, tenant, wanted)]
        if not facts:
            return [f"no fact was recorded in tenant {tenant}: was the transaction committed?"]
        return ["why:", *dict.fromkeys([f"  {line}" for line in await _said(connection, tenant, people, facts)])]


async def _said(connection: Connection, tenant: str, people: Sequence[UUID], facts: Sequence[UUID]) -> list[str]:
    why = Why(connection, tenant)
    explained = [await why.of_fact(str(person), fact) for fact in facts for person in people]
    return [
        " ".join(answer.sentences)
        for explanation in explained
        for matter in explanation.matters
        for answer in matter.answers
    ]


async def _unknown(connection: Connection, tenant: str, wanted: str | None) -> str:
    if wanted is None:
        return f"there are no people in tenant {tenant}"
    rows = await connection.fetch("SELECT name, external_id FROM tidings.people WHERE tenant = $1 LIMIT 10", tenant)
    known = ", ".join(f"{row['name']} ({row['external_id']})" if row["external_id"] else row["name"] for row in rows)
    return f"nobody in tenant {tenant} is known as {wanted!r}; there are: {known or 'no people'}"
