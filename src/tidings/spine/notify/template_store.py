"""The templates of one tenant, before those that come with Tidings. A version never changes; retiring is one more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from tidings.kit.db import Connection
from tidings.kit.errors import Conflict, Fault, NotFound, ValidationFailed
from tidings.kit.paging import Page, page_of
from tidings.spine.notify.saying import TEMPLATE
from tidings.spine.notify.templates.channels import CHANNELS
from tidings.spine.notify.templates.locales import choose
from tidings.spine.notify.templates.sources import Source
from tidings.spine.notify.templates.standard import names, standard

_COLUMNS = "name, channel, locale, version, subject, markup, text, retired, changed_by, created_at"


@dataclass(frozen=True, order=True, slots=True)
class TemplateKey:
    """One template: its name, for one channel, in one language; '' for those who have none of their own."""

    name: str
    channel: str
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """One version of a template. One that comes with Tidings has no version; a retired one says nothing."""

    key: TemplateKey
    source: Source
    version: int | None = None
    retired: bool = False
    changed_by: str | None = None
    created_at: datetime | None = None


async def source_for(connection: Connection, tenant: str, name: str, channel: str, locale: str, at: datetime) -> Source:
    """The template as it stood at that time."""
    rows = await connection.fetch(
        f"""SELECT DISTINCT ON (name, locale) {_COLUMNS} FROM tidings.templates
            WHERE tenant = $1 AND name = ANY ($2) AND channel = $3 AND created_at <= $4
            ORDER BY name, locale, version DESC""",
        tenant,
        [name, TEMPLATE],
        channel,
        at,
    )
    own = {(row["name"], row["locale"]): _template(row).source for row in rows if not row["retired"]}
    return nearest(own, name, channel, locale)


def nearest(own: Mapping[tuple[str, str], Source], name: str, channel: str, locale: str) -> Source:
    """What is used for a channel, of a tenant's own by name and language: theirs of that name, ours of that name, their
    `notice`, ours. What a template lacks a channel or a language for looks like all else that the tenant sends there.
    """
    for wanted in (name, TEMPLATE):
        language = choose([of for named, of in own if named == wanted], locale)
        if language is not None:
            return own[wanted, language]
        if wanted in names():
            break
    return standard(channel, name)


@dataclass(frozen=True)
class Templates:
    connection: Connection
    tenant: str

    async def exists(self, name: str) -> bool:
        """Whether there is one of that name, for any channel and in any language."""
        if name in names():
            return True
        rows = await self.connection.fetch(
            """SELECT DISTINCT ON (channel, locale) retired FROM tidings.templates
               WHERE tenant = $1 AND name = $2 ORDER BY channel, locale, version DESC""",
            self.tenant,
            name,
        )
        return not all(row["retired"] for row in rows)

    async def require(self, name: str, field: str) -> None:
        """`ValidationFailed` of that field where there is none of that name."""
        if not await self.exists(name):
            message = f"there is no template named {name}"
            raise ValidationFailed(f"{field}: {message}", (Fault(field, message),))

    async def save(self, key: TemplateKey, source: Source, changed_by: str | None) -> Template:
        """The next version, or the newest where nothing is different."""
        newest = await self._newest(key)
        if newest is not None and not newest.retired and newest.source == source:
            return newest
        return await self._written(key, source, changed_by, retired=False)

    async def retire(self, key: TemplateKey, changed_by: str | None) -> None:
        """From now on it is not used; notices that were made before are told in it still."""
        newest = await self._newest(key)
        if newest is None or newest.retired:
            raise NotFound("There is no such template of yours.")
        await self._written(key, Source(), changed_by, retired=True)

    async def get(self, key: TemplateKey, version: int | None) -> Template:
        """That version; or the one in use: the tenant's own, or else ours."""
        found = await self._newest(key, version)
        if found is not None and (version is not None or not found.retired):
            return found
        if version is None and key in _BUILT_IN:
            return _built_in(key)
        raise NotFound("There is no such template.")

    async def list(self, after: TemplateKey | None, limit: int) -> Page[Template]:
        """Those in use, by name, channel and language: the tenant's own, and ours where there is none."""
        rows = await self.connection.fetch(
            f"""SELECT * FROM (
                    SELECT DISTINCT ON (name COLLATE "C", channel COLLATE "C", locale COLLATE "C") {_COLUMNS}
                    FROM tidings.templates
                    WHERE tenant = $1 AND ($2::text IS NULL
                        OR (name COLLATE "C", channel COLLATE "C", locale COLLATE "C") > ($2, $3, $4))
                    ORDER BY name COLLATE "C", channel COLLATE "C", locale COLLATE "C", version DESC) newest
                WHERE NOT retired LIMIT $5""",
            self.tenant,
            *((None, None, None) if after is None else (after.name, after.channel, after.locale)),
            limit + 1,
        )
        own = {each.key: each for each in map(_template, rows)}
        ours = {key: _built_in(key) for key in _BUILT_IN if after is None or key > after}
        merged = [(ours | own)[key] for key in sorted(ours | own)]
        return page_of(merged[: limit + 1], limit, lambda each: [each.key.name, each.key.channel, each.key.locale])

    async def versions(self, key: TemplateKey, before: int | None, limit: int) -> Page[Template]:
        """The tenant's own, newest first."""
        rows = await self.connection.fetch(
            f"""SELECT {_COLUMNS} FROM tidings.templates
                WHERE tenant = $1 AND name = $2 AND channel = $3 AND locale = $4
                  AND ($5::integer IS NULL OR version < $5)
                ORDER BY version DESC LIMIT $6""",
            self.tenant,
            *_values(key),
            before,
            limit + 1,
        )
        if not rows and before is None and key not in _BUILT_IN:
            raise NotFound("There is no such template.")
        return page_of([_template(row) for row in rows], limit, lambda each: each.version)

    async def _newest(self, key: TemplateKey, version: int | None = None) -> Template | None:
        row = await self.connection.fetchrow(
            f"""SELECT {_COLUMNS} FROM tidings.templates
                WHERE tenant = $1 AND name = $2 AND channel = $3 AND locale = $4
                  AND ($5::integer IS NULL OR version = $5)
                ORDER BY version DESC LIMIT 1""",
            self.tenant,
            *_values(key),
            version,
        )
        return None if row is None else _template(row)

    async def _written(self, key: TemplateKey, source: Source, changed_by: str | None, *, retired: bool) -> Template:
        try:
            row = await self.connection.fetchrow(
                f"""INSERT INTO tidings.templates
                        (tenant, name, channel, locale, version, subject, markup, text, changed_by, retired)
                    SELECT $1, $2, $3, $4, coalesce(max(version), 0) + 1, $5, $6, $7, $8, $9 FROM tidings.templates
                    WHERE tenant = $1 AND name = $2 AND channel = $3 AND locale = $4
                    RETURNING {_COLUMNS}""",
                self.tenant,
                *_values(key),
                source.subject,
                source.markup,
                source.text,
                changed_by,
                retired,
            )
        except asyncpg.UniqueViolationError:
            raise Conflict("Somebody else saved this template at the same moment; look at theirs first.") from None
        assert row is not None
        return _template(row)


def _built_in(key: TemplateKey) -> Template:
    return Template(key, standard(key.channel, key.name))


def _values(key: TemplateKey) -> tuple[str, str, str]:
    return key.name, key.channel, key.locale


def _template(row: Any) -> Template:
    return Template(
        TemplateKey(row["name"], row["channel"], row["locale"]),
        Source(row["subject"], row["markup"], row["text"]),
        row["version"],
        row["retired"],
        row["changed_by"],
        row["created_at"],
    )


_BUILT_IN = frozenset(TemplateKey(name, channel) for name in names() for channel in CHANNELS)
