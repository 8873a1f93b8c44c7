"""Asking for an organisation: every fault at its field, taken once, accepted whatever is down."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from pydantic import ValidationError

from tests.api.organization_routes import ASK, Takers, a_request, asked, user
from tests.api.world import Answer, World, api_settings, running, token
from tidings.kit.settings import OrganizationSettings


def faults(answer: Answer) -> dict[str, str]:
    assert answer.status == 422, answer.text
    return {each["field"]: each["message"] for each in answer.json["errors"]}


async def organizations(world: World) -> int:
    count: int = await world.pool.fetchval("SELECT count(*) FROM tidings.organizations_projection")
    return count


async def test_what_is_asked_for_is_on_its_way(world: World) -> None:
    admin = world.as_(world.admin)
    answer = await admin.post(ASK, a_request())
    assert answer.status == 202, answer.text
    id = answer.json["data"]["organizationId"]  # noqa: A001
    assert answer.json["data"] == {"organizationId": id, "status": "initiated"}
    shown = (await admin.get(f"/v1/organizations/{id}")).json["data"]
    assert {name: shown[name] for name in ("name", "type", "parentId", "subdomain", "domain", "path", "status")} == {
        "name": "The north clinic",
        "type": "provider",
        "parentId": None,
        "subdomain": "north",
        "domain": "north.acme.example",
        "path": "",
        "status": "initiated",
    }
    assert (shown["contact"]["name"], shown["active"], shown["mayManage"]) == ("The north clinic", False, True)
    started = await world.pool.fetchval("SELECT payload ->> 'process' FROM tidings.outbox WHERE kind = 'process.start'")
    assert started == f"org-bootstrap-{id}"


async def test_whoever_is_contact_and_user_is_one_person_with_a_name_of_their_own(world: World) -> None:
    admin = world.as_(world.admin)
    await asked(admin, contactEmail="Admin@north.example.com")
    people = await world.pool.fetch("SELECT name FROM tidings.people ORDER BY name")
    assert [row["name"] for row in people] == ["First Admin", "First Member"]


async def test_those_whom_several_invite_at_once_are_one_person_each(world: World) -> None:
    admin, body = world.as_(world.admin), a_request()
    answers = await asyncio.gather(*(admin.post(ASK, body | {"subdomain": f"org-{n}"}) for n in range(8)))
    assert {answer.status for answer in answers} == {202}
    known = await world.pool.fetch("SELECT value FROM tidings.addresses ORDER BY value")
    assert [row["value"] for row in known] == [f"{who}@north.example.com" for who in ("admin", "contact", "member")]


ADMIN = user("a@example.com")
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name"),
    ({"name": " \u200f "}, "name"),
    ({"name": "n" * 101}, "name"),
    ({"name": "two\nlines"}, "name"),
    ({"name": None}, "name"),
    ({"type": "customer"}, "type"),
    ({"type": "partner"}, "parentId"),
    ({"type": "partner", "parentId": None}, "parentId"),
    ({"type": "partner", "parentId": "north"}, "parentId"),
    ({"type": "partner", "parentId": str(uuid4())}, "parentId"),
    ({"parentId": str(uuid4())}, "parentId"),
    ({"contactEmail": "nobody"}, "contactEmail"),
    ({"contactEmail": "a@example.com\nBcc: b@example.com"}, "contactEmail"),
    ({"contactEmail": "a@example.com, b@example.com"}, "contactEmail"),
    ({"subdomain": "no"}, "subdomain"),
    ({"subdomain": "a" * 64}, "subdomain"),
    ({"subdomain": "North"}, "subdomain"),
    ({"subdomain": "-north"}, "subdomain"),
    ({"subdomain": "north-"}, "subdomain"),
    ({"subdomain": "no.rth"}, "subdomain"),
    ({"subdomain": "no_rth"}, "subdomain"),
    ({"subdomain": "north\n"}, "subdomain"),
    ({"subdomain": "münchen"}, "subdomain"),
    ({"subdomain": "www"}, "subdomain"),
    ({"subdomain": "mail"}, "subdomain"),
    ({"subdomain": "xn--mnchen-3ya"}, "subdomain"),
    ({"users": []}, "users"),
    ({"users": [user("a@example.com", "member")]}, "users"),
    ({"users": [user("a@example.com", "partner_admin")]}, "users"),
    ({"users": [ADMIN, user("A@Example.com", "member")]}, "users"),
    ({"users": [user("a@bücher.example"), user("a@xn--bcher-kva.example")]}, "users"),
    ({"users": [user(f"a{n}@example.com") for n in range(101)]}, "users"),
    ({"users": [ADMIN, user("nobody")]}, "users.1.email"),
    ({"users": [ADMIN, user("b@example.com", "owner")]}, "users.1.role"),
    ({"users": [ADMIN, user("b@example.com", first="")]}, "users.1.firstName"),
    ({"users": [ADMIN, user("b@example.com", last="n" * 101)]}, "users.1.lastName"),
    ({"users": [{**ADMIN, "password": "of their own"}]}, "users.0.password"),
    ({"dnsPropagationTimeoutSeconds": 45 * 60 + 1}, "dnsPropagationTimeoutSeconds"),
    ({"dnsPropagationTimeoutSeconds": 59}, "dnsPropagationTimeoutSeconds"),
    ({"dnsPropagationTimeoutSeconds": "1800"}, "dnsPropagationTimeoutSeconds"),
    ({"dnsPropagationTimeoutSeconds": 90.5}, "dnsPropagationTimeoutSeconds"),
    ({"baseDomain": "globex.example"}, "baseDomain"),
]


async def test_each_fault_is_named_at_its_field_and_nothing_is_taken(world: World) -> None:
    admin = world.as_(world.admin)
    for wrong, field in WRONG:
        assert list(faults(await admin.post(ASK, a_request() | wrong))) == [field], wrong
    assert await organizations(world) == 0
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.people") == 0


async def test_all_faults_are_named_at_once(world: World) -> None:
    body = a_request() | {
        "subdomain": "-",
        "name": "",
        "type": "customer",
        "contactEmail": "x",
        "users": [user("x", "owner")],
    }
    found = faults(await world.as_(world.admin).post(ASK, body))
    assert set(found) == {"name", "type", "contactEmail", "subdomain", "users.0.email", "users.0.role"}


async def test_what_is_missing_is_named(world: World) -> None:
    found = faults(await world.as_(world.admin).post(ASK, {}))
    assert set(found) == {"name", "type", "contactEmail", "subdomain", "users"}


@pytest.mark.parametrize("subdomain", ["abc", "a" * 63, "a--b", "123", "n-o-r-t-h"])
async def test_these_are_subdomains(world: World, subdomain: str) -> None:
    assert (await world.as_(world.admin).post(ASK, a_request(subdomain))).status == 202


async def test_the_longest_timeout_is_forty_five_minutes_and_is_what_the_process_goes_by(world: World) -> None:
    await asked(world.as_(world.admin), dnsPropagationTimeoutSeconds=45 * 60)
    given = await world.pool.fetchval("SELECT payload #>> '{input,limits,dnsTimeout}' FROM tidings.outbox LIMIT 1")
    assert given == "PT45M"


async def test_a_partner_has_a_parent_that_is_active(world: World) -> None:
    admin, takers = world.as_(world.admin), Takers(world)
    parent = await asked(admin)
    body = a_request("south", type="partner", parentId=parent)
    assert faults(await admin.post(ASK, body)) == {"parentId": "there is no such organisation, or it is not active"}
    await takers.take_on(parent)
    partner = (await admin.post(ASK, body)).json["data"]["organizationId"]
    await takers.take_on(partner)
    assert (await admin.get(f"/v1/organizations/{partner}")).json["data"]["path"] == "north.south"
    assert [each["id"] for each in (await admin.get(f"/v1/organizations?parent={parent}")).json["data"]] == [partner]


async def test_a_subdomain_that_somebody_has_is_a_conflict_until_they_are_undone(world: World) -> None:
    admin, takers = world.as_(world.admin), Takers(world)
    first = await asked(admin)
    taken = await admin.post(ASK, a_request(users=[user("other@example.com")]))
    assert (taken.status, taken.json["detail"]) == (409, "The subdomain north is taken.")
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.addresses WHERE value = 'other@example.com'") == 0
    await takers.step(first, "create", "grant", "configure_dns")
    assert (await admin.post(ASK, a_request())).status == 409
    await takers.undo(first)
    second = await asked(admin)
    await takers.take_on(second)
    assert (await admin.post(ASK, a_request())).status == 409


async def test_whether_a_subdomain_can_be_had_is_told(world: World) -> None:
    admin = world.as_(world.admin)

    async def told(subdomain: str) -> tuple[bool, str | None]:
        answer = (await admin.get(f"/v1/organizations/subdomains/{subdomain}")).json["data"]
        assert (answer["subdomain"], answer["domain"]) == (subdomain, f"{subdomain}.acme.example")
        return answer["available"], answer["reason"]

    assert await told("north") == (True, None)
    first = await asked(admin)
    assert await told("north") == (False, "is taken")
    assert await told("www") == (False, "is reserved")
    await Takers(world).undo(first)
    assert await told("north") == (True, None)
    for wrong in ("no", "North", "north-", "a" * 64):
        assert (await admin.get(f"/v1/organizations/subdomains/{wrong}")).status == 404, wrong


async def test_names_that_would_lead_to_us_to_another_tenant_or_look_like_others_are_reserved(
    database_url: str, world: World
) -> None:
    """Whatever the settings reserve, and however they write it."""
    ours = {"reserved": "WWW", "domains": {"acme": "acme.example", "globex": "globex.acme.example"}}
    async with running(api_settings(database_url, organizations=ours)) as client:
        admin = client.acting(world.admin.key)
        for name in ("www", "app", "globex", "xn--80ak6aa92e"):
            assert faults(await admin.post(ASK, a_request(name))) == {"subdomain": "is reserved"}, name
            assert (await admin.get(f"/v1/organizations/subdomains/{name}")).json["data"]["reason"] == "is reserved"
        assert (await admin.post(ASK, a_request("mail"))).status == 202


async def test_the_same_key_is_the_same_organization_and_another_body_is_refused(world: World) -> None:
    admin, once = world.as_(world.admin), {"Idempotency-Key": "once"}
    answers = [await admin.post(ASK, a_request(), headers=once) for _ in range(3)]
    assert {answer.text for answer in answers} == {answers[0].text}
    other = await admin.post(ASK, a_request("south"), headers=once)
    assert faults(other) == {"Idempotency-Key": "was used for another request"}
    rows = await world.pool.fetch("SELECT kind FROM tidings.outbox")
    assert Counter(row["kind"] for row in rows)["process.start"] == await organizations(world) == 1


async def test_a_refused_request_leaves_its_key_free(world: World) -> None:
    admin, once = world.as_(world.admin), {"Idempotency-Key": "once"}
    assert (await admin.post(ASK, a_request("www"), headers=once)).status == 422
    assert (await admin.post(ASK, a_request("north"), headers=once)).status == 202


async def test_a_tenant_without_a_domain_is_told_who_sets_one(world: World) -> None:
    async with world.pool.acquire() as connection:
        await connection.execute("INSERT INTO tidings.tenants (id, name) VALUES ('initech', 'Initech')")
    operator = world.client.acting(token(role="operator"), **{"Tidings-Tenant": "initech"})
    answer = await operator.post(ASK, a_request())
    assert (answer.status, "TIDINGS_ORGANIZATIONS_DOMAINS" in answer.json["detail"]) == (409, True)
    assert (await operator.get("/v1/organizations/subdomains/north")).status == 409


async def test_the_same_subdomain_is_free_under_each_tenants_own_domain(world: World) -> None:
    ours, theirs = await asked(world.as_(world.admin)), await asked(world.as_(world.stranger))
    domains = await world.pool.fetch("SELECT id::text, base_domain FROM tidings.organizations_projection")
    assert {row["id"]: row["base_domain"] for row in domains} == {ours: "acme.example", theirs: "globex.example"}


def test_a_domain_belongs_to_one_tenant(database_url: str) -> None:
    with pytest.raises(ValidationError, match=r"example\.com is given to more than one tenant"):
        OrganizationSettings(domains="acme=example.com,globex=Example.com")
    settings = api_settings(database_url, organizations={"domains": "acme=example.com"})
    assert settings.organizations.domains == {"acme": "example.com"}


async def test_facts_carry_nobodys_address_or_name(world: World) -> None:
    await asked(world.as_(world.admin))
    (data,) = (row[0] for row in await world.pool.fetch("SELECT data::text FROM tidings.facts"))
    for words in ("north.example.com", "First", "Admin", "contact@"):
        assert words not in data
