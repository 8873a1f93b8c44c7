"""People over HTTP: created, found, changed; what is secret of them never comes back."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from tests.api.world import Client, World
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.notify.people.address_book import MOST

SLACK = "https://hooks.slack.example/services/T0/B0/canary"
WHOLE = {
    "externalId": "7",
    "userType": "guest",
    "name": " So\u202emebody ",
    "locale": "pt-br",
    "timezone": "Europe/Rome",
    "quietHours": {"from": "22:00", "until": "07:30"},
    "email": "Some.Body@EXAMPLE.com",
    "phone": "+390612345678",
    "pushTokens": ["token-a", "token-b"],
    "slackWebhook": SLACK,
    "webhooks": [{"url": "https://example.com/canary"}],
    "appriseUrls": ["discord://canary/token"],
}


@pytest.fixture
def admin(world: World) -> Client:
    return world.as_(world.admin)


async def made(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/people", {"name": "Somebody", **fields})
    assert answer.status == 201, answer.text
    person: dict[str, Any] = answer.json["data"]
    return person


async def test_a_person_is_kept_as_given_and_nothing_secret_comes_back(world: World, admin: Client) -> None:
    person = await made(admin, **WHOLE)
    assert (person["name"], person["locale"], person["email"]) == ("Somebody", "pt-BR", "Some.Body@example.com")
    assert person["quietHours"] == WHOLE["quietHours"]
    secrets = {address["kind"]: address["secret"] for address in person["addresses"]}
    assert secrets.pop("webhook").startswith("whsec_")
    assert set(secrets.values()) == {None}
    seen = await admin.get(f"/v1/people/{person['id']}")
    assert "canary" not in seen.text
    assert "whsec_" not in seen.text
    values = {
        address["value"] for address in seen.json["data"]["addresses"] if address["kind"] not in {"email", "push"}
    }
    assert values == {"+390612345678", "https://hooks.slack.example/…", "https://example.com/…", "discord://…"}
    stored = await world.pool.fetch("SELECT kind, value, fingerprint, sealed FROM tidings.addresses")
    assert "canary" not in str([row["value"] for row in stored])
    vault = (await unlocked(world.settings, world.pool)).vault(ADDRESSES)
    opened = {row["kind"]: json.loads(vault.open(row["sealed"], "acme")) for row in stored if row["sealed"]}
    assert opened["slack"] == {"url": SLACK}
    assert opened["webhook"]["url"] == "https://example.com/canary"
    assert "some.body@example.com" in [row["fingerprint"] for row in stored]


async def test_people_are_found_by_what_is_known_of_them(admin: Client) -> None:
    group = (await admin.post("/v1/groups", {"externalId": "g", "name": "Group"})).json["data"]["id"]
    first = await made(admin, externalId="1", userType="guest", email="one@example.com")
    second = await made(admin, externalId="2", name="100%_other")
    await admin.call("PUT", f"/v1/groups/{group}/members/{second['id']}")
    for query, expected in (
        ("", [second, first]),
        ("externalId=1", [first]),
        ("userType=guest", [first]),
        ("email=ONE@example.com", [first]),
        ("email=other@example.com", []),
        (f"group={group}", [second]),
        ("q=some", [first]),
        ("q=100%25_", [second]),
        ("q=10_", []),
    ):
        assert (await admin.get(f"/v1/people?{query}")).json["data"] == expected, query
    page = (await admin.get("/v1/people?limit=1")).json
    assert page["data"] == [second]
    rest = await admin.get(f"/v1/people?limit=1&cursor={page['pagination']['nextCursor']}")
    assert (rest.json["data"], rest.json["pagination"]["hasMore"]) == ([first], False)


async def test_what_a_change_leaves_out_stays(admin: Client) -> None:
    person = await made(admin, **WHOLE)
    path = f"/v1/people/{person['id']}"
    changed = (await admin.call("PATCH", path, json={"quietHours": None, "pushTokens": ["token-b", "token-c"]})).json
    assert changed["data"]["quietHours"] is None
    assert changed["data"]["timezone"] == "Europe/Rome"
    before = {address["value"]: address["id"] for address in person["addresses"]}
    after = {address["value"]: address["id"] for address in changed["data"]["addresses"]}
    assert after.pop("token-c") not in before.values()
    assert before.pop("token-a") not in after.values()
    assert after == before
    assert (await admin.call("PATCH", path, json={"name": None})).status == 422
    assert (await admin.call("DELETE", path)).status == 204
    assert (await admin.get(path)).status == 404


async def test_an_upsert_creates_once_and_changes_after_that(admin: Client) -> None:
    path = "/v1/people/by-external-id/a%2Fb%20c"
    first = await admin.call("PUT", path, json={"name": "One", "email": "one@example.com"})
    second = await admin.call("PUT", path, json={"name": "Two", "phone": "+4930123456"})
    assert (first.status, second.status) == (201, 200)
    person = second.json["data"]
    assert (person["id"], person["externalId"]) == (first.json["data"]["id"], "a/b c")
    assert (person["name"], person["email"], person["phone"]) == ("Two", "one@example.com", "+4930123456")


async def test_an_external_id_and_a_login_belong_to_one_person(world: World, admin: Client) -> None:
    linked = await made(admin, externalId="7", userId=str(world.member.id))
    assert linked["userId"] == str(world.member.id)
    for taken in ({"externalId": "7"}, {"userId": str(world.member.id)}):
        assert (await admin.post("/v1/people", {"name": "Other", **taken})).status == 409
    foreign = await admin.post("/v1/people", {"name": "Other", "userId": str(world.stranger.id)})
    assert (foreign.status, foreign.json["errors"][0]["field"]) == (422, "userId")
    assert (await made(world.as_(world.stranger), externalId="7"))["id"] != linked["id"]


async def test_the_same_key_creates_one_person_and_shows_the_secret_again(admin: Client) -> None:
    headers = {"Idempotency-Key": "one"}
    body = {"name": "Somebody", "webhooks": [{"url": "https://example.com/hook"}]}
    replies = [await admin.post("/v1/people", body, headers=headers) for _ in range(2)]
    assert replies[0].text == replies[1].text
    assert len((await admin.get("/v1/people")).json["data"]) == 1


WRONG: list[tuple[str, Any]] = [
    ("name", "Nul\x00"),
    ("name", "Two\nlines"),
    ("name", "\u202e "),
    ("name", "\ud800"),
    ("locale", "english"),
    ("timezone", "Europe/Nowhere"),
    ("timezone", "../../etc/passwd"),
    ("quietHours", {"from": "24:00", "until": "07:00"}),
    ("quietHours", {"from": "22:00"}),
    ("email", "a@example.com, b@example.com"),
    ("email", "a@example.com\r\nBcc: b@example.com"),
    ("email", "Somebody <a@example.com>"),
    ("phone", "0612345678"),
    ("pushTokens", ["a b"]),
    ("slackWebhook", "ftp://example.com/"),
    ("slackWebhook", "https://user:secret@example.com/"),
    ("slackWebhook", "https://example.com:99999/"),
    ("slackWebhook", "https:///path"),
    ("webhooks", [{"url": "https://example.com", "secret": "whsec_short"}]),
    ("appriseUrls", ["not a url"]),
    ("tenantId", "globex"),
]


async def test_what_cannot_be_is_refused(admin: Client) -> None:
    for field, value in WRONG:
        answer = await admin.post("/v1/people", {"name": "Somebody", field: value})
        assert answer.status == 422, (field, value, answer.text)
        assert answer.json["errors"][0]["field"].startswith((field, "body")), answer.text
    assert (await admin.get("/v1/people")).json["data"] == []


async def test_an_address_that_cannot_be_is_refused_in_words(admin: Client) -> None:
    body = {"name": "Somebody", "email": "nobody", "phone": "0612345678"}
    refused = await admin.post("/v1/people", body)
    assert refused.json["errors"] == [
        {"field": "email", "message": "must be one e-mail address"},
        {"field": "phone", "message": "must be a number in E.164, such as +390612345678"},
    ]


async def test_addresses_are_added_removed_and_enabled_again(world: World, admin: Client) -> None:
    person = await made(admin)
    path = f"/v1/people/{person['id']}/addresses"
    hook = (await admin.post(path, {"kind": "webhook", "value": "https://example.com/hook"})).json["data"]
    assert hook["secret"].startswith("whsec_")
    again = (await admin.post(path, {"kind": "webhook", "value": "https://example.com/hook"})).json["data"]
    assert again == {**hook, "secret": None}
    other = {"kind": "webhook", "value": "https://example.com/hook", "secret": hook["secret"]}
    assert (await admin.post(path, other)).status == 409
    assert (await admin.post(path, {"kind": "email", "value": "no address"})).status == 422
    assert (await admin.post(path, {**other, "kind": "slack"})).status == 422
    await world.pool.execute("UPDATE tidings.addresses SET disabled_at = now(), disabled_reason = 'gone'")
    assert (await admin.get(path)).json["data"][0]["disabledReason"] == "gone"
    enabled = await admin.post(f"{path}/{hook['id']}/enable")
    assert (enabled.status, enabled.json["data"]["disabledAt"]) == (200, None)
    assert (await admin.call("DELETE", f"{path}/{hook['id']}")).status == 204
    assert (await admin.get(path)).json["data"] == []


async def test_a_person_has_so_many_addresses_and_no_more(world: World, admin: Client) -> None:
    person = await made(admin)
    await world.pool.execute(
        """INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
           SELECT 'acme', $1, 'push', 'token', n FROM generate_series(1, $2::int) n""",
        UUID(person["id"]),
        MOST,
    )
    path = f"/v1/people/{person['id']}/addresses"
    phone = {"kind": "phone", "value": "+390612345679"}
    assert (await admin.post(path, phone)).status == 409
    await world.pool.execute("DELETE FROM tidings.addresses WHERE kind = 'push'")
    assert (await admin.post(path, phone)).status == 201


async def test_a_new_secret_for_a_known_webhook_is_taken(world: World, admin: Client) -> None:
    url, secret = "https://example.com/hook", "whsec_" + "A" * 32
    person = await made(admin, webhooks=[{"url": url}])
    await admin.call("PATCH", f"/v1/people/{person['id']}", json={"webhooks": [{"url": url, "secret": secret}]})
    [sealed] = await world.pool.fetch("SELECT sealed FROM tidings.addresses")
    vault = (await unlocked(world.settings, world.pool)).vault(ADDRESSES)
    content = json.loads(vault.open(sealed["sealed"], "acme"))
    assert content == {"url": url, "secret": secret}


async def test_a_member_sees_and_sets_themselves_only(world: World, admin: Client) -> None:
    member = world.as_(world.member)
    assert (await member.get("/v1/people/me")).status == 404
    person = await made(admin, userId=str(world.member.id))
    assert (await member.get("/v1/people/me")).json["data"]["id"] == person["id"]
    for path in ("/v1/people", f"/v1/people/{person['id']}", "/v1/groups", "/v1/suppressions", "/v1/people/imports"):
        assert (await member.get(path)).status == 403, path
    assert (await member.get("/v1/categories")).status == 200
    assert (await member.call("PUT", "/v1/categories/news", json={"name": "News"})).status == 403
    own = {"quietHours": {"from": "21:00", "until": "08:00"}, "timezone": "Asia/Kolkata"}
    assert (await member.call("PATCH", "/v1/people/me", json=own)).json["data"]["timezone"] == "Asia/Kolkata"
    assert (await member.call("PATCH", "/v1/people/me", json={"name": "Other"})).status == 422
    wish = {"category": "news", "channel": "*", "wanted": False}
    kept = await member.call("PUT", "/v1/people/me/preferences", json={"preferences": [wish]})
    assert kept.json["data"] == (await member.get("/v1/people/me/preferences")).json["data"] == [wish]
    assert (await admin.get(f"/v1/people/{person['id']}/preferences")).json["data"] == [wish]
