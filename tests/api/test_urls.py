"""URLs that must not be called are refused when they are saved, wherever that is, and the field is named."""

from __future__ import annotations

import pytest

from tests.api.world import Answer, Client, World, api_settings, world_of
from tests.channels.servers.firebase import service_account

PRIVATE = "the host is not a public address"
WRONG = {
    "slackWebhook": "http://169.254.169.254/latest/meta-data",
    "webhooks": [{"url": "https://hooks.example.com/in/7"}, {"url": "http://2130706433/"}],
    "appriseUrls": ["ntfys://ntfy.example.com/topic", "syslog://localhost", "json://example.com:22/"],
}
NAMED = {
    "slackWebhook": PRIVATE,
    "webhooks.1.url": PRIVATE,
    "appriseUrls.1": "syslog:// is not allowed",
    "appriseUrls.2": "port 22 is not allowed",
}
TWILIO = {"accountSid": "AC1", "authToken": "x", "from": "1"}
META = {"phoneNumberId": "1", "accessToken": "x"}


@pytest.fixture
def admin(world: World) -> Client:
    return world.as_(world.admin)


def named(answer: Answer) -> dict[str, str]:
    assert answer.status == 422, answer.text
    return {error["field"]: error["message"] for error in answer.json["errors"]}


async def test_every_field_of_a_person_is_named_however_they_are_written(admin: Client) -> None:
    known = (await admin.post("/v1/people", {"name": "Somebody", "externalId": "7"})).json["data"]
    answers = [
        await admin.post("/v1/people", {"name": "Somebody", **WRONG}),
        await admin.call("PATCH", f"/v1/people/{known['id']}", json=WRONG),
        await admin.call("PUT", "/v1/people/by-external-id/7", json={"name": "Somebody", **WRONG}),
    ]
    assert [named(answer) for answer in answers] == [NAMED] * 3
    assert (await admin.get("/v1/people")).json["data"] == [known]


@pytest.mark.parametrize(
    ("kind", "value"),
    [("webhook", "http://[::ffff:10.0.0.1]/"), ("slack", "http://0x7f.1/"), ("apprise", "json://127.0.0.1/")],
)
async def test_an_address_is_not_added(admin: Client, kind: str, value: str) -> None:
    person = (await admin.post("/v1/people", {"name": "Somebody"})).json["data"]["id"]
    answer = await admin.post(f"/v1/people/{person}/addresses", {"kind": kind, "value": value})
    assert named(answer) == {"value": PRIVATE}
    assert (await admin.get(f"/v1/people/{person}/addresses")).json["data"] == []


async def test_a_row_of_a_file_is_wrong(admin: Client) -> None:
    rows = "name,slack_webhook\nOne,https://hooks.example.com/x\nTwo,http://localhost/x\nThree,https://a.example:22/\n"
    headers = {"Content-Type": "text/csv"}
    answer = await admin.call("POST", "/v1/people/imports", data=rows, headers=headers)
    told = {"line 3": f"slack_webhook: {PRIVATE}", "line 4": "slack_webhook: port 22 is not allowed"}
    assert named(answer) == told
    assert (await admin.get("/v1/people")).json["data"] == []


async def test_what_the_operator_allows_may_be_saved(database_url: str) -> None:
    async with world_of(api_settings(database_url, network={"allow": "127.0.0.1:9000"})) as world:
        body = {"name": "Somebody", "webhooks": [{"url": "http://127.0.0.1:9000/hook"}]}
        assert (await world.as_(world.admin).post("/v1/people", body)).status == 201


async def test_an_address_that_cannot_be_called_can_still_be_suppressed(admin: Client) -> None:
    body = {"kind": "webhook", "value": "http://127.0.0.1/"}
    assert (await admin.post("/v1/suppressions", body)).status == 201
    assert (await admin.call("DELETE", "/v1/suppressions?kind=webhook&value=http://127.0.0.1/")).status == 204


@pytest.mark.parametrize(
    ("channel", "type", "config", "field"),
    [
        ("email", "smtp", {"host": "0x7f000001", "fromAddress": "us@example.com"}, "config.host"),
        ("sms", "twilio", {**TWILIO, "baseUrl": "http://10.1/"}, "config.baseUrl"),
        ("sms", "twilio", {**TWILIO, "statusCallback": "elsewhere"}, "config.statusCallback"),
        ("whatsapp", "meta", {**META, "baseUrl": "https://example.com:22"}, "config.baseUrl"),
        ("push", "fcm", {"serviceAccount": service_account("http://127.0.0.1")}, "config.serviceAccount"),
    ],
)
async def test_a_provider_is_not_set_up(
    admin: Client, channel: str, type: str, config: dict[str, str], field: str
) -> None:
    body = {"channel": channel, "type": type, "name": "one", "config": config}
    assert named(await admin.post("/v1/providers", body)).keys() == {field}
