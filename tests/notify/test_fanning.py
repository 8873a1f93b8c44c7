"""Fan-out: who is reached, in chunks, each once, and what is recorded of those who cannot be."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from tests.support.pipeline import Owner, add_person, add_rule, drain, emit, kept
from tidings.app.worker import default_providers
from tidings.kit.settings import Settings
from tidings.spine.notify.fanning import FanOut

pytestmark = pytest.mark.usefixtures("any_postgres")


async def tally(owner: Owner) -> dict[str, int]:
    row = await owner.fetchrow("SELECT people, no_target, open, sent, skipped, failed, complete FROM tidings.tallies")
    assert row is not None
    return dict(row)


async def say(owner: Owner, audience: list[dict[str, object]], channels: list[str]) -> UUID:
    notice: UUID = await owner.fetchval(
        """INSERT INTO tidings.notices
               (id, tenant, listener, title, body, template, level, category, channels, audience)
           VALUES (gen_random_uuid(), 'default', 'test', 'T', 'B', 'notice', 'info', 'general', $1, $2::text::jsonb)
           RETURNING id""",
        channels,
        json.dumps(audience),
    )
    await owner.execute("INSERT INTO tidings.tallies (notice_id, tenant) VALUES ($1, 'default')", notice)
    return notice


@pytest.mark.parametrize(
    ("selector", "reached"),
    [
        ({"by": "everyone"}, {"ada", "bob", "eve"}),
        ({"by": "everyone", "userType": "guest"}, {"eve"}),
        ({"by": "userType", "values": ["staff"]}, {"ada", "bob"}),
        ({"by": "externalId", "values": ["ada", "eve", "nobody"]}, {"ada", "eve"}),
        ({"by": "email", "values": ["BOB@example.com"]}, {"bob"}),
        ({"by": "group", "values": ["kitchen"]}, {"ada", "eve"}),
        ({"by": "group", "values": ["kitchen"], "userType": "staff"}, {"ada"}),
        ({"by": "topic", "values": ["news"]}, {"bob"}),
        ({"by": "externalId", "field": "nobody"}, set()),
    ],
)
async def test_each_way_of_choosing_people(
    owner: Owner, sending: Settings, selector: dict[str, object], reached: set[str]
) -> None:
    ids = {
        name: await add_person(owner, name, external_id=name, user_type=kind, email=f"{name}@example.com")
        for name, kind in (("ada", "staff"), ("bob", "staff"), ("eve", "guest"))
    }
    group = await owner.fetchval(
        "INSERT INTO tidings.groups (tenant, external_id, name) VALUES ('default', 'kitchen', 'Kitchen') RETURNING id"
    )
    for name in ("ada", "eve"):
        await owner.execute("INSERT INTO tidings.group_members VALUES ('default', $1, $2)", group, ids[name])
    await owner.execute(
        "INSERT INTO tidings.subscriptions (tenant, topic, person_id) VALUES ('default', 'news', $1)", ids["bob"]
    )
    await add_rule(owner, audience=[selector], channels=["email"])
    await emit(owner)
    await drain(sending)
    assert {message["name"] for message in await kept(owner, sending)} == reached
    assert (await tally(owner))["people"] == len(reached)


async def test_by_a_field_of_the_data_and_someone_chosen_twice_is_told_once(owner: Owner, sending: Settings) -> None:
    await add_person(owner, "ada", external_id="ada", push="token-a")
    await add_person(owner, "bob", external_id="bob", push="token-b")
    field = {"by": "externalId", "field": "owners"}
    await add_rule(owner, audience=[field, {"by": "externalId", "values": ["bob"]}])
    await emit(owner, owners=["ada", "bob"])
    await drain(sending)
    assert sorted(message["name"] for message in await kept(owner, sending)) == ["ada", "bob"]


async def test_who_has_no_address_is_recorded_and_the_notice_settles_without_them(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, "with mail", email="a@example.com")
    await add_person(owner, "with nothing")
    await add_rule(owner, channels=["email", "sms"])
    await emit(owner)
    await drain(sending)
    rows = await owner.fetch("SELECT missing, targets FROM tidings.notifications ORDER BY targets")
    assert [(row["missing"], row["targets"]) for row in rows] == [(["email", "sms"], 0), (["sms"], 1)]
    fact = json.loads(await owner.fetchval("SELECT data::text FROM tidings.facts WHERE type = 'notice.settled'"))
    assert {k: v for k, v in fact.items() if k != "noticeId"} == {
        "people": 2,
        "noTarget": 1,
        "sent": 1,
        "skipped": 0,
        "failed": 0,
    }


async def test_a_notice_for_nobody_settles_at_once(owner: Owner, sending: Settings) -> None:
    await add_rule(owner)
    await emit(owner)
    await drain(sending)
    assert await owner.fetchval("SELECT count(*) FROM tidings.facts WHERE type = 'notice.settled'") == 1


async def test_chunks_go_on_where_the_last_ended_and_reach_everybody_once(owner: Owner, sending: Settings) -> None:
    await owner.execute(
        "INSERT INTO tidings.people (tenant, name) SELECT 'default', g::text FROM generate_series(1, 25) g"
    )
    notice = await say(owner, [{"by": "everyone"}], ["websocket"])
    fan_out = FanOut(default_providers(sending))
    rounds = 0
    while await fan_out.reach(owner, [notice], 10):
        rounds += 1
    assert rounds == 2
    assert await owner.fetchval("SELECT count(DISTINCT person_id) FROM tidings.notifications") == 25
    assert await tally(owner) | {"sent": 0} == {
        "people": 25,
        "no_target": 0,
        "open": 25,
        "sent": 0,
        "skipped": 0,
        "failed": 0,
        "complete": True,
    }


async def test_a_chunk_that_is_rolled_back_leaves_nothing_and_can_be_done_again(
    owner: Owner, sending: Settings
) -> None:
    await owner.execute(
        "INSERT INTO tidings.people (tenant, name) SELECT 'default', g::text FROM generate_series(1, 25) g"
    )
    notice = await say(owner, [{"by": "everyone"}], ["websocket"])
    fan_out = FanOut(default_providers(sending))
    assert await fan_out.reach(owner, [notice], 10)
    transaction = owner.transaction()
    await transaction.start()
    await fan_out.reach(owner, [notice], 10)
    await transaction.rollback()
    while await fan_out.reach(owner, [notice], 10):
        pass
    assert await owner.fetchval("SELECT count(*) FROM tidings.notifications") == 25
    assert (await tally(owner))["open"] == 25


async def test_a_broadcast_larger_than_one_chunk_goes_on_by_an_intent(owner: Owner, sending: Settings) -> None:
    await owner.execute(
        "INSERT INTO tidings.people (tenant, name) SELECT 'default', g::text FROM generate_series(1, 250) g"
    )
    await add_rule(owner, channels=["websocket"])
    await emit(owner)
    await drain(sending)
    assert (await tally(owner))["sent"] == 250
    assert await owner.fetchval("SELECT count(*) FROM tidings.outbox_finished WHERE kind = 'notice.fan_out'") == 1
