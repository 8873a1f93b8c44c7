"""What one person would get over one channel, of one fact. Nothing is written or sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.spine.channels.port import Channel
from tidings.spine.journal.reading import Facts, data_of
from tidings.spine.notify.saying import TEMPLATE
from tidings.spine.notify.template_store import Templates, source_for
from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.sources import Rendered, Source

_PERSON = """
SELECT id::text, name, external_id AS "externalId", user_type AS "userType", locale, timezone
FROM tidings.people WHERE tenant = $1 AND id = $2
"""
_SAMPLE_PERSON = {"id": None, "name": "Sample Person", "externalId": None, "userType": None}
_SAMPLE_LINK = "https://example.com/unsubscribe/sample"  # a real one would unsubscribe somebody


@dataclass(frozen=True)
class Wanted:
    """What to render. A `source` that is not saved is used in place of the one of that name; what is left out is the
    person's, the fact's, or a sample."""

    channel: str
    name: str = TEMPLATE
    source: Source | None = None
    locale: str | None = None
    timezone: str | None = None
    fact_id: UUID | None = None
    data: Mapping[str, Any] | None = None
    person_id: UUID | None = None
    notice: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Previews:
    connection: Connection
    tenant: str
    renderer: Renderer

    async def preview(self, wanted: Wanted) -> Rendered:
        """`ValidationFailed` that names the part and the line where the template cannot be rendered."""
        person = await self._person(wanted.person_id)
        locale = wanted.locale or person.get("locale") or "en"
        zone = wanted.timezone or person.get("timezone") or "UTC"
        source = wanted.source or await self._saved(wanted, locale)
        if wanted.source:
            await self._check(wanted.source, wanted.channel)
        person |= {"locale": locale, "timezone": zone}
        context = {**await self._about(wanted), "notice": await self._notice(wanted), "person": person}
        context |= {"unsubscribe_url": _SAMPLE_LINK} if wanted.channel == Channel.EMAIL else {}
        try:
            return await asyncio.to_thread(self.renderer.render, wanted.channel, source, context, locale, zone)
        except TemplateError as error:
            raise _invalid([Fault(f"source.{error.part}", error.detail)]) from None

    async def _check(self, source: Source, channel: str) -> None:
        if faults := await asyncio.to_thread(Checker(self.renderer).faults, source, channel):
            raise _invalid([Fault(f"source.{fault.field}", fault.message) for fault in faults])

    async def _saved(self, wanted: Wanted, locale: str) -> Source:
        await Templates(self.connection, self.tenant).require(wanted.name, "name")
        now = await self.connection.fetchval("SELECT now()")
        return await source_for(self.connection, self.tenant, wanted.name, wanted.channel, locale, now)

    async def _notice(self, wanted: Wanted) -> dict[str, Any]:
        called = await self.connection.fetchval(
            "SELECT name FROM tidings.categories WHERE tenant = $1 AND id = $2",
            self.tenant,
            wanted.notice.get("category"),
        )
        return {**wanted.notice, "categoryName": called}

    async def _person(self, id: UUID | None) -> dict[str, Any]:
        if id is None:
            return dict(_SAMPLE_PERSON)
        row = await self.connection.fetchrow(_PERSON, self.tenant, id)
        if row is None:
            raise NotFound("There is no such person.")
        return dict(row)

    async def _about(self, wanted: Wanted) -> dict[str, Any]:
        tenant = await self.connection.fetchrow("SELECT id, name FROM tidings.tenants WHERE id = $1", self.tenant)
        fact: dict[str, Any] = {"id": None, "type": "sample.fact", "occurredAt": await self._now()}
        data = wanted.data or {}
        if wanted.fact_id is not None:
            found = await Facts(self.connection, self.tenant).get(wanted.fact_id)
            fact = {"id": str(found.id), "type": found.type, "occurredAt": found.occurred_at.isoformat()}
            data = wanted.data or data_of(found.data)
        return {"fact": fact, "data": dict(data), "tenant": dict(tenant or {"id": self.tenant})}

    async def _now(self) -> str:
        now: datetime = await self.connection.fetchval("SELECT now()")
        return now.isoformat()


def _invalid(faults: list[Fault]) -> ValidationFailed:
    return ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), tuple(faults))
