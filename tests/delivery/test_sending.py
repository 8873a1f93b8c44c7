"""The sending loop: lease, ask again whether it is wanted, send, decide, settle; every attempt on record."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.delivery.servers import endpoint
from tests.support.pipeline import (
    Owner,
    add_person,
    add_provider,
    add_rule,
    add_url,
    drain,
    emit,
    kept,
    sending_settings,
)
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import ADDRESSES
from tidings.spine.notify.people.address_book import AddressBook
from tidings.spine.notify.people.addresses import Kind, new_address
from tidings.spine.notify.people.urls import not_called

pytestmark = pytest.mark.usefixtures("any_postgres")


async def finished(owner: Owner) -> list[tuple[str, str | None]]:
    rows = await owner.fetch("SELECT status, last_error FROM tidings.deliveries_finished ORDER BY finished_at, id")
    return [(row["status"], row["last_error"]) for row in rows]


async def waiting(owner: Owner) -> list[tuple[str, int, str | None]]:
    rows = await owner.fetch("SELECT status, attempts, last_error FROM tidings.deliveries ORDER BY id")
    return [(row["status"], row["attempts"], row["last_error"]) for row in rows]


async def attempts(owner: Owner) -> list[tuple[str, str | None]]:
    rows = await owner.fetch("SELECT outcome, reason FROM tidings.delivery_attempts ORDER BY ended_at, ctid")
    return [(row["outcome"], row["reason"]) for row in rows]


async def settled(owner: Owner) -> dict[str, int] | None:
    data = await owner.fetchval("SELECT data::text FROM tidings.facts WHERE type = 'notice.settled'")
    return None if data is None else json.loads(data)


async def due_now(owner: Owner) -> None:
    await owner.execute("UPDATE tidings.deliveries SET run_at = now() - interval '1 second' WHERE status <> 'held'")


async def webhook_world(owner: Owner, settings: Settings, url: str) -> UUID:
    """One person with a webhook, and a rule that tells them by it."""
    person = await add_person(owner)
    await add_url(owner, settings, person, "webhook", url)
    await add_provider(owner, settings, "webhook", "webhook")
    await add_rule(owner, channels=["webhook"])
    return person


async def test_a_webhook_gets_what_happened_signed_and_under_the_id_of_its_delivery(
    owner: Owner, sending: Settings
) -> None:
    async with endpoint() as server:
        await webhook_world(owner, sending, server.url)
        await emit(owner, id=7)
        await drain(sending)
    (request,) = server.received
    assert request["headers"]["webhook-signature"].startswith("v1,")
    assert request["body"]["data"]["data"] == {"id": 7}
    assert request["body"]["type"] == "order.paid"
    assert request["body"]["timestamp"] == request["body"]["data"]["fact"]["occurredAt"]
    assert UUID(server.keys[0]) == await owner.fetchval("SELECT id FROM tidings.deliveries_finished")
    assert await finished(owner) == [("sent", None)]
    assert [outcome for outcome, _ in await attempts(owner)] == ["sent"]


async def test_a_failure_that_may_pass_is_tried_again_under_the_same_key_until_the_attempts_are_used_up(
    owner: Owner, sending: Settings
) -> None:
    async with endpoint(lambda n: (503, {})) as server:
        await webhook_world(owner, sending, server.url)
        await emit(owner)
        for _ in range(7):
            await drain(sending)
            await due_now(owner)
    assert len(server.keys) == 5
    assert len(set(server.keys)) == 1
    ((status, error),) = await finished(owner)
    assert status == "failed"
    assert "503" in (error or "")
    assert [outcome for outcome, _ in await attempts(owner)] == ["deferred"] * 5
    assert (await settled(owner) or {})["failed"] == 1


async def test_a_provider_that_says_when_is_not_asked_before(owner: Owner, sending: Settings) -> None:
    async with endpoint(lambda n: (429, {"Retry-After": "120"})) as server:
        await webhook_world(owner, sending, server.url)
        await emit(owner)
        await drain(sending)
    wait = await owner.fetchval("SELECT run_at - now() FROM tidings.deliveries")
    assert timedelta(seconds=90) < wait <= timedelta(seconds=120)
    assert await settled(owner) is None


async def test_an_endpoint_that_never_answers_stops_no_other_endpoint(owner: Owner, database_url: str) -> None:
    settings = sending_settings(database_url, deadline=timedelta(milliseconds=100), circuit_after=2)
    async with endpoint(lambda n: None) as dead, endpoint() as alive:
        person = await webhook_world(owner, settings, dead.url)
        for _ in range(4):
            await emit(owner)
        await drain(settings)
        assert await owner.fetchval("SELECT opened_at FROM tidings.providers") is None
        assert await owner.fetchval("SELECT failing_since FROM tidings.addresses") is not None
        await add_url(owner, settings, person, "webhook", alive.url)
        await emit(owner)
        await drain(settings)
        assert len(alive.received) == 1


async def test_an_address_that_is_gone_is_not_used_again(owner: Owner, sending: Settings) -> None:
    async with endpoint(lambda n: (410, {})) as server:
        await webhook_world(owner, sending, server.url)
        await emit(owner)
        await drain(sending)
        await emit(owner)
        await drain(sending)
    assert len(server.received) == 1
    (first, _), (second, _) = await finished(owner)
    assert (first, second) == ("failed", "skipped")
    assert "not used any more" in (await attempts(owner))[1][1]  # type: ignore[operator]


async def test_no_answer_is_held_where_the_provider_is_set_so_and_counts_as_open(
    owner: Owner, database_url: str
) -> None:
    settings = sending_settings(database_url, deadline=timedelta(milliseconds=200))
    async with endpoint(lambda n: None) as server:
        await webhook_world(owner, settings, server.url)
        await owner.execute("UPDATE tidings.providers SET on_unknown = 'hold'")
        await emit(owner)
        await drain(settings)
    ((status, tried, _),) = await waiting(owner)
    assert (status, tried) == ("held", 1)
    assert await settled(owner) is None


async def test_no_answer_to_the_last_attempt_is_held_too_and_not_called_a_failure(
    owner: Owner, database_url: str
) -> None:
    settings = sending_settings(database_url, deadline=timedelta(milliseconds=200), max_attempts=1)
    async with endpoint(lambda n: None) as server:
        await webhook_world(owner, settings, server.url)
        await owner.execute("UPDATE tidings.providers SET on_unknown = 'hold'")
        await emit(owner)
        await drain(settings)
    assert [(status, tried) for status, tried, _ in await waiting(owner)] == [("held", 1)]
    assert await finished(owner) == []


async def test_no_answer_is_sent_again_under_the_same_key_where_that_does_no_harm(
    owner: Owner, database_url: str
) -> None:
    settings = sending_settings(database_url, deadline=timedelta(milliseconds=200))
    async with endpoint(lambda n: None if n == 0 else (200, {})) as server:
        await webhook_world(owner, settings, server.url)
        await emit(owner)
        await drain(settings)
        await due_now(owner)
        await drain(settings)
    assert len(server.keys) == 2
    assert len(set(server.keys)) == 1
    assert [outcome for outcome, _ in await attempts(owner)] == ["unknown", "sent"]


async def test_what_was_closed_unsubscribed_or_suppressed_before_the_send_is_skipped_with_why(
    owner: Owner, sending: Settings
) -> None:
    async def run(change: str, *arguments: object) -> str | None:
        await owner.execute("TRUNCATE tidings.deliveries_finished, tidings.delivery_attempts, tidings.notices")
        await emit(owner)
        await drain(sending)  # deferred: the provider was away
        await owner.execute(change, *arguments)
        await due_now(owner)
        await drain(sending)
        assert [status for status, _ in await finished(owner)] == ["skipped"]
        return (await attempts(owner))[-1][1]

    async with endpoint(lambda n: (503, {})) as server:
        person = await webhook_world(owner, sending, server.url)
        closed = "UPDATE tidings.notices SET closed_at = now(), closed_reason = 'handled'"
        assert await run(closed) == "the notice was closed: handled"
        unwanted = """INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
                      VALUES ('default', $1, 'general', '*', false)"""
        assert await run(unwanted, person) == "the person does not want 'general'"
        await owner.execute("DELETE FROM tidings.preferences")
        suppressed = """INSERT INTO tidings.suppressions (tenant, kind, fingerprint, value, reason)
                        SELECT tenant, kind, fingerprint, value, 'complained' FROM tidings.addresses"""
        assert await run(suppressed) == "the address is on the suppression list (complained)"
        await owner.execute("DELETE FROM tidings.suppressions")
        assert await run("DELETE FROM tidings.people") == "the person is not there any more"
    assert len(server.received) == 4


async def test_the_closest_preference_counts_and_a_required_category_cannot_be_refused(
    owner: Owner, sending: Settings
) -> None:
    person = await add_person(owner, push="token", email="a@example.com")
    await owner.executemany(
        """INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
           VALUES ('default', $1, $2, $3, $4)""",
        [(person, "*", "*", False), (person, "orders", "push", True), (person, "safety", "*", False)],
    )
    await owner.execute(
        "INSERT INTO tidings.categories (tenant, id, name, required) VALUES ('default', 'safety', 'S', true)"
    )
    await add_rule(owner, channels=["push", "email"], category="orders")
    await add_rule(owner, channels=["email"], category="safety")
    await emit(owner)
    await drain(sending)
    assert sorted(message["channel"] for message in await kept(owner, sending)) == ["email", "push"]
    assert sorted(status for status, _ in await finished(owner)) == ["sent", "sent", "skipped"]


async def test_quiet_hours_defer_and_then_ask_again_whether_it_still_matters(owner: Owner, sending: Settings) -> None:
    now = datetime.now(UTC)
    begins, ends = (now - timedelta(hours=1)).time(), (now + timedelta(hours=1)).time()
    quiet: dict[str, Any] = {
        "quiet_from": time(begins.hour, begins.minute),
        "quiet_until": time(ends.hour, ends.minute),
    }
    await add_person(owner, push="token", timezone="UTC", **quiet)
    await add_rule(owner, level="warning")
    await add_rule(owner, level="critical", title="Fire")
    await emit(owner)
    await drain(sending)
    assert [message["subject"] for message in await kept(owner, sending)] == ["Fire"]
    ((status, tried, _),) = await waiting(owner)
    assert (status, tried) == ("pending", 0)
    outcomes = await attempts(owner)
    assert ("quiet", f"quiet hours until {quiet['quiet_until']:%H:%M} (UTC)") in outcomes
    await owner.execute("UPDATE tidings.people SET quiet_from = NULL, quiet_until = NULL")
    await owner.execute("UPDATE tidings.notices SET closed_at = now(), closed_reason = 'over'")
    await due_now(owner)
    await drain(sending)
    assert [status for status, _ in await finished(owner)] == ["sent", "skipped"]


async def test_what_could_not_be_sent_in_its_time_fails_with_the_last_error(owner: Owner, sending: Settings) -> None:
    async with endpoint(lambda n: (503, {})) as server:
        await webhook_world(owner, sending, server.url)
        await emit(owner)
        await drain(sending)
        await owner.execute("UPDATE tidings.deliveries SET expires_at = now()")
        await due_now(owner)
        await drain(sending)
    ((status, error),) = await finished(owner)
    assert status == "failed"
    assert "in time" in (error or "")
    assert [outcome for outcome, _ in await attempts(owner)] == ["deferred", "expired"]


async def test_without_a_provider_it_fails_and_says_so(owner: Owner, database_url: str) -> None:
    settings = sending_settings(database_url, default_provider="none")
    await add_person(owner, push="token")
    await add_rule(owner)
    await emit(owner)
    await drain(settings)
    assert await finished(owner) == [("failed", "no provider is set for push")]


async def test_a_template_of_the_tenants_own_is_the_one_that_stood_when_it_was_said(
    owner: Owner, sending: Settings
) -> None:
    save = """INSERT INTO tidings.templates (tenant, name, channel, locale, version, subject, text)
              VALUES ('default', 'notice', 'push', $1, $2, $3, 'Hello {{ person.name }}')"""
    await add_person(owner, "Ada", push="token", locale="it-IT")
    await add_rule(owner)
    await owner.execute(save, "", 1, "Any")
    await owner.execute(save, "it", 1, "Italian")
    await emit(owner)
    await drain(sending)
    await owner.execute(save, "it", 2, "Italian again")
    await emit(owner)
    await drain(sending)
    messages = await kept(owner, sending)
    assert [message["subject"] for message in messages] == ["Italian", "Italian again"]
    assert messages[0]["text"] == "Hello Ada"


async def test_a_template_without_the_channel_leaves_it_to_the_tenants_own_notice(
    owner: Owner, sending: Settings
) -> None:
    save = """INSERT INTO tidings.templates (tenant, name, channel, locale, version, subject, text)
              VALUES ('default', $1, $2, '', 1, 'Subject', $1)"""
    await add_person(owner, push="token")
    await owner.execute(save, "receipt", "sms")
    await owner.execute(save, "notice", "push")
    await add_rule(owner, template="receipt")
    await emit(owner)
    await drain(sending)
    assert [message["text"] for message in await kept(owner, sending)] == ["notice"]


async def test_a_changed_provider_is_used_from_the_next_send_on(owner: Owner, sending: Settings) -> None:
    await add_person(owner, push="token")
    await add_rule(owner)
    await emit(owner)
    await drain(sending)
    await owner.execute("UPDATE tidings.providers SET type = 'none', version = version + 1")
    await emit(owner)
    await drain(sending)
    assert [status for status, _ in await finished(owner)] == ["sent", "failed"]


async def test_a_suspended_tenants_deliveries_wait_and_go_on_when_it_is_resumed(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, push="token")
    await add_rule(owner, delay="1m")
    await emit(owner)
    await drain(sending)
    await owner.execute("UPDATE tidings.outbox SET run_at = now()")
    await owner.execute("UPDATE tidings.tenants SET suspended_at = now()")
    await drain(sending)
    assert await kept(owner, sending) == []
    await owner.execute("UPDATE tidings.tenants SET suspended_at = NULL")
    await drain(sending)
    assert len(await kept(owner, sending)) == 1


async def test_a_notice_at_the_end_of_a_long_chain_is_settled_though_it_can_cause_no_fact(
    owner: Owner, sending: Settings
) -> None:
    await add_person(owner, push="token")
    await add_rule(owner, "notice.settled", title="Again")
    await add_rule(owner)
    await emit(owner)
    await drain(sending)
    assert {status for status, _ in await finished(owner)} == {"sent"}
    assert await owner.fetchval("SELECT count(*) FROM tidings.tallies WHERE settled_at IS NULL") == 0
    assert len(await kept(owner, sending)) == 17


async def test_what_fails_before_the_send_is_on_record(owner: Owner, sending: Settings) -> None:
    quiet: dict[str, Any] = {"quiet_from": time(1), "quiet_until": time(2)}
    await add_person(owner, push="token", timezone="Nowhere/Atall", **quiet)
    await add_rule(owner)
    await emit(owner)
    await drain(sending)
    ((status, tried, error),) = await waiting(owner)
    assert (status, tried) == ("failed", 1)
    assert "Nowhere/Atall" in (error or "")
    assert [outcome for outcome, _ in await attempts(owner)] == ["deferred"]


async def test_who_turned_a_provider_off_has_it_stay_off_and_what_is_due_waits(owner: Owner, sending: Settings) -> None:
    await add_person(owner, push="token")
    await add_rule(owner)
    await add_provider(owner, sending, "push", "sandbox", enabled=False)
    await emit(owner)
    await drain(sending)
    assert await waiting(owner) == [("pending", 0, None)]
    await owner.execute("UPDATE tidings.providers SET enabled = true")
    await drain(sending)
    assert len(await kept(owner, sending)) == 1


async def test_what_waits_for_a_webhook_goes_out_under_the_secret_that_it_is_given_meanwhile(
    owner: Owner, sending: Settings
) -> None:
    async with endpoint(lambda n: (503, {}) if n == 0 else (200, {})) as server:
        person = await add_person(owner)
        book = AddressBook(owner, "default", (await unlocked(sending, owner)).vault(ADDRESSES))
        first, other = (
            new_address(Kind.WEBHOOK, server.url, not_called, "whsec_" + word * 8) for word in ("c2Vj", "b3Ro")
        )
        await book.set(person, {Kind.WEBHOOK: [first]})
        await add_provider(owner, sending, "webhook", "webhook")
        await add_rule(owner, channels=["webhook"])
        await emit(owner)
        await drain(sending)
        await book.set(person, {Kind.WEBHOOK: [other]})
        await due_now(owner)
        await drain(sending)
    assert await finished(owner) == [("sent", "answered 503")]
