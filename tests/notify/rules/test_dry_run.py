"""A dry run shows what would have been, changes nothing, and comes to an end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from itertools import count
from typing import Any

import asyncpg
import pytest

from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.channels.port import Channel
from tidings.spine.notify.rules.dry_run import MOST_COUNTED, DryRun
from tidings.spine.notify.rules.model import parse_body
from tidings.spine.notify.rules.records import NewRule, untried
from tidings.spine.notify.rules.trials import Sample, Trial
from tidings.spine.notify.templates.rendering import Renderer


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[db.Pool]:
    """Connections that act as the API."""
    pool = await db.open_pool(settings.database, db.Role.API, name="test", size=2)
    yield pool
    await pool.close()


async def test_no_row_anywhere_is_changed(api: db.Pool, owner: db.Connection) -> None:
    await _people(owner, 3)
    await _facts(owner, {"n": 1}, {"n": 2})
    before = await _everything(owner)
    trial = await _run(api, {"conditions": {"field": "n", "equals": 1}}, Sample())
    assert [(each.reason, each.audience and each.audience.count) for each in trial.facts] == [
        ("n is 2, not 1", None),
        (None, 3),
    ]
    assert await _everything(owner) == before


async def test_its_transaction_cannot_write(api: db.Pool, owner: db.Connection) -> None:
    async with api.acquire() as connection, connection.transaction():
        await connection.execute("SELECT set_config('tidings.tenant', 'default', true)")
        await DryRun(connection, "default", Renderer()).run(_rule({}), Sample())
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            await connection.execute("DELETE FROM tidings.people")


async def test_a_large_audience_is_counted_to_a_limit_and_shown_in_part(api: db.Pool, owner: db.Connection) -> None:
    await _people(owner, MOST_COUNTED + 1)
    await _facts(owner, {})
    (tried,) = (await _run(api, {}, Sample(people=2))).facts
    assert tried.audience is not None
    assert (tried.audience.count, tried.audience.more, len(tried.audience.people)) == (MOST_COUNTED, True, 2)


async def test_an_address_that_may_not_be_used_is_none(api: db.Pool, owner: db.Connection) -> None:
    await _people(owner, 3)
    await _facts(owner, {})
    await owner.execute(
        """INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint, disabled_at)
           SELECT tenant, id, 'email', name, name, CASE name WHEN 'person 2' THEN now() END FROM tidings.people"""
    )
    await owner.execute(
        """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason)
           VALUES ('default', 'email', 'person 3', 'person 3', 'bounced')"""
    )
    (tried,) = (await _run(api, {"channels": ["email", "websocket"]}, Sample())).facts
    assert tried.audience is not None
    told = {each.name: each.channels for each in tried.audience.people}
    assert {name: (channels[Channel.EMAIL], channels[Channel.WEBSOCKET]) for name, channels in told.items()} == {
        "person 1": (True, True),
        "person 2": (False, True),
        "person 3": (False, True),
    }


async def test_who_chose_integrations_for_the_topic_would_be_told_there_or_nowhere(
    api: db.Pool, owner: db.Connection
) -> None:
    await _people(owner, 3)
    await _facts(owner, {})
    await owner.execute(
        """WITH made AS (
               INSERT INTO tidings.addresses
                   (tenant, person_id, kind, value, fingerprint, sealed, name, name_folded, tags)
               SELECT tenant, id, 'apprise', 'x', 'x', '', 'phone', 'phone', '{home}' FROM tidings.people)
           INSERT INTO tidings.subscriptions (tenant, topic, person_id, tags) SELECT tenant, 'news', id,
               CASE name WHEN 'person 1' THEN '{home}' WHEN 'person 2' THEN '{nothing}' ELSE '{}' END::text[]
           FROM tidings.people"""
    )
    (tried,) = (await _run(api, {"audience": [{"by": "topic", "values": ["news"]}]}, Sample())).facts
    assert tried.audience is not None
    assert {each.name: each.channels for each in tried.audience.people} == {
        "person 1": {Channel.APPRISE: True},
        "person 2": {Channel.APPRISE: False},
        "person 3": {Channel.EMAIL: False},
    }


async def test_it_stops_when_it_has_taken_long_enough(api: db.Pool, owner: db.Connection) -> None:
    await _facts(owner, *({} for _ in range(5)))
    clock: Iterator[float] = (2.0 * n for n in count())
    async with api.acquire() as connection, db.as_tenant(connection, "default"):
        trial = await DryRun(connection, "default", Renderer(), lambda: next(clock)).run(_rule({}), Sample())
    assert (len(trial.facts), trial.complete) == (2, False)


async def test_words_that_fail_on_a_fact_are_told(api: db.Pool, owner: db.Connection) -> None:
    await _facts(owner, {"total": 7}, {})
    without, good = (await _run(api, {"body": "{{ data.total }}"}, Sample())).facts
    assert good.notice is not None
    assert (good.notice.body, good.fault) == ("7", None)
    assert without.fault == "body, line 1: there is no 'total' here"


async def _run(api: db.Pool, changes: dict[str, Any], sample: Sample) -> Trial:
    async with api.acquire() as connection, db.as_tenant(connection, "default"):
        return await DryRun(connection, "default", Renderer()).run(_rule(changes), sample)


def _rule(changes: dict[str, Any]) -> Any:
    body = {"audience": [{"by": "everyone"}], "title": "Paid", "body": "It is paid.", "channels": ["email"]}
    return untried("default", NewRule("rule", True, "order.paid", parse_body(body | changes)))


async def _people(owner: db.Connection, many: int) -> None:
    await owner.execute(
        "INSERT INTO tidings.people (tenant, name) SELECT 'default', 'person ' || n FROM generate_series(1, $1) n", many
    )


async def _facts(owner: db.Connection, *data: dict[str, Any]) -> None:
    for each in data:
        await owner.execute("SELECT tidings.emit('order.paid', $1::text::jsonb)", json.dumps(each))


async def _everything(owner: db.Connection) -> dict[str, str]:
    """Every row of every table, in a few bytes."""
    tables = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tidings' ORDER BY 1")
    sums = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM tidings.{} t"
    return {name: await owner.fetchval(sums.format(name)) for (name,) in tables}
