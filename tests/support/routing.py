"""Integrations and choices among them, for tests of what is said under a topic."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from tests.support.pipeline import Owner
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.notify.people.addresses import Kind, new_address
from tidings.spine.notify.people.integrations import Changes, Integrations
from tidings.spine.notify.people.urls import not_called

TOPIC = "event:7"


async def integrations_at(owner: Owner, settings: Settings, tenant: str = "default") -> Integrations:
    return Integrations(owner, tenant, (await unlocked(settings, owner)).vault(ADDRESSES))


async def add_integration(
    owner: Owner, settings: Settings, person: UUID, name: str, tags: Sequence[str] = (), *, active: bool = True
) -> UUID:
    mine = await integrations_at(owner, settings)
    address = new_address(Kind.APPRISE, f"ntfys://ntfy.sh/{name}", not_called)
    made = await mine.create(person, name, address, tags)
    if not active:
        await mine.change(person, made.id, Changes(active=False))
    return made.id


async def choose(
    owner: Owner, person: UUID, ids: Sequence[UUID] = (), tags: Sequence[str] = (), topic: str = TOPIC
) -> None:
    await owner.execute(
        """INSERT INTO tidings.subscriptions (tenant, topic, person_id, address_ids, tags)
           VALUES ('default', $1, $2, $3, $4)""",
        topic,
        person,
        list(ids),
        list(tags),
    )
