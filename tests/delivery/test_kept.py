"""What the sandbox kept: as it would have gone out, for its own tenant, sealed."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from tests.delivery.post_office import TENANT, PostOffice
from tests.outbox.engines import eventually
from tidings.kit.errors import NotFound
from tidings.spine.delivery.kept import KeptMessages
from tidings.spine.delivery.sandbox import context


async def test_a_kept_message_reads_as_it_would_have_gone_out(office: PostOffice) -> None:
    await office.people(2)
    notice = await office.notice(default="sandbox")
    async with office.worker():

        async def sent() -> bool:
            return await office.tally(notice) == {"sent": 2}

        await eventually(sent)
    kept = KeptMessages(office.owner, TENANT, office.kept_vault)
    page = await kept.list("email", None, 1)
    rest = await kept.list("email", page.next_position, 1)
    assert rest.next_position is None
    assert {message.id for message in (*page.items, *rest.items)} == {
        row["id"] for row in await office.owner.fetch("SELECT id FROM tidings.deliveries_finished")
    }
    content = page.items[0].content
    assert content is not None
    assert (content["subject"], "Order 7 is paid." in content["text"]) == ("Paid", True)
    assert b"Order 7" not in await office.owner.fetchval("SELECT sealed FROM tidings.sandbox_messages LIMIT 1")


async def test_it_is_its_own_tenants(office: PostOffice) -> None:
    await office.people(1)
    await office.notice(default="sandbox")
    async with office.worker():

        async def kept() -> bool:
            return bool(await office.owner.fetchval("SELECT count(*) = 1 FROM tidings.sandbox_messages"))

        await eventually(kept)
    (message,) = (await KeptMessages(office.owner, TENANT, office.kept_vault).list(None, None, 9)).items
    theirs = KeptMessages(office.owner, "elsewhere", office.kept_vault)
    assert ((await theirs.list(None, None, 9)).items, await theirs.clear()) == ([], 0)
    with pytest.raises(NotFound):
        await theirs.get(message.id)
    assert await KeptMessages(office.owner, TENANT, office.kept_vault).clear() == 1


async def test_a_list_has_the_beginning_of_a_long_message_and_one_alone_all_of_it(office: PostOffice) -> None:
    id, long = uuid4(), "x" * 50_000  # noqa: A001
    content = {"to": "somebody@example.com", "subject": "Long", "text": long, "html": f"<p>{long}</p>"}
    await office.owner.execute(
        "INSERT INTO tidings.sandbox_messages (id, tenant, channel, sealed) VALUES ($1, $2, 'email', $3)",
        id,
        TENANT,
        office.kept_vault.seal(json.dumps(content).encode(), context(TENANT, id)),
    )
    kept = KeptMessages(office.owner, TENANT, office.kept_vault)
    (listed,) = (await kept.list(None, None, 9)).items
    whole = await kept.get(id)
    assert (listed.content, whole.content) == (
        {"to": "somebody@example.com", "name": None, "subject": "Long", "text": long[:10_000]},
        content,
    )
