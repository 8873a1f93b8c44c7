"""People and rules for a test, through the same checks as over the API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind, NewAddress, new_address
from tidings.spine.notify.people.groups import Groups
from tidings.spine.notify.people.people import People
from tidings.spine.notify.people.person import Writing
from tidings.spine.notify.people.topics import Topics
from tidings.spine.notify.people.urls import not_called
from tidings.spine.notify.rules.accepting import Acceptance
from tidings.spine.notify.rules.storing import Rules
from tidings.spine.notify.templates.rendering import Renderer
from tidings.testing.database import opened, settings_of

_CHECKS = {"name": fields.person_name, "locale": fields.locale, "timezone": fields.timezone}


def add_person(
    database: str | Settings,
    name: str,
    *,
    tenant: str = "default",
    groups: Iterable[str] = (),
    topics: Iterable[str] = (),
    **more: str,
) -> UUID:
    """Somebody who can be told: with addresses (`email`, `phone`, `push`, `slack`, `webhook`, `apprise`), and with
    `external_id`, `user_type`, `locale` and `timezone`. Groups are named by their external ids, and made where there
    are none. Returns the person's id; a value that cannot be one raises ValueError."""
    return asyncio.run(aadd_person(database, name, tenant=tenant, groups=groups, topics=topics, **more))


async def aadd_person(
    database: str | Settings,
    name: str,
    *,
    tenant: str = "default",
    groups: Iterable[str] = (),
    topics: Iterable[str] = (),
    **more: str,
) -> UUID:
    """As `add_person`, awaited."""
    settings = settings_of(database)
    writing = _writing(name, more)
    async with _transaction(settings) as connection:
        vault = (await unlocked(settings, connection)).vault(ADDRESSES)
        person = (await People(connection, tenant, vault).create(writing)).person.id
        for topic in topics:
            await Topics(connection, tenant).subscribe(person, fields.word(topic))
        for group in groups:
            await Groups(connection, tenant).add(await _group(connection, tenant, group), [person])
    return person


def add_rule(database: str | Settings, rule: Mapping[str, Any], *, tenant: str = "default") -> UUID:
    """A rule, written as for `POST /v1/rules`; without a name, it gets one. Returns its id, or raises
    `tidings.ValidationFailed` with everything that is wrong with it."""
    return asyncio.run(aadd_rule(database, rule, tenant=tenant))


async def aadd_rule(database: str | Settings, rule: Mapping[str, Any], *, tenant: str = "default") -> UUID:
    """As `add_rule`, awaited."""
    async with _transaction(settings_of(database)) as connection:
        count = await connection.fetchval("SELECT count(*) FROM tidings.rules WHERE tenant = $1", tenant)
        named = {"name": f"Rule {count + 1}", **rule}
        new = await Acceptance(connection, tenant, Renderer()).new(named)
        return (await Rules(connection, tenant).create(new, "tidings.testing")).rule.id


@asynccontextmanager
async def _transaction(settings: Settings) -> AsyncIterator[db.Connection]:
    async with opened(settings) as pool, pool.acquire() as connection, connection.transaction():
        yield connection


def _writing(name: str, more: Mapping[str, str]) -> Writing:
    addresses: dict[Kind, list[NewAddress]] = {}
    columns = {"name": fields.person_name(name)}
    for field, value in more.items():
        if field in list(Kind):
            addresses[Kind(field)] = [new_address(Kind(field), value, not_called)]
        elif field in ("external_id", "user_type", "locale", "timezone"):
            columns[field] = _CHECKS.get(field, fields.one_line)(value)
        else:
            raise TypeError(f"add_person() got an unexpected keyword argument {field!r}")
    return Writing(columns, addresses)


async def _group(connection: db.Connection, tenant: str, external_id: str) -> UUID:
    groups = Groups(connection, tenant)
    known = await groups.list(external_id, None, None, None, 1)
    return (known.items[0] if known.items else await groups.create(external_id, None, external_id)).id
