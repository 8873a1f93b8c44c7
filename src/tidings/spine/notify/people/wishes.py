"""The preferences of a tenant's people, as they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.kit.db import Connection
from tidings.kit.errors import Fault, NotFound, ValidationFailed
from tidings.spine.notify.people.preferences import Preference


@dataclass(frozen=True)
class Wishes:
    connection: Connection
    tenant: str

    async def of(self, person_id: UUID) -> Sequence[Preference]:
        rows = await self.connection.fetch(
            """SELECT category, channel, wanted FROM tidings.preferences WHERE tenant = $1 AND person_id = $2
               ORDER BY category, channel""",
            self.tenant,
            person_id,
        )
        return [Preference(*row) for row in rows]

    async def set(self, person_id: UUID, preferences: Sequence[Preference]) -> None:
        """In place of all that they had; of two about the same, the last counts. `ValidationFailed` where one turns a
        required category off."""
        await self._lock(person_id)
        await self._refuse_required(preferences)
        last = {(preference.category, preference.channel): preference.wanted for preference in preferences}
        await self.connection.execute(
            "DELETE FROM tidings.preferences WHERE tenant = $1 AND person_id = $2", self.tenant, person_id
        )
        await self.connection.execute(
            """INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
               SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::boolean[])""",
            self.tenant,
            person_id,
            [category for category, _ in last],
            [channel for _, channel in last],
            list(last.values()),
        )

    async def _lock(self, person_id: UUID) -> None:
        """Of two at once the later stands whole; without this, their rows would mix."""
        found = await self.connection.fetchval(
            "SELECT id FROM tidings.people WHERE tenant = $1 AND id = $2 FOR UPDATE", self.tenant, person_id
        )
        if found is None:
            raise NotFound("There is no such person.")

    async def _refuse_required(self, preferences: Sequence[Preference]) -> None:
        off = [preference.category for preference in preferences if not preference.wanted]
        required = await self.connection.fetchval(
            "SELECT array_agg(id) FROM tidings.categories WHERE tenant = $1 AND required AND id = ANY ($2::text[])",
            self.tenant,
            off,
        )
        faults = tuple(
            Fault(f"preferences.{place}.wanted", f"the category {preference.category} is required")
            for place, preference in enumerate(preferences)
            if not preference.wanted and preference.category in (required or ())
        )
        if faults:
            raise ValidationFailed("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)
