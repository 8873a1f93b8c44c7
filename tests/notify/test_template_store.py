"""Which template is used: a tenant's own before ours, the nearest language, as it stood at the time."""

from __future__ import annotations

from datetime import datetime

import pytest

from tidings.kit import db
from tidings.kit.errors import NotFound
from tidings.spine.access.people import Tenants
from tidings.spine.notify.template_store import TemplateKey, Templates, source_for
from tidings.spine.notify.templates.channels import CHANNELS
from tidings.spine.notify.templates.sources import Source
from tidings.spine.notify.templates.standard import standard

PUSH = TemplateKey("notice", "push")


def words(text: str) -> Source:
    return Source("Title", None, text)


async def test_a_tenant_without_templates_uses_ours(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        assert await _used(connection, "notice") == standard("push")
        assert await _used(connection, "order.paid") == standard("push")


async def test_a_tenants_own_comes_before_ours_and_the_nearest_language_first(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        await Tenants(connection).create("acme", "Acme")
        templates = Templates(connection, "default")
        await templates.save(PUSH, words("any"), None)
        await templates.save(TemplateKey("notice", "push", "it"), words("it"), None)
        await templates.save(TemplateKey("order.paid", "push", "de-AT"), words("paid"), None)
        await Templates(connection, "acme").save(PUSH, words("of somebody else"), None)
        cases = [("notice", "it-IT", "it"), ("notice", "fr", "any"), ("order.paid", "de-AT", "paid")]
        for name, locale, text in cases:
            assert await _used(connection, name, locale) == words(text), (name, locale)
        assert await _used(connection, "order.paid", "de") == words("any")
        assert await _used(connection, "notice", channel="sms") == standard("sms")


async def test_a_template_without_the_channel_leaves_it_to_the_tenants_own_notice(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        templates = Templates(connection, "default")
        await templates.save(TemplateKey("order.paid", "sms"), words("of another channel"), None)
        assert await _used(connection, "order.paid") == standard("push")
        await templates.save(PUSH, words("house style"), None)
        assert await _used(connection, "order.paid") == words("house style")


async def test_a_notice_is_told_in_the_version_of_its_time(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        templates = Templates(connection, "default")
        before = await _now(connection)
        await templates.save(PUSH, words("first"), None)
        first = await _now(connection)
        await templates.save(PUSH, words("second"), None)
        second = await _now(connection)
        await templates.retire(PUSH, None)
        assert await _used(connection, at=before) == standard("push")
        assert await _used(connection, at=first) == words("first")
        assert await _used(connection, at=second) == words("second")
        assert await _used(connection) == standard("push")


async def test_versions_count_up_and_what_is_the_same_is_none(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        templates = Templates(connection, "default")
        assert (await templates.save(PUSH, words("a"), "the owner")).version == 1
        assert (await templates.save(PUSH, words("a"), "the owner")).version == 1
        await templates.retire(PUSH, "the owner")
        assert (await templates.save(PUSH, words("a"), None)).version == 3
        page = await templates.versions(PUSH, None, 2)
        assert [(each.version, each.retired) for each in page.items] == [(3, False), (2, True)]
        rest = await templates.versions(PUSH, page.next_position, 2)
        assert [(each.version, each.changed_by) for each in rest.items] == [(1, "the owner")]


async def test_a_template_is_there_until_it_is_retired(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        templates, key = Templates(connection, "default"), TemplateKey("order.paid", "push")
        assert (await templates.exists("notice"), await templates.exists("order.paid")) == (True, False)
        await templates.save(key, words("a"), None)
        assert (await templates.exists("order.paid"), (await templates.get(key, None)).version) == (True, 1)
        await templates.retire(key, None)
        assert not await templates.exists("order.paid")
        assert (await templates.get(key, 1)).source == words("a")
        for act in (templates.get(key, None), templates.get(key, 9), templates.retire(key, None)):
            with pytest.raises(NotFound):
                await act


async def test_all_that_are_in_use_are_listed_page_by_page(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        templates = Templates(connection, "default")
        for key in (TemplateKey("a", "push"), PUSH, TemplateKey("notice", "push", "it"), TemplateKey("z", "sms", "de")):
            await templates.save(key, words("own"), None)
        await templates.retire(TemplateKey("a", "push"), None)
        seen, after = [], None
        while True:
            page = await templates.list(after, 3)
            seen += [(each.key.name, each.key.channel, each.key.locale, each.version) for each in page.items]
            if page.next_position is None:
                break
            after = TemplateKey(*page.next_position)
        own = [("notice", "push", "", 1), ("notice", "push", "it", 1), ("z", "sms", "de", 1)]
        ours = [("notice", channel, "", None) for channel in CHANNELS if channel != "push"]
        assert seen == sorted([*own, *ours], key=lambda each: each[:3])


async def _used(
    connection: db.Connection,
    name: str = "notice",
    locale: str = "en",
    channel: str = "push",
    at: datetime | None = None,
) -> Source:
    return await source_for(connection, "default", name, channel, locale, at or await _now(connection))


async def _now(connection: db.Connection) -> datetime:
    now: datetime = await connection.fetchval("SELECT clock_timestamp()")
    return now
