"""Accepting an invitation: a new login or the one that there is, and nobody else's; once, however many try."""

from __future__ import annotations

import asyncio

from tests.api.invited import MEMBER, NEW, accepted, add_user, refused, roles
from tests.api.organization_routes import Takers, accept, in_session_of, invitations_of, link_in, look, user
from tests.api.sessions import PASSWORD, in_session, with_password
from tests.api.world import Client, World, api_settings, bearer, running
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Users


async def test_a_new_login_is_made_signed_in_and_in_the_organization(world: World, takers: Takers, north: str) -> None:
    token = await takers.token(MEMBER)
    shown = (await look(world.client, token)).json["data"]
    assert {name: shown[name] for name in ("organization", "email", "name", "role", "hasLogin", "signedInAs")} == {
        "organization": "The north clinic",
        "email": MEMBER,
        "name": "First Member",
        "role": "member",
        "hasLogin": False,
        "signedInAs": None,
    }
    answer = await accept(world.client, token, NEW)
    assert answer.status == 201, answer.text
    assert (answer.json["data"]["organizationId"], answer.json["data"]["tenant"]) == (north, "acme")
    assert "HttpOnly; SameSite=Lax" in answer.headers["Set-Cookie"]
    session = in_session_of(world.client, answer)
    me = (await session.get("/v1/session")).json["data"]
    assert (me["email"], me["tenant"], me["role"]) == (MEMBER, "acme", "member")
    assert (await session.get(f"/v1/organizations/{north}")).status == 200
    assert (await in_session(world.client, email=MEMBER, password=NEW)).headers
    linked = await world.pool.fetchval(
        "SELECT u.email FROM tidings.people p JOIN tidings.users u ON u.id = p.user_id WHERE p.name = 'First Member'"
    )
    assert linked == MEMBER


async def test_a_password_that_is_missing_or_weak_consumes_nothing(world: World, takers: Takers, north: str) -> None:
    token = await takers.token(MEMBER)
    for password in (None, "", "short", "p" * 257):
        answer = await accept(world.client, token, password)
        assert (answer.status, answer.json["errors"][0]["field"]) == (422, "password"), password
    assert await accepted(world) == []
    assert (await accept(world.client, token, NEW)).status == 201


async def test_an_existing_login_is_joined_with_its_own_password_alone(
    world: World, takers: Takers, north: str
) -> None:
    user_id = await add_user(world, MEMBER, "globex")
    token = await takers.token(MEMBER)
    assert (await look(world.client, token)).json["data"]["hasLogin"] is True
    wrong = await accept(world.client, token, NEW)
    assert refused(wrong) == (401, "There is a sign-in for this address already, and this is not its password")
    assert "Set-Cookie" not in wrong.headers
    assert await roles(world, MEMBER) == {"globex": "member"}
    right = await accept(world.client, token, PASSWORD)
    me = (await in_session_of(world.client, right).get("/v1/session")).json["data"]
    assert (me["tenant"], me["role"]) == ("acme", "member")
    assert await accepted(world) == [str(user_id)]
    assert await roles(world, MEMBER) == {"acme": "member", "globex": "member"}
    assert (await in_session(world.client, email=MEMBER, password=PASSWORD, tenant="globex")).headers


async def test_who_is_signed_in_as_that_person_needs_no_password(world: World, takers: Takers, north: str) -> None:
    user_id = await add_user(world, MEMBER, "acme")
    session = await in_session(world.client, email=MEMBER, password=PASSWORD)
    token = await takers.token(MEMBER)
    assert (await look(session, token)).json["data"]["signedInAs"] == MEMBER
    answer = await accept(session, token)
    assert (answer.status, answer.json["data"]["csrfToken"], answer.json["data"]["expiresAt"]) == (201, None, None)
    assert "Set-Cookie" not in answer.headers
    assert await accepted(world) == [str(user_id)]
    assert (await session.get(f"/v1/organizations/{north}")).status == 200


async def test_who_is_signed_in_as_somebody_else_is_told_for_whom_it_is(
    world: World, takers: Takers, north: str
) -> None:
    session = await with_password(world, world.admin.email)
    answer = await accept(session, await takers.token(MEMBER), NEW)
    expected = f"This invitation is for {MEMBER}, and you are signed in as {world.admin.email}. Sign out first."
    assert refused(answer) == (403, expected)
    assert await accepted(world) == []


async def test_a_session_counts_with_its_token_alone_and_a_key_not_at_all(
    world: World, takers: Takers, north: str
) -> None:
    """Else a page elsewhere could accept in somebody's name, or whoever holds a narrow key."""
    await add_user(world, MEMBER, "acme")
    session = await in_session(world.client, email=MEMBER, password=PASSWORD)
    token, cookie = await takers.token(MEMBER), session.headers["Cookie"]
    for headers in ({"Cookie": cookie}, {"Cookie": cookie, "X-CSRF-Token": "another"}, {"Cookie": "tidings_session=x"}):
        forged = Client(world.client.base, world.client.http, headers)
        assert (await accept(forged, token)).json["errors"] == [{"field": "password", "message": "is needed"}]
    key = (await session.post("/v1/keys", {"name": "narrow", "scopes": ["inbox"]})).json["data"]["secret"]
    for headers in (bearer(key), {**session.headers, **bearer(key)}):
        assert (await accept(Client(world.client.base, world.client.http, headers), token)).status == 422
    assert await accepted(world) == []


async def test_a_member_keeps_their_role_and_an_admin_stays_one(world: World, takers: Takers) -> None:
    users = [user(world.admin.email), user(world.member.email, "partner_admin")]
    north = await takers.taken_on(world.as_(world.admin), users=users)
    for person, role in ((world.admin, "admin"), (world.member, "member")):
        session = await with_password(world, person.email)
        assert (await accept(session, await takers.token(person.email))).status == 201
        assert await roles(world, person.email) == {"acme": role}
    shown = (await world.as_(world.admin).get(invitations_of(north))).json["data"]
    assert {each["status"] for each in shown} == {"accepted"}


async def test_an_invitation_is_accepted_once(world: World, takers: Takers, north: str) -> None:
    token = await takers.token(MEMBER)
    assert (await accept(world.client, token, NEW)).status == 201
    over = (409, "This invitation was accepted already; sign in instead")
    for answer in (await accept(world.client, token, NEW), await look(world.client, token)):
        assert refused(answer) == over
    assert len(await accepted(world)) == 1


async def test_of_many_who_accept_at_once_one_does_and_the_others_are_told(
    world: World, takers: Takers, north: str
) -> None:
    token = await takers.token(MEMBER)
    async with running(world.settings) as second:
        clients = (world.client, second)
        answers = await asyncio.gather(*(accept(clients[n % 2], token, f"{NEW} {n}") for n in range(6)))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 5
    assert len(await accepted(world)) == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.users WHERE email = $1", MEMBER) == 1
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.sessions") == 1


async def test_those_who_accept_hold_no_connection_while_they_prove_who_they_are(
    database_url: str, takers: Takers, north: str
) -> None:
    """More of them than the API has connections: nobody waits for ever."""
    token = await takers.token(MEMBER)
    small = {"url": database_url, "pool_size": 2, "connect_timeout": "20s"}
    async with running(api_settings(database_url, database=small, api={"sign_in_limit": 1_000})) as client:
        answers = await asyncio.gather(*(accept(client, token, NEW) for _ in range(12)))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 11


async def test_somebody_invited_by_two_organizations_has_one_login(world: World, takers: Takers, north: str) -> None:
    again = await takers.taken_on(world.as_(world.admin), "south", users=[user(MEMBER, first="First", last="Member")])
    first, second = [link_in(mail)[1] for mail in await takers.mails(MEMBER)]
    assert (await accept(world.client, first, NEW)).status == 201
    assert (await look(world.client, second)).json["data"]["hasLogin"] is True
    assert (await accept(world.client, second, "another password")).status == 401
    session = in_session_of(world.client, await accept(world.client, second, NEW))
    seen = {each["id"] for each in (await session.get("/v1/organizations")).json["data"]}
    assert seen == {north, again}
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.users WHERE email = $1", MEMBER) == 1


async def test_a_login_that_another_tenant_answers_for_is_not_joined(world: World, takers: Takers, north: str) -> None:
    """Its password is what an admin elsewhere may know: it opens that tenant and no other."""
    theirs = Takers(world, "globex")
    await theirs.taken_on(world.as_(world.stranger), users=[user(MEMBER)])
    ours, foreign = [link_in(mail)[1] for mail in await takers.mails(MEMBER)]
    assert (await accept(world.client, foreign, NEW)).status == 201
    assert await roles(world, MEMBER) == {"globex": "member"}
    session = await in_session(world.client, email=MEMBER, password=NEW)
    expected = (409, "The sign-in of this address is of another tenant; an operator has to vouch for it first.")
    assert refused(await accept(world.client, ours, NEW)) == expected
    assert refused(await accept(session, ours)) == expected
    assert await roles(world, MEMBER) == {"globex": "member"}
    assert (await world.client.post("/v1/session", {"email": MEMBER, "password": NEW, "tenant": "acme"})).status == 401


async def test_what_an_invitation_made_opens_its_own_tenant_until_an_operator_vouches(
    world: World, takers: Takers, north: str
) -> None:
    """An admin who reads the tenant's mail could have chosen the password."""
    await takers.member(MEMBER, NEW)
    async with world.pool.acquire() as connection:
        id = await Users(connection).find(MEMBER)  # noqa: A001
        await Users(connection).join(id, "globex", Role.ADMIN)
    for tenant in ("acme", "globex"):
        answer = await world.client.post("/v1/session", {"email": MEMBER, "password": NEW, "tenant": tenant})
        assert answer.status == 401


async def test_an_operator_who_is_invited_stays_one_and_gets_no_place(world: World, takers: Takers) -> None:
    await takers.taken_on(world.as_(world.admin), users=[user(world.operator.email)])
    token = await takers.token(world.operator.email)
    assert (await accept(world.client, token, NEW)).status == 401
    session = await with_password(world, world.operator.email)
    assert (await accept(session, token)).status == 201
    assert await roles(world, world.operator.email) == {}
    assert (await session.get("/v1/session")).json["data"]["role"] == "operator"


async def test_who_was_removed_comes_back_by_another_invitation(world: World, takers: Takers, north: str) -> None:
    admin = world.as_(world.admin)
    await takers.member(MEMBER, NEW)
    async with world.pool.acquire() as connection:
        id = await Users(connection).find(MEMBER)  # noqa: A001
    assert (await admin.call("DELETE", f"/v1/users/{id}")).status == 204
    assert (await world.client.post("/v1/session", {"email": MEMBER, "password": NEW})).status == 401
    await takers.taken_on(admin, "south", users=[user(MEMBER)])
    token = await takers.token(MEMBER)
    assert (await accept(world.client, token, "another password")).status == 401
    assert (await accept(world.client, token, NEW)).status == 201
    assert await roles(world, MEMBER) == {"acme": "member"}


async def test_a_login_that_is_disabled_is_not_opened(world: World, takers: Takers, north: str) -> None:
    id = await add_user(world, MEMBER, "acme")  # noqa: A001
    session = await in_session(world.client, email=MEMBER, password=PASSWORD)
    async with world.pool.acquire() as connection:
        await Users(connection).disable(id)
    token = await takers.token(MEMBER)
    assert (await accept(world.client, token, PASSWORD)).status == 401
    assert (await accept(session, token, PASSWORD)).status == 401
    assert await accepted(world) == []


async def test_a_login_without_a_password_is_not_opened_by_one(world: World, takers: Takers, north: str) -> None:
    """Whoever has it signs in by a link first."""
    admin = world.as_(world.admin)
    assert (await admin.post("/v1/users", {"email": MEMBER, "role": "member", "link": False})).status == 201
    assert (await accept(world.client, await takers.token(MEMBER), NEW)).status == 401
    assert await accepted(world) == []
