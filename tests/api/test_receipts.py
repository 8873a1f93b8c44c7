"""Receipts over HTTP: verified, applied, and nothing to be learned by who may not tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.api.world import Answer, Client, api_settings, running
from tests.channels.servers.http_server import Reply, http_server, orderly
from tests.delivery.receipts import signing
from tests.delivery.receipts.sent import being_sent, confirmed, history, sent, suppressed
from tests.support.pipeline import KEY, Owner, add_person, add_provider, add_rule, drain, emit, kept, sending_settings
from tidings.kit.settings import Settings

PUBLIC = "https://tidings.example"
HARD = {"type": "Permanent", "subType": "General", "message": "no such mailbox"}


@dataclass(frozen=True)
class Providers:
    client: Client
    settings: Settings
    resend: UUID
    twilio: UUID
    meta: UUID

    async def post(self, provider: UUID, body: bytes, headers: dict[str, str], query: str = "") -> Answer:
        return await self.client.call("POST", f"/v1/receipts/{provider}{query}", data=body, headers=headers)

    async def by_resend(self, *told: Any, **more: Any) -> Answer:
        body = signing.resend_body(*told, **more)
        return await self.post(self.resend, body, signing.resend_headers(body))

    async def by_twilio(self, **fields: str) -> Answer:
        headers = signing.twilio_headers(f"{PUBLIC}/v1/receipts/{self.twilio}", fields)
        return await self.post(self.twilio, signing.twilio_body(**fields), headers)

    async def by_meta(self, *statuses: dict[str, Any]) -> Answer:
        body = signing.meta_body(*statuses)
        return await self.post(self.meta, body, signing.meta_headers(body))


@pytest.fixture
async def providers(owner: Owner, database_url: str) -> AsyncIterator[Providers]:
    settings = api_settings(database_url, api={"public_url": PUBLIC}).model_copy(update={"master_key": KEY})
    ids = [
        await add_provider(owner, settings, channel, name, config=config)
        for channel, name, config in (
            ("email", "resend", signing.RESEND),
            ("sms", "twilio", signing.TWILIO),
            ("whatsapp", "meta", signing.META),
        )
    ]
    async with running(settings) as client:
        yield Providers(client, settings, *ids)


async def test_resend_tells_of_a_bounce(owner: Owner, providers: Providers) -> None:
    delivery = await sent(owner, providers.resend, "m-1")
    answer = await providers.by_resend("email.bounced", "m-1", delivery, bounce=HARD)
    assert (answer.status, answer.text) == (200, "")
    assert await confirmed(owner, delivery) == "bounced"
    assert await history(owner, delivery) == [("bounced", "Permanent General no such mailbox")]
    assert len(await suppressed(owner)) == 1
    assert (await providers.by_resend("email.delivered", "m-1", delivery)).status == 200
    assert await confirmed(owner, delivery) == "bounced"


async def test_twilio_tells_of_a_message(owner: Owner, providers: Providers) -> None:
    delivery = await sent(owner, providers.twilio, "SM1", channel="sms", address="+390611111111")
    for status in ("queued", "sent", "delivered", "sent"):
        assert (await providers.by_twilio(MessageSid="SM1", MessageStatus=status, To="+39 06 è")).status == 200
    assert await confirmed(owner, delivery) == "delivered"
    assert await history(owner, delivery) == [("delivered", None)]


async def test_a_query_that_twilio_was_given_is_a_part_of_what_it_signs(owner: Owner, providers: Providers) -> None:
    delivery, fields = await sent(owner, providers.twilio, "SM1"), {"MessageSid": "SM1", "MessageStatus": "read"}
    headers = signing.twilio_headers(f"{PUBLIC}/v1/receipts/{providers.twilio}?a=b", fields)
    body = signing.twilio_body(**fields)
    assert (await providers.post(providers.twilio, body, headers)).status == 404
    assert (await providers.post(providers.twilio, body, headers, "?a=b")).status == 200
    assert await confirmed(owner, delivery) == "read"


async def test_the_host_header_says_nothing_of_the_url_that_was_signed(providers: Providers) -> None:
    fields = {"MessageSid": "SM1", "MessageStatus": "read"}
    headers = signing.twilio_headers(f"https://elsewhere.example/v1/receipts/{providers.twilio}", fields)
    lying = headers | {"Host": "elsewhere.example", "X-Forwarded-Host": "elsewhere.example"}
    assert (await providers.post(providers.twilio, signing.twilio_body(**fields), lying)).status == 404


async def test_meta_tells_of_several_messages(owner: Owner, providers: Providers) -> None:
    one = await sent(owner, providers.meta, "wamid.1", channel="whatsapp")
    two = await sent(owner, providers.meta, "wamid.2", channel="whatsapp")
    failed = {"id": "wamid.2", "status": "failed", "errors": [{"code": 131047, "title": "too late"}]}
    answer = await providers.by_meta({"id": "wamid.1", "status": "sent"}, {"id": "wamid.1", "status": "read"}, failed)
    assert answer.status == 200
    assert (await confirmed(owner, one), await confirmed(owner, two)) == ("read", "failed")


async def test_metas_question_is_answered_by_who_knows_the_token(providers: Providers) -> None:
    asked = f"/v1/receipts/{providers.meta}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token="
    right = await providers.client.get(asked + signing.VERIFY_TOKEN.replace(" ", "%20").replace("'", "%27"))
    assert (right.status, right.text) == (200, "1158201444")
    assert right.headers["Content-Type"].startswith("text/plain")
    assert (await providers.client.get(asked + "wrong")).status == 404
    other = asked.replace(str(providers.meta), str(providers.twilio)) + "wrong"
    assert (await providers.client.get(other)).status == 404


async def test_whoever_may_not_tell_learns_nothing(owner: Owner, providers: Providers) -> None:
    delivery = await sent(owner, providers.resend, "m-1")
    body = signing.resend_body("email.bounced", "m-1", delivery, bounce=HARD)
    good = signing.resend_headers(body)
    without = await add_provider(owner, providers.settings, "email", "resend", name="none", config=None)
    mail = await add_provider(owner, providers.settings, "email", "smtp", name="smtp", config={"host": "example.org"})
    late = signing.resend_headers(body, datetime.now(UTC) - timedelta(minutes=6))
    answers = [
        await providers.post(providers.resend, body, signing.resend_headers(body, secret="whsec_bm90IGl0")),
        await providers.post(providers.resend, body, {}),
        await providers.post(providers.resend, body, late),
        await providers.post(providers.resend, body + b" ", good),
        await providers.post(providers.twilio, body, good),
        await providers.post(uuid4(), body, good),
        await providers.post(without, body, good),
        await providers.post(mail, body, good),
        await providers.client.call("POST", "/v1/receipts/not-an-id", data=body, headers=good),
    ]
    assert {_told(answer) for answer in answers} == {_told(answers[0])}
    assert answers[0].status == 404
    assert await confirmed(owner, delivery) is None
    assert await suppressed(owner) == []


async def test_a_provider_of_another_tenant_cannot_tell_of_ours(owner: Owner, providers: Providers) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('other', 'Other')")
    ours = await sent(owner, providers.resend, "m-1")
    theirs = await sent(owner, providers.resend, "m-2", tenant="other")
    assert (await providers.by_resend("email.complained", "m-2", theirs)).status == 200
    assert (await confirmed(owner, ours), await confirmed(owner, theirs)) == (None, None)


async def test_what_is_not_ours_is_of_no_concern(owner: Owner, providers: Providers) -> None:
    await being_sent(owner, providers.resend)
    assert (await providers.by_resend("email.delivered", "of another program")).status == 200
    assert (await providers.by_resend("email.delivered", "long gone", uuid4())).status == 200
    assert (await providers.by_resend("domain.created", "m-1")).status == 200
    assert (await providers.by_twilio(MessageSid="SM-other", MessageStatus="delivered")).status == 200
    body = b"signed, and not JSON"
    assert (await providers.post(providers.resend, body, signing.resend_headers(body))).status == 200


async def test_a_receipt_that_comes_before_we_settled_is_asked_for_again(owner: Owner, providers: Providers) -> None:
    delivery = await being_sent(owner, providers.resend)
    answer = await providers.by_resend("email.delivered", "m-1", delivery)
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) > 0
    await being_sent(owner, providers.twilio)
    assert (await providers.by_twilio(MessageSid="SM-soon", MessageStatus="delivered")).status == 503
    await being_sent(owner, providers.meta)
    new, old = str(int(datetime.now(UTC).timestamp())), "1700000000"
    assert (await providers.by_meta({"id": "soon", "status": "read", "timestamp": new})).status == 503
    assert (await providers.by_meta({"id": "not ours", "status": "read", "timestamp": old})).status == 200


async def test_a_receipt_waits_a_moment_for_the_settling(owner: Owner, providers: Providers) -> None:
    delivery = await being_sent(owner, providers.resend)
    telling = asyncio.create_task(providers.by_resend("email.delivered", "m-1", delivery))
    while not await owner.fetchval("SELECT calls FROM (SELECT count(*) AS calls FROM tidings.rate_limits) r"):
        await asyncio.sleep(0.01)
    settled = await sent(owner, providers.resend, "m-1")
    assert (await telling).status == 200
    assert await confirmed(owner, settled) == "delivered"


async def test_a_body_that_is_too_large_is_not_read(providers: Providers) -> None:
    async def drip() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * 65_536

    for provider in (providers.resend, uuid4()):
        answer = await providers.client.call("POST", f"/v1/receipts/{provider}", data=drip())
        assert answer.status == 413


async def test_an_address_that_tells_too_much_is_slowed_down(owner: Owner, database_url: str) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 2})) as client:
        statuses = [(await client.call("POST", f"/v1/receipts/{uuid4()}")).status for _ in range(3)]
        assert statuses == [404, 404, 429]
        assert (await client.get("/unsubscribe/nothing")).status == 404


async def test_a_rule_can_tell_somebody_of_a_bounce(owner: Owner, providers: Providers, database_url: str) -> None:
    await add_person(owner, "The desk", push="token-1", user_type="desk")
    await add_rule(
        owner, "notice.bounced", audience=[{"by": "userType", "values": ["desk"]}], title="{{ data.channel }} bounced"
    )
    delivery = await sent(owner, providers.resend, "m-1")
    await providers.by_resend("email.bounced", "m-1", delivery, bounce=HARD)
    settings = sending_settings(database_url)
    await drain(settings)
    assert [message["subject"] for message in await kept(owner, settings)] == ["email bounced"]


async def test_from_a_rule_to_a_bounce_to_silence(owner: Owner, database_url: str) -> None:
    settings = sending_settings(database_url)
    mail = http_server(orderly(Reply(200, b'{"id": "m-1"}')))
    async with mail as resend, running(settings) as client:
        config = signing.RESEND | {"baseUrl": f"http://127.0.0.1:{resend.port}"}
        provider = await add_provider(owner, settings, "email", "resend", config=config)
        await add_person(owner, email="somebody@example.com")
        await add_rule(owner, channels=["email"])
        await emit(owner)
        await drain(settings)
        (tag,) = json.loads(resend.requests[0].body)["tags"]
        body = signing.resend_body("email.bounced", "m-1", tag["value"], bounce=HARD)
        answer = await client.call("POST", f"/v1/receipts/{provider}", data=body, headers=signing.resend_headers(body))
        assert answer.status == 200
        await emit(owner)
        await drain(settings)
        assert len(resend.requests) == 1
    reason = "SELECT reason FROM tidings.delivery_attempts WHERE outcome = 'skipped'"
    assert await owner.fetchval(reason) == "the address is on the suppression list (bounced)"


def _told(answer: Answer) -> Any:
    told = {name: value for name, value in answer.json.items() if name != "instance"}
    headers = {name for name in answer.headers if name.lower() != "x-request-id"}
    return answer.status, json.dumps(told), frozenset(headers)
