"""Which person is meant: by id, external id or e-mail."""

from __future__ import annotations

from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.spine.delivery.seeing.evidence import Who
from tidings.spine.notify.people.addresses import of_email

_FIND = """
SELECT p.id, p.name, p.external_id, p.created_at FROM tidings.people p
WHERE p.tenant = $1 AND (p.id = $2 OR p.external_id = $3)
UNION
SELECT p.id, p.name, p.external_id, p.created_at FROM tidings.addresses a JOIN tidings.people p ON p.id = a.person_id
WHERE a.tenant = $1 AND a.kind = 'email' AND a.fingerprint = $4 LIMIT 20
"""
_WAS_TOLD = "SELECT EXISTS (SELECT FROM tidings.notifications WHERE tenant = $1 AND person_id = $2)"


async def find_person(connection: Connection, tenant: str, text: str) -> Who:
    """Somebody who was deleted is found by their id, as long as what they were told is kept."""
    given = _uuid(text)
    rows = await connection.fetch(_FIND, tenant, given, text, _fingerprint(text))
    exact = [row for row in rows if row["id"] == given] or [row for row in rows if row["external_id"] == text] or rows
    if len(exact) > 1:
        message = f"{len(exact)} people have this e-mail address; name one of them by id: "
        message += ", ".join(str(row["id"]) for row in exact)
        raise ValidationFailed(f"person: {message}", (Fault("person", message),))
    if exact:
        return Who(**exact[0])
    if given is not None and await connection.fetchval(_WAS_TOLD, tenant, given):
        return Who(given)
    raise NotFound("There is no such person.")


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _fingerprint(text: str) -> str | None:
    try:
        return of_email(text).fingerprint
    except ValueError:
        return None
