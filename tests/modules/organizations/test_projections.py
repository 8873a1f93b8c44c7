"""Projections are what the facts say: after many lives, after somebody changed them, and beside whatever runs."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from tests.modules.organizations.process.lives import (
    MINUTE,
    Stuck,
    cancelled_in_temporal,
    cancelled_while_it_waits,
    not_undone_at_once,
    out_of_time,
    taken_on,
)
from tests.support.founding import TENANT, Founder, Saga
from tests.support.stepping import Stepper
from tests.support.temporal import keyring_of_tests
from tidings.kit import db
from tidings.modules.organizations.invitations import Invitations
from tidings.modules.organizations.projections import PROJECTIONS, Differing, differing
from tidings.modules.organizations.tokens import InvitationTokens, open_invitation_tokens
from tidings.modules.organizations.undoing import Undoing
from tidings.testing import adrain_outbox

AT_ONCE = 20


@pytest.fixture
def stepper(founder: Founder) -> Stepper:
    return Stepper(founder)


async def rows(pool: db.Pool) -> dict[str, list[Any]]:
    """All that there is, in an order of its own."""
    found = {}
    for each in PROJECTIONS:
        texts = await pool.fetch(f"SELECT to_jsonb(t)::text AS row FROM tidings.{each.table} t")
        found[each.table] = sorted((json.loads(row["row"]) for row in texts), key=str)
    return found


async def rebuilt(founder: Founder) -> int:
    """Every organisation from its facts alone, whether or not anything is wrong with it."""
    ids = [row["id"] for row in await founder.pool.fetch("SELECT id FROM tidings.organizations_projection")]
    for id in ids:  # noqa: A001
        async with founder.transaction() as connection:
            assert await connection.fetchval("SELECT tidings.rebuild_organization($1)", id) > 0
    return len(ids)


async def invitations_of(founder: Founder, tokens: InvitationTokens, organization: UUID) -> None:
    """One is sent again and accepted, the other revoked."""
    async with founder.transaction() as connection:
        invitations = Invitations(connection, TENANT, tokens)
        by_role = {each.role: each for each in await invitations.list(organization)}
        again = await invitations.resend(organization, by_role["provider_admin"].id, MINUTE)  # type: ignore[index]
        await invitations.revoke(organization, by_role["member"].id)  # type: ignore[index]
    async with founder.transaction() as connection:
        invitations = Invitations(connection, TENANT, tokens)
        user = await connection.fetchval("SELECT (tidings.admit_invited($1, $1, NULL, NULL)).id", again.email)
        opened = await invitations.take(tokens.token(again.id, again.issue), again.email or "")
        await invitations.accept(opened, user)


async def test_rows_made_anew_are_the_same_after_many_lives(saga: Saga) -> None:
    """Five organisations had one subdomain, one after the other."""
    provider = Stuck()
    saga = saga.with_dns(provider)
    left = await not_undone_at_once(saga)
    provider.stuck = False
    await adrain_outbox(saga.stage.settings, Undoing(saga.pool, saga.reconciler.dns).kind())
    for live in (cancelled_while_it_waits, out_of_time, cancelled_in_temporal, taken_on):
        last = await live(saga)
    await invitations_of(saga.founder, saga.tokens, last)
    before = await rows(saga.pool)
    assert {row["status"] for row in before["user_invitations_projection"]} == {"accepted", "revoked"}
    assert [row["holds_subdomain"] for row in before["organizations_projection"]].count(True) == 1
    assert await rebuilt(saga.founder) == 5
    assert await rows(saga.pool) == before
    assert await differing(saga.pool, TENANT, mends=True) == []
    assert (await saga.founder.state(left)).left_over == ()


DAMAGE = {
    "a column": (
        "UPDATE tidings.organizations_projection SET status = 'failed', active = false WHERE id = $1",
        "organizations_projection (active, status)",
    ),
    "a row that is gone": (
        "DELETE FROM tidings.organization_permissions_projection WHERE organization_id = $1 AND role = 'member'",
        "organization_permissions_projection (1 row missing)",
    ),
    "a row too many": (
        """INSERT INTO tidings.organization_permissions_projection
           VALUES ($1, 'default', 'member', 'organization.manage', now())""",
        "organization_permissions_projection (1 row too many)",
    ),
    "somebody made an admin": (
        "UPDATE tidings.user_invitations_projection SET role = 'provider_admin' WHERE organization_id = $1",
        "user_invitations_projection (role)",
    ),
    "an organisation that is gone": (
        "DELETE FROM tidings.organizations_projection WHERE id = $1",
        "organizations_projection (1 row missing)",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_what_somebody_changed_is_told_and_mended_and_nothing_else(
    stepper: Stepper, pool: db.Pool, owner: asyncpg.Connection[asyncpg.Record], damage: str
) -> None:
    id, _ = await stepper.taken_on(), await stepper.given_up("south")  # noqa: A001
    right = await rows(pool)
    statement, said = DAMAGE[damage]
    await owner.execute(statement, id)
    wrong = await rows(pool)
    assert wrong != right
    assert await differing(pool, TENANT, mends=False) == [Differing(TENANT, id, (said,), mended=False)]
    assert await rows(pool) == wrong
    assert await differing(pool, TENANT, mends=True) == [Differing(TENANT, id, (said,), mended=True)]
    assert await rows(pool) == right
    assert await differing(pool, TENANT, mends=True) == []


async def test_rows_of_which_no_fact_speaks_go(
    stepper: Stepper, pool: db.Pool, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    await stepper.taken_on()
    right, nobody = await rows(pool), uuid4()
    await owner.execute(
        """INSERT INTO tidings.organizations_projection (id, tenant, name, type, base_domain, subdomain, status,
               dns_timeout, version, created_at, updated_at)
           VALUES ($1, 'default', 'Nobody', 'provider', 'example.org', 'south', 'completed', '1 m', 1, now(), now())""",
        nobody,
    )
    assert [each.organization_id for each in await differing(pool, TENANT, mends=True)] == [nobody]
    assert await rows(pool) == right


async def test_what_cannot_be_mended_without_taking_anothers_subdomain_is_told(
    stepper: Stepper, pool: db.Pool, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await stepper.taken_on()
    await owner.execute("UPDATE tidings.organizations_projection SET holds_subdomain = false")
    second = await stepper.taken_on()
    before = await rows(pool)
    (found,) = await differing(pool, TENANT, mends=True)
    assert (found.organization_id, found.mended, "another organisation" in found.projections[0]) == (first, False, True)
    assert await rows(pool) == before
    assert (await stepper.founder.organization(second)).active


async def test_a_rebuild_beside_running_bootstraps_loses_nothing(stepper: Stepper, pool: db.Pool) -> None:
    ids = [await stepper.founder.ask(f"org-{number}") for number in range(AT_ONCE)]
    tokens = open_invitation_tokens(keyring_of_tests())
    walked = asyncio.Event()

    async def rebuild_all_the_time() -> int:
        rounds = 0
        while not walked.is_set() or not rounds:
            await rebuilt(stepper.founder)
            assert await differing(pool, TENANT, mends=True) == []
            rounds += 1
        return rounds

    async def live(number: int, id: UUID) -> None:
        if number % 4:
            await stepper.forward(id)
            await invitations_of(stepper.founder, tokens, id)
        else:
            await stepper.forward(id, "complete")
            await stepper.back(id)

    async with asyncio.TaskGroup() as group:
        rebuilding = group.create_task(rebuild_all_the_time())
        living = [group.create_task(live(number, id)) for number, id in enumerate(ids)]  # noqa: A001
        await asyncio.wait(living)
        walked.set()
    assert rebuilding.result()
    states = [await stepper.founder.state(id) for id in ids]  # noqa: A001
    assert [state.status for state in states].count("completed") == AT_ONCE * 3 // 4
    assert all(state.invitations in ({"accepted": 1, "revoked": 1}, {"revoked": 2}) for state in states)
    assert await differing(pool, TENANT, mends=True) == []
