"""What Slack and the devices were told of a matter is followed up there, once somebody has settled it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg
import pytest

from tests.broker.stage import until
from tests.channels.servers.firebase import Firebase, refusal, service_account
from tests.channels.servers.http_server import Answering, orderly, resetting
from tests.channels.servers.slack import PATHS, webhook
from tests.chaos.endpoint import Endpoint, Hit, running_endpoint
from tests.support.dining import TENANT, Table
from tests.support.pipeline import Owner, add_provider, add_url, kept, sending_settings
from tests.support.transports import Work
from tidings.kit.settings import Settings
from tidings.modules.reservations.model import UserType
from tidings.spine.notify.inbox import Inbox, InboxFilter

ADMIN, OTHER = PATHS
LONG = timedelta(hours=1)


@dataclass
class Outside:
    """Slack and Firebase. `firebase.sent` is what arrived on devices, answered or not."""

    firebase: Firebase = field(default_factory=Firebase)
    mute: bool = False  # Firebase takes what it is sent, and the connection breaks before it says so
    refuses: bool = False
    released: asyncio.Event = field(default_factory=asyncio.Event)
    slack: Endpoint = field(init=False)

    def push(self, hit: Hit) -> Answering:
        if self.refuses and hit.path != "/token":
            return orderly(refusal(503, "UNAVAILABLE", "UNAVAILABLE"))
        answer = self.firebase.answer(hit.request)
        return resetting if self.mute and hit.path != "/token" else orderly(answer)

    async def post(self, hit: Hit) -> Answering:
        """The second message for one of the webhooks has no answer until it is released, and then none at all."""
        if hit.path == OTHER and hit.nth == 1:
            await self.released.wait()
            return resetting
        return orderly(webhook(hit.request))

    def posted(self, path: str) -> list[dict[str, Any]]:
        return [json.loads(hit.request.body) for hit in self.slack.by_path[path]]

    def followed(self) -> list[dict[str, Any]]:
        return [each for each in self.firebase.sent if "Handled by" in each["notification"]["body"]]


@asynccontextmanager
async def reachable(owner: Owner, settings: Settings) -> AsyncIterator[Outside]:
    outside = Outside()
    async with running_endpoint(outside.post) as outside.slack, running_endpoint(outside.push) as push:
        account = {"serviceAccount": service_account(push.url), "baseUrl": push.url}
        await add_provider(owner, settings, "push", "fcm", config=account)
        await add_provider(owner, settings, "slack", "slack", config={})
        yield outside
        outside.released.set()


def patient(url: str, **changes: Any) -> Settings:
    """Whoever does not answer is waited for, and what failed is tried again when the test says so."""
    times: dict[str, Any] = {
        "deadline": timedelta(minutes=1),
        "retry_base": LONG,
        "retry_cap": LONG,
        "circuit_after": 100,
    }
    return sending_settings(url, **times | changes)


async def test_slack_devices_and_inboxes_say_who_settled_it_how_and_when(
    work: Work, settings: Settings, table: Table, owner: Owner
) -> None:
    async with reachable(owner, settings) as outside:
        await add_url(owner, settings, table.admin, "slack", f"{outside.slack.url}{ADMIN}")
        reservation = await table.request()
        await work()
        asked = {each["token"]: tag_of(each) for each in outside.firebase.sent}
        await table.act(reservation, table.manager, "REJECTED")
        await work()
    said = f"Handled by The manager: rejected.\n{await when(owner)}"
    first, second = outside.posted(ADMIN)
    assert [block["type"] for block in first["blocks"]] == ["header", "section", "actions"]
    assert [block["type"] for block in second["blocks"]] == ["header", "section"]
    assert second["text"] == f"Reservation request: A guest, 4\n{said}"
    followed = {each["token"]: each for each in outside.followed()}
    assert set(followed) == {"device-of-the-manager", "device-of-the-admin"}
    for device, message in followed.items():
        assert message["notification"] == {"title": "Reservation request: A guest, 4", "body": said}
        assert tag_of(message) == asked[device]  # takes the place of what asked them
    async with table.transaction() as connection:
        (shown,) = (await Inbox(connection, TENANT, table.admin).list(InboxFilter(), None, 10)).items
    assert shown.handled is not None
    assert (shown.handled.person, shown.handled.action, shown.actions) == ("The manager", "REJECTED", ())


async def test_a_slack_that_hangs_holds_up_nobody_and_is_told_again(
    work: Work, table: Table, owner: Owner, database_url: str
) -> None:
    settings = patient(database_url)
    other = await table.add("Another admin", UserType.ADMIN_USER, push="device-2", phone="1")
    async with reachable(owner, settings) as outside:
        await add_url(owner, settings, table.admin, "slack", f"{outside.slack.url}{ADMIN}")
        await add_url(owner, settings, other, "slack", f"{outside.slack.url}{OTHER}")
        reservation = await table.request()
        await work.by(settings)()
        mails = len(await kept(owner, settings))
        await table.act(reservation, table.manager, "CONFIRMED")
        working = asyncio.create_task(work.by(settings)())  # looks through the connection that we have
        watcher = await asyncpg.connect(database_url)
        await until(lambda: all_but_one_are_told(watcher, settings, outside, mails))
        await watcher.close()
        assert len(outside.posted(OTHER)) == 2  # and has no answer
        assert not working.done()
        outside.released.set()
        await working
        assert await state(owner, other) == ("failed", 1)
        await owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE status = 'failed'")
        await work.by(settings)()
    assert await state(owner, other) == ("sent", 2)
    _, second, third = outside.posted(OTHER)
    assert second == third


@pytest.mark.parametrize("attempts", [1, 5])
async def test_a_push_that_may_have_arrived_is_followed_up_whatever_became_of_it(
    work: Work, table: Table, owner: Owner, database_url: str, attempts: int
) -> None:
    """It has failed for good, or waits to be sent again, when somebody acts."""
    settings = patient(database_url, max_attempts=attempts)
    async with reachable(owner, settings) as outside:
        outside.mute = True
        reservation = await table.request()
        await work.by(settings)()
        asked = {each["token"]: tag_of(each) for each in outside.firebase.sent}
        outside.mute = False
        await table.act(reservation, table.admin, "CONFIRMED")
        await owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE status = 'failed'")
        await work.by(settings)()
    (copy,) = [each for each in await table.told(table.manager) if each["actions"]]
    assert copy["channels"]["push"] == ("failed" if attempts == 1 else "skipped")
    followed = {each["token"]: tag_of(each) for each in outside.followed()}
    assert followed == {device: asked[device] for device in ("device-of-the-manager", "device-of-the-admin")}


async def test_a_push_that_firebase_has_refused_is_not_followed_up(
    work: Work, table: Table, owner: Owner, database_url: str
) -> None:
    settings = patient(database_url)
    async with reachable(owner, settings) as outside:
        outside.refuses = True
        reservation = await table.request()
        await work.by(settings)()
        outside.refuses = False
        await table.act(reservation, table.admin, "CONFIRMED")
        await work.by(settings)()
    assert [each["token"] for each in outside.firebase.sent] == ["device-of-a-guest"]  # it is confirmed
    assert outside.followed() == []


async def all_but_one_are_told(owner: Owner, settings: Settings, outside: Outside, mails: int) -> bool:
    """The three devices, the other webhook, and the customer by mail."""
    told = len(outside.followed()) == 3 and len(outside.posted(ADMIN)) == 2 and len(outside.posted(OTHER)) == 2
    return told and len(await kept(owner, settings)) > mails


async def state(owner: Owner, person: Any) -> tuple[str, int]:
    """Of what followed up the Slack message of a person."""
    row = await owner.fetchrow(
        """SELECT d.status, d.attempts FROM (
               SELECT status, attempts, notice_id, person_id, channel FROM tidings.deliveries
               UNION ALL SELECT status, attempts, notice_id, person_id, channel FROM tidings.deliveries_finished) d
           JOIN tidings.notices n ON n.id = d.notice_id
           WHERE n.filed AND d.channel = 'slack' AND d.person_id = $1""",
        person,
    )
    assert row is not None
    return row["status"], row["attempts"]


async def when(owner: Owner) -> str:
    at: datetime = await owner.fetchval("SELECT created_at FROM tidings.actions WHERE won")
    return f"{at.astimezone(ZoneInfo('Europe/Rome')):%A %-d %B %Y, %H:%M} (Europe/Rome)"


def tag_of(message: dict[str, Any]) -> str:
    tag: str = message["android"]["notification"]["tag"]
    assert tag == message["apns"]["headers"]["apns-collapse-id"]
    return tag
