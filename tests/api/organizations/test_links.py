"""Links of invitations: what each is good for, where it leads, to which mailbox it went; and who guesses."""

from __future__ import annotations

import asyncpg

from tests.api.invited import MEMBER, NEW, accepted, add_user, path_of, refused, roles
from tests.api.organization_routes import Takers, accept, asked, invitations_of, look, user
from tests.api.sessions import PASSWORD
from tests.api.world import Client, World, api_settings, running
from tidings.kit.crypto import DataKeys, Key, Keyring
from tidings.modules.organizations.tokens import open_invitation_tokens

ACCEPT = "/v1/invitations/accept"
UNKNOWN = "This link is not one of ours; open it exactly as it stands in the mail"


async def test_what_is_no_token_is_not_one_of_ours(world: World, takers: Takers, north: str) -> None:
    token = await takers.token(MEMBER)
    wrong = [
        token[:-1],
        token + "A",
        token.swapcase(),
        "A" * 43,
        "x",
        "ü" * 43,
        token[:42] + "=",
        f" {token}",
        "../" * 9,
    ]
    for each in wrong:
        assert refused(await look(world.client, each)) == (404, UNKNOWN), each
        assert refused(await accept(world.client, each, NEW)) == (404, UNKNOWN), each
    for body in ({}, {"token": ""}, {"token": 7}, {"token": None}, {"token": "A" * 257}, {"token": [token]}):
        answer = await world.client.post("/v1/invitations/look", body)
        assert (answer.status, answer.json["errors"][0]["field"]) == (422, "token")
        assert token not in answer.text
    assert await accepted(world) == []


async def test_a_token_of_another_installation_is_not_one_of_ours(world: World, takers: Takers, north: str) -> None:
    id = await world.pool.fetchval("SELECT id FROM tidings.user_invitations_projection LIMIT 1")  # noqa: A001
    other = Key(b"\x07" * 32)
    theirs = open_invitation_tokens(Keyring(other, DataKeys(other, (other,)))).token(id, 1)
    assert refused(await accept(world.client, theirs, NEW)) == (404, UNKNOWN)


async def test_an_invitation_that_has_expired_is_told_from_one_that_never_was(
    world: World, takers: Takers, north: str
) -> None:
    token = await takers.token(MEMBER)
    await _expire(world)
    expected = (409, "This invitation has expired; ask whoever invited you for another")
    assert refused(await look(world.client, token)) == expected
    assert refused(await accept(world.client, token, NEW)) == expected


async def test_one_that_was_taken_back_or_sent_again_is_void(world: World, takers: Takers, north: str) -> None:
    admin, first = world.as_(world.admin), await takers.token(MEMBER)
    path = await path_of(admin, north, MEMBER)
    assert (await admin.post(f"{path}/resend")).json["data"]["issue"] == 2
    expected = (409, "There is a newer mail with another link; open that one")
    assert refused(await look(world.client, first)) == refused(await accept(world.client, first, NEW)) == expected
    second = await takers.token(MEMBER)
    assert second != first
    assert (await admin.post(f"{path}/revoke")).json["data"]["status"] == "revoked"
    for token in (first, second):
        assert refused(await accept(world.client, token, NEW)) == (409, "This invitation was taken back")
    assert await accepted(world) == []


async def test_until_the_organization_is_ready_nobody_comes_in(world: World, takers: Takers) -> None:
    id = await asked(world.as_(world.admin))  # noqa: A001
    await takers.step(id, "create", "grant", "configure_dns", "verify_dns", "invite", "mail")
    token = await takers.token(MEMBER)
    expected = (409, "The organisation is not ready yet; try again in a while")
    assert refused(await look(world.client, token)) == refused(await accept(world.client, token, NEW)) == expected
    await takers.step(id, "complete")
    assert (await accept(world.client, token, NEW)).status == 201


async def test_of_an_organization_that_was_not_taken_on_every_link_is_void(world: World, takers: Takers) -> None:
    id = await asked(world.as_(world.admin))  # noqa: A001
    await takers.step(id, "create", "grant", "configure_dns", "verify_dns", "invite", "mail")
    token = await takers.token(MEMBER)
    await takers.undo(id)
    expected = (409, "The organisation was not taken on after all; this invitation is void")
    assert refused(await look(world.client, token)) == refused(await accept(world.client, token, NEW)) == expected


async def test_who_opens_the_link_consumes_nothing(world: World, takers: Takers, north: str) -> None:
    """Scanners of mail do, with any method that asks; so do those who preview it."""
    token = await takers.token(MEMBER)
    for _ in range(3):
        for method in ("GET", "HEAD"):
            for path in ("/v1/invitations/accept", "/v1/invitations/look"):
                assert (await world.client.call(method, f"{path}?token={token}")).status == 405
            page = await world.client.call(method, f"/auth/accept-invitation?token={token}")
            assert token not in page.text
        assert (await look(world.client, token)).status == 200
    assert (await accept(world.client, token, NEW)).status == 201


async def test_links_lead_where_the_settings_say_whatever_a_request_says(database_url: str, world: World) -> None:
    """Neither the host that asks for the organisation, nor the one that sends it again, gets into a mail."""
    poisoned = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    settings = api_settings(database_url, api={"public_url": "https://tidings.example/"})
    async with running(settings) as client:
        poor = client.acting(world.admin.key, **poisoned)
        takers = Takers(World(settings, poor, world.pool, *(world.member, world.admin, world.operator, world.stranger)))
        north = await takers.taken_on(poor)
        path = await path_of(poor, north, MEMBER)
        assert (await poor.post(f"{path}/resend")).status == 200
        mails = await takers.mails(MEMBER)
        answer = await accept(Client(client.base, client.http, poisoned), await takers.token(MEMBER), NEW)
    assert len(mails) == 2
    assert all("https://tidings.example/auth/accept-invitation?token=" in mail["text"] for mail in mails)
    assert not any("evil" in str(mail) for mail in mails)
    assert (answer.status, "Secure" in answer.headers["Set-Cookie"], "evil" in answer.text) == (201, True, False)


async def test_the_session_leads_nowhere_that_the_request_names(world: World, takers: Takers, north: str) -> None:
    """There is no address to go to in what is asked, nor in what is answered."""
    token = await takers.token(MEMBER)
    unknown = await world.client.post(
        "/v1/invitations/accept", {"token": token, "password": NEW, "next": "//evil.example"}
    )
    assert (unknown.status, unknown.json["errors"][0]["field"]) == (422, "next")
    answer = await world.client.post("/v1/invitations/accept?next=//evil.example", {"token": token, "password": NEW})
    assert (answer.status, "Location" in answer.headers, "evil" in answer.text) == (201, False, False)


async def test_whom_it_is_for_and_as_what_the_invitation_says_and_no_request(
    world: World, takers: Takers, north: str
) -> None:
    token = await takers.token(MEMBER)
    wrong = {"role": "admin", "email": world.admin.email, "tenant": "globex", "organizationId": north, "userId": "7"}
    for field, value in wrong.items():
        answer = await world.client.post(ACCEPT, {"token": token, "password": NEW, field: value})
        assert (answer.status, answer.json["errors"][0]["field"]) == (422, field)
    operator = {"Tidings-Tenant": "globex"}
    assert (await world.client.post(ACCEPT, {"token": token, "password": NEW}, headers=operator)).status == 201
    assert await roles(world, MEMBER) == {"acme": "member"}
    (shown,) = [
        each
        for each in (await world.as_(world.admin).get(invitations_of(north))).json["data"]
        if each["email"] == MEMBER
    ]
    assert (shown["role"], shown["status"]) == ("member", "accepted")


async def test_who_guesses_has_as_many_tries_as_where_one_signs_in(database_url: str, world: World) -> None:
    takers = Takers(world)
    await takers.taken_on(world.as_(world.admin))
    await add_user(world, MEMBER, "globex")
    token = await takers.token(MEMBER)
    async with running(api_settings(database_url, api={"sign_in_limit": 3})) as client:
        answers = [await accept(client, token, f"a guess of mine {n}") for n in range(5)]
        assert [answer.status for answer in answers] == [401] * 3 + [429] * 2
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert (await client.post("/v1/session", {"email": MEMBER, "password": PASSWORD})).status == 429


async def test_strangers_who_guess_tokens_are_slowed(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 3})) as client:
        answers = [await look(client, "A" * 43) for _ in range(5)]
    assert [answer.status for answer in answers] == [404] * 3 + [429] * 2


async def test_the_token_of_one_mailbox_makes_no_login_of_another(world: World, takers: Takers, north: str) -> None:
    """Whoever may change addresses could else take a token of their own for somebody else's."""
    admin, token = world.as_(world.admin), await takers.token(MEMBER)
    person, address = await _mailbox(world, MEMBER)
    for email in ("victim@globex.example", "another@example.com"):
        body = {"kind": "email", "value": email}
        assert (await admin.post(f"/v1/people/{person}/addresses", body)).status == 201
    assert (await look(world.client, token)).json["data"]["email"] == MEMBER
    assert (await admin.call("DELETE", f"/v1/people/{person}/addresses/{address}")).status == 204
    expected = (409, "The address that this invitation was sent to is not known here any more.")
    assert refused(await look(world.client, token)) == refused(await accept(world.client, token, NEW)) == expected
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.users WHERE email LIKE 'victim%'") == 0
    assert (await admin.post(f"{await path_of(admin, north, None)}/resend")).status == 200
    assert (await takers.mails("victim@globex.example")) != []
    assert (await takers.mails("another@example.com")) == []


async def test_a_mail_goes_to_the_mailbox_that_was_invited_and_to_no_other(world: World, takers: Takers) -> None:
    admin = world.as_(world.admin)
    person = (await admin.post("/v1/people", {"name": "Two", "email": "old@example.com"})).json["data"]["id"]
    await admin.post(f"/v1/people/{person}/addresses", {"kind": "email", "value": "new@example.com"})
    north = await takers.taken_on(admin, users=[user("new@example.com")])
    assert [mail["to"] for mail in await takers.mails()] == ["new@example.com"]
    await takers.member("new@example.com", NEW)
    (shown,) = (await admin.get(invitations_of(north))).json["data"]
    assert (shown["personId"], shown["email"], shown["mailStatus"]) == (person, "new@example.com", "sent")
    assert await roles(world, "new@example.com") == {"acme": "member"}


async def test_one_person_with_two_mailboxes_is_invited_by_each(world: World, takers: Takers) -> None:
    admin = world.as_(world.admin)
    person = (await admin.post("/v1/people", {"name": "Two", "email": "one@example.com"})).json["data"]["id"]
    await admin.post(f"/v1/people/{person}/addresses", {"kind": "email", "value": "two@example.com"})
    users = [user("one@example.com"), user("two@example.com", "member")]
    north = await takers.taken_on(admin, users=users)
    shown = (await admin.get(invitations_of(north))).json["data"]
    assert {each["email"]: each["role"] for each in shown} == {
        "one@example.com": "provider_admin",
        "two@example.com": "member",
    }
    assert sorted(mail["to"] for mail in await takers.mails()) == ["one@example.com", "two@example.com"]


async def _mailbox(world: World, email: str) -> tuple[str, str]:
    row = await world.pool.fetchrow("SELECT person_id, id FROM tidings.addresses WHERE value = $1", email)
    assert row is not None
    return str(row["person_id"]), str(row["id"])


async def _expire(world: World) -> None:
    """As the fact would have said a week ago; the projection is its owner's to write."""
    owner = await asyncpg.connect(world.settings.database.url)
    await owner.execute("UPDATE tidings.user_invitations_projection SET expires_at = now() - interval '1 second'")
    await owner.close()
