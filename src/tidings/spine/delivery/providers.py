"""The providers of one tenant, as an admin works with them. Whoever calls owns the transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias
from uuid import UUID

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, Outdated, ValidationFailed
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.configuring import Configurations, Sealed, types_of
from tidings.spine.delivery.provider_statements import CHANGE, CLOSE, CREATE, LIST, PROVIDE, REMOVE, WAITS_IN_VAIN

CHANGEABLE = (
    "name",
    "enabled",
    "priority",
    "concurrency",
    "rate",
    "rate_period",
    "on_unknown",
    "max_attempts",
    "expires_after",
)
_CASTS = {"shown": "::text::jsonb"}
Circuit: TypeAlias = Literal["closed", "open", "trying"]


@dataclass(frozen=True, slots=True)
class Provider:
    """What a channel sends through. `shown` is its configuration without its secrets, as JSON text."""

    id: UUID
    channel: str
    type: str
    name: str
    built_in: bool
    enabled: bool
    priority: int
    shown: str
    version: int
    concurrency: int | None
    rate: int | None
    rate_period: timedelta | None
    on_unknown: str | None
    max_attempts: int | None
    expires_after: timedelta | None
    circuit: Circuit
    open_until: datetime | None
    failures: int
    last_error: str | None
    last_error_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class NewProvider:
    """A provider to be made. `limits` are those of `CHANGEABLE` that are not to be left at their defaults."""

    channel: Channel
    type: str
    name: str
    config: Mapping[str, Any] = field(repr=False)
    limits: Mapping[str, Any]


@dataclass(frozen=True)
class Providers:
    connection: Connection
    tenant: str
    configurations: Configurations

    async def list(self, channel: Channel | None = None) -> Sequence[Provider]:
        """In the order in which a channel uses them."""
        rows = await self.connection.fetch(LIST, self.tenant, channel, None)
        return [Provider(**row) for row in rows]

    async def get(self, id: UUID) -> Provider:
        row = await self.connection.fetchrow(LIST, self.tenant, None, id)
        if row is None:
            raise NotFound("There is no such provider.")
        return Provider(**row)

    async def used(self, channel: Channel, default: str) -> Provider:
        """What is sent through over this channel; the default one, where the tenant has none yet."""
        await self.connection.execute(PROVIDE, self.tenant, channel, default)
        return (await self.list(channel))[0]

    async def create(self, wanted: NewProvider) -> Provider:
        if wanted.type not in (known := types_of(wanted.channel)):
            message = f"must be one of {', '.join(known)}" if known else "is built in, and needs no other provider"
            raise ValidationFailed(f"type: {message}", (Fault("type", message),))
        sealed = self.configurations.accept(self.tenant, wanted.type, wanted.config)
        values = (self.tenant, wanted.channel, wanted.type, wanted.name, sealed.config, json.dumps(sealed.shown))
        limits = dict(wanted.limits)
        if limits.get("concurrency") is None:
            limits["concurrency"] = _lines(sealed)
        made = await self._written(CREATE.format(*_more(limits, 7)), *values, *limits.values())
        assert made is not None  # what could not be made has raised
        return await self.get(made)

    async def change(
        self, id: UUID, changes: Mapping[str, Any], config: Mapping[str, Any] | None, version: int | None
    ) -> Provider:
        """What is given replaces what was; of the configuration, secrets that are not given stay. Raises the version,
        so that workers build their adapters anew. `Outdated` where it is not of that `version` any more."""
        known = await self._locked(id)
        if version is not None and version != known["version"]:
            raise Outdated(f"The provider is at version {known['version']} by now.")
        given = {name: value for name, value in changes.items() if name in CHANGEABLE}
        if config is not None:
            sealed = self.configurations.accept(self.tenant, known["type"], config, known["config"])
            follows = known["concurrency"] is not None and known["concurrency"] == known["lines"]
            given = ({"concurrency": _lines(sealed)} if follows else {}) | given | _columns(sealed)
        sets = "".join(f", {name} = ${n}{_CASTS.get(name, '')}" for n, name in enumerate(given, 3))
        await self._written(CHANGE.format(sets), self.tenant, id, *given.values())
        await self.connection.execute("SELECT tidings.wake()")
        return await self.get(id)

    async def remove(self, id: UUID) -> None:
        """Its secrets go at once; what waits goes to another provider of the channel, or it cannot be removed."""
        known = await self._locked(id)
        if known["built_in"]:
            raise Conflict("This provider is built in. It is used only where a channel has no other.")
        if await self.connection.fetchval(WAITS_IN_VAIN, self.tenant, id):
            raise Conflict("Deliveries wait for this provider, and its channel has no other that could take them.")
        await self.connection.execute(REMOVE, self.tenant, id)

    async def close(self, id: UUID) -> Provider:
        """Closes its circuit by hand: what waits behind it goes out at once."""
        if await self.connection.fetchval(CLOSE, self.tenant, id) is not None:
            await self.connection.execute("SELECT tidings.wake()")
        return await self.get(id)

    async def _locked(self, id: UUID) -> asyncpg.Record:
        row = await self.connection.fetchrow(
            """SELECT type, config, version, built_in, concurrency, (shown->>'connections')::int AS lines
               FROM tidings.providers
               WHERE tenant = $1 AND id = $2 AND removed_at IS NULL FOR NO KEY UPDATE""",
            self.tenant,
            id,
        )
        if row is None:
            raise NotFound("There is no such provider.")
        return row

    async def _written(self, statement: str, *values: Any) -> UUID | None:
        try:
            async with self.connection.transaction():
                written: UUID | None = await self.connection.fetchval(statement, *values)
        except asyncpg.UniqueViolationError:
            raise Conflict("Another provider of this channel has this name already.") from None
        except asyncpg.CheckViolationError as error:  # our own bounds are checked before; this one is of two fields
            raise ValidationFailed(f"rate: {error.constraint_name}", (Fault("rate", "needs a period"),)) from None
        return written


def _lines(sealed: Sealed) -> int | None:
    """How many connections it keeps, where it says so. No more should be under way at a time unless somebody says so:
    who waits for a connection loses their own time with it, and is taken for a failure of the provider."""
    found = sealed.shown.get("connections")
    return found if isinstance(found, int) else None


def _columns(sealed: Sealed) -> dict[str, Any]:
    return {"config": sealed.config, "shown": json.dumps(sealed.shown)}


def _more(limits: Mapping[str, Any], first: int) -> tuple[str, str]:
    """More columns of a row, and their places."""
    assert limits.keys() <= set(CHANGEABLE)
    places = range(first, first + len(limits))
    return "".join(f", {name}" for name in limits), "".join(f", ${n}" for n in places)
