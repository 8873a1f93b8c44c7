"""Nothing of what a process knows can be read where Temporal keeps it."""

from __future__ import annotations

import base64
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from pydantic import SecretStr
from temporalio.api.history.v1 import History
from temporalio.client import Client, WorkflowFailureError, WorkflowHistory
from temporalio.exceptions import ActivityError

from tests.support.canaries import canary, found
from tests.support.organising import TENANT, Organiser
from tests.support.temporal import Stage, histories, keyring_of_tests, until
from tidings.kit import db
from tidings.kit.crypto import DataKeys, Unsealable, new_key
from tidings.kit.settings import Settings
from tidings.modules.events.model import Choice
from tidings.modules.events.subscriptions import Subscriptions
from tidings.spine.access.data_keys import unlock, unlocked
from tidings.spine.access.master_keys import MasterKeys
from tidings.spine.access.purposes import ADDRESSES, PROCESSES
from tidings.spine.notify.people.addresses import Kind, new_address
from tidings.spine.notify.people.integrations import Integrations
from tidings.spine.notify.people.urls import not_called
from tidings.spine.processes.codec import sealing_converter

_BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}")


def faces(history: History) -> dict[str, str]:
    """What somebody who has the history could read: as it is, as JSON, and whatever base64 is in it."""
    raw, shown = history.SerializeToString(), WorkflowHistory("x", list(history.events)).to_json().encode()
    texts = {"raw": raw, "json": shown}
    whole = (part[: len(part) // 4 * 4] for part in _BASE64.findall(shown))
    texts |= {f"decoded {n}": base64.b64decode(part) for n, part in enumerate(whole)}
    return {name: text.decode("latin-1") for name, text in texts.items()}


async def test_neither_names_nor_words_can_be_read_in_a_history(stage: Stage, organiser: Organiser) -> None:
    secrets = {name: canary(name) for name in ("name", "place", "announcement", "integration")}
    event = await organiser.create(secrets["name"])
    await join_by_integration(organiser, event, f"ntfys://ntfy.sh/{secrets['integration']}")
    async with stage.performed():
        await stage.pass_on()
        await organiser.change(event, location=secrets["place"])
        await organiser.announce(event, body=secrets["announcement"])
        await stage.pass_on()
        await until(lambda: stage.says(f"event-{event}", notifications=3))
        (history,) = await histories(await stage.temporal.client(), f"event-{event}")
    assert found(secrets, faces(history)) == set()
    told = {fact["body"] or fact["event"]["location"] for fact in await organiser.facts(event)}
    assert told == {secrets["place"], secrets["announcement"]}


async def join_by_integration(organiser: Organiser, event: int, url: str) -> None:
    async with organiser.pool.acquire() as connection, db.as_tenant(connection, TENANT):
        person = await connection.fetchval(
            "INSERT INTO tidings.people (tenant, name) VALUES ($1, 'Ada') RETURNING id", TENANT
        )
        mine = Integrations(connection, TENANT, keyring_of_tests().vault(ADDRESSES))
        made = await mine.create(person, "Phone", new_address(Kind.APPRISE, url, not_called))
        await Subscriptions(connection, TENANT).join(event, person, Choice(address_ids=(made.id,)))


async def test_nor_can_the_words_of_a_failure(stage: Stage) -> None:
    secret, process = canary("failure"), f"event-of-nobody-{uuid4()}"
    given = {"tenant": secret, "eventId": 1, "startsAt": "2090-01-01T00:00:00Z", "endsAt": None}
    client = await stage.temporal.client()
    async with stage.performed():
        queue = stage.temporal.settings.task_queue
        handle = await client.start_workflow("EventWorkflow", given, id=process, task_queue=queue)
        with pytest.raises(WorkflowFailureError) as failure:
            await handle.result()
    step = failure.value.cause
    assert isinstance(step, ActivityError)
    assert secret in str(step.cause)
    (history,) = await histories(client, process)
    assert "Encoded failure" in faces(history)["json"]
    assert found({"failure": secret}, faces(history)) == set()


async def test_the_search_would_find_them(stage: Stage) -> None:
    """The test of the test: without the codec, they are there."""
    secret = canary("name")
    client = await stage.temporal.client()
    open_client = await Client.connect(client.service_client.config.target_host)
    id = f"unsealed-{uuid4()}"  # noqa: A001
    await open_client.start_workflow("Nothing", secret, id=id, task_queue="nobody", run_timeout=timedelta(seconds=5))
    (history,) = await histories(open_client, id)
    assert {place for _, place in found({"name": secret}, faces(history))} >= {"raw", "json"}


async def test_a_payload_is_opened_with_an_older_data_key_and_by_no_stranger() -> None:
    keyring = keyring_of_tests()
    older = await sealing_converter(keyring.vault(PROCESSES)).encode(["secret"])
    assert keyring.held is not None
    keyring.held = DataKeys(keyring.held.hashing, (new_key(), *keyring.held.sealing))
    assert await sealing_converter(keyring.vault(PROCESSES)).decode(older) == ["secret"]
    keyring.held = DataKeys(keyring.held.hashing, (new_key(),))
    with pytest.raises(Unsealable):
        await sealing_converter(keyring.vault(PROCESSES)).decode(older)


async def test_renewing_the_data_key_keeps_those_that_histories_are_sealed_with(
    pool: db.Pool, settings: Settings
) -> None:
    own = settings.model_copy(update={"master_key": SecretStr(new_key().text())})
    keyring = await unlocked(own, pool)
    older = await sealing_converter(keyring.vault(PROCESSES)).encode(["secret"])
    async with pool.acquire() as connection, connection.transaction():
        keys = MasterKeys(connection, keyring)
        await keys.renew(timedelta(0))
        await keys.keep_only_this()
    await unlock(keyring, pool)
    assert len(keyring.data.sealing) == 2
    assert await sealing_converter(keyring.vault(PROCESSES)).decode(older) == ["secret"]
