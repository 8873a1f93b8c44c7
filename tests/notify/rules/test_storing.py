"""Rules of a tenant: saved in versions, one of a name, and routed while they are on."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from tidings.kit import db
from tidings.kit.errors import Conflict, NotFound
from tidings.spine.access.people import Tenants
from tidings.spine.notify.rules.model import parse_body
from tidings.spine.notify.rules.records import NewRule
from tidings.spine.notify.rules.storing import MOST, RuleFilter, Rules

BODY = parse_body(
    {
        "conditions": {"field": "amount", "greater": 99.5},
        "audience": [{"by": "everyone"}],
        "title": "Paid",
        "body": "It is paid.",
        "channels": ["email"],
    }
)
PAID = NewRule("Paid orders", True, "order.paid", BODY)


async def test_a_saved_rule_is_read_as_it_was(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        rules = Rules(connection, "default")
        made = await rules.create(PAID, "the owner")
        assert await rules.get(made.rule.id) == made
        assert (made.rule.version, made.rule.enabled, made.rule.body) == (1, True, BODY)


async def test_every_change_is_a_version_with_who_made_it(pool: db.Pool) -> None:
    async with pool.acquire() as connection, connection.transaction():
        rules = Rules(connection, "default")
        made = await rules.create(PAID, "the owner")
        changed = await rules.save(made, replace(PAID, fact_type="order.*"), "somebody else")
        assert await rules.save(changed, replace(PAID, fact_type="order.*"), "nobody") == changed
        await rules.switch(made.rule.id, False, None)
        await rules.delete(made.rule.id)
        page = await rules.versions(made.rule.id, None, 10)
    told = [(each.rule.version, each.rule.fact_type, each.rule.enabled, each.changed_by) for each in page.items]
    assert told == [
        (3, "order.*", False, None),
        (2, "order.*", True, "somebody else"),
        (1, "order.paid", True, "the owner"),
    ]


async def test_a_name_is_taken_once_in_a_tenant(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        await Tenants(connection).create("acme", "Acme")
        await Rules(connection, "default").create(PAID, None)
        await Rules(connection, "acme").create(PAID, None)
        other = await Rules(connection, "acme").create(replace(PAID, name="Other"), None)
        with pytest.raises(Conflict):
            await Rules(connection, "acme").create(PAID, None)
        with pytest.raises(Conflict):
            await Rules(connection, "acme").save(other, PAID, None)


async def test_a_rule_has_a_route_while_it_is_on(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        rules = Rules(connection, "default")
        made = await rules.create(replace(PAID, fact_type="order.*"), None)
        assert await _routes(connection) == [("order.", True)]
        await rules.switch(made.rule.id, False, None)
        assert await _routes(connection) == []
        await rules.switch(made.rule.id, True, None)
        await rules.save(await rules.get(made.rule.id), PAID, None)
        assert await _routes(connection) == [("order.paid", False)]
        await rules.delete(made.rule.id)
        assert await _routes(connection) == []


async def test_rules_are_listed_newest_first_and_filtered(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        rules = Rules(connection, "default")
        for n in range(3):
            await rules.create(NewRule(f"rule {n}", n != 1, f"order.n{n}", BODY), None)
        page = await rules.list(RuleFilter(), None, 2)
        assert [each.rule.name for each in page.items] == ["rule 2", "rule 1"]
        rest = await rules.list(RuleFilter(), page.next_position, 2)
        assert ([each.rule.name for each in rest.items], rest.next_position) == (["rule 0"], None)
        assert [each.rule.name for each in (await rules.list(RuleFilter(enabled=False), None, 9)).items] == ["rule 1"]
        assert [each.rule.name for each in (await rules.list(RuleFilter("order.n0"), None, 9)).items] == ["rule 0"]


async def test_what_is_not_there_is_not_found(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        rules = Rules(connection, "default")
        for act in (rules.get(uuid4()), rules.delete(uuid4()), rules.versions(uuid4(), None, 9)):
            with pytest.raises(NotFound):
                await act


async def _routes(connection: db.Connection) -> list[tuple[str, bool]]:
    rows = await connection.fetch("SELECT type, prefix FROM tidings.routes WHERE tenant = 'default' ORDER BY type")
    return [(row["type"], row["prefix"]) for row in rows]


async def test_a_tenant_has_so_many_rules_and_no_more(pool: db.Pool) -> None:
    async with pool.acquire() as connection:
        await connection.execute(
            """INSERT INTO tidings.rules (tenant, name, fact_type, body)
               SELECT 'default', 'rule ' || n, 'order.paid', '{}' FROM generate_series(1, $1::int) n""",
            MOST,
        )
        with pytest.raises(Conflict, match="at most 1000 rules"):
            await Rules(connection, "default").create(PAID, None)
        await connection.execute("DELETE FROM tidings.rules WHERE name = 'rule 7'")
        assert (await Rules(connection, "default").create(PAID, None)).rule.name == PAID.name
