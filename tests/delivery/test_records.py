"""Deliveries and notices as they are read: names that people know, both tables, one tenant."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.delivery.post_office import TENANT, Mailer, PostOffice
from tests.outbox.engines import eventually
from tidings.kit.errors import NotFound
from tidings.spine.delivery.notice_records import NoticeFilter, Notices
from tidings.spine.delivery.records import DeliveryFilter, Records, Status


@pytest.mark.parametrize(
    ("kept", "shown"),
    [("pending", "pending"), ("processing", "sending"), ("failed", "deferred"), ("held", "unknown")],
)
async def test_open_deliveries_are_shown_by_the_names_that_people_know(
    office: PostOffice, first: Mailer, kept: str, shown: str
) -> None:
    await office.provider(first.config)
    await office.people(1)
    delivery = await office.delivery_of(await office.notice())
    token = uuid4() if kept == "processing" else None
    await office.owner.execute("UPDATE tidings.deliveries SET status = $1, lease_token = $2", kept, token)
    records = Records(office.owner, TENANT)
    assert (await records.get(delivery)).status == shown
    for status in Status:
        page = await records.list(DeliveryFilter(status=status), None, 10)
        assert [record.id for record in page.items] == ([delivery] if status == shown else [])


async def test_attempts_are_told_one_by_one_with_the_provider_of_each(
    office: PostOffice, first: Mailer, second: Mailer
) -> None:
    first.answer = lambda key: 503 if len(first.keys) == 1 else 200
    made = await office.provider(first.config)
    await office.people(1)
    notice = await office.notice()
    delivery = await office.delivery_of(notice)
    async with office.worker():

        async def sent() -> bool:
            return await office.tally(notice) == {"sent": 1}

        await eventually(sent)
    await office.providers().remove(made.id)
    attempts = await Records(office.owner, TENANT).attempts(delivery)
    assert [(a.outcome, a.provider_name, a.reason, a.receipt) for a in attempts] == [
        ("deferred", "first", "answered 503", None),
        ("sent", "first", None, f"receipt-{delivery}"),
    ]
    assert all(attempt.took for attempt in attempts)


async def test_pages_follow_each_other_without_gaps_while_deliveries_finish(office: PostOffice, first: Mailer) -> None:
    await office.provider(first.config)
    await office.people(25)
    notice = await office.notice()
    records = Records(office.owner, TENANT)
    seen: list[UUID] = []
    before = None
    async with office.worker():
        while True:
            page = await records.list(DeliveryFilter(notice_id=notice), before, 4)
            seen += [record.id for record in page.items]
            if page.next_position is None:
                break
            before = page.next_position
    assert len(seen) == len(set(seen)) == 25
    assert seen == sorted(seen, reverse=True)


async def test_another_tenant_sees_nothing(office: PostOffice, first: Mailer) -> None:
    await office.provider(first.config)
    await office.people(1)
    notice = await office.notice()
    delivery = await office.delivery_of(notice)
    assert (await Records(office.owner, "elsewhere").list(DeliveryFilter(notice_id=notice), None, 9)).items == []
    assert (await Notices(office.owner, "elsewhere").list(NoticeFilter(), None, 9)).items == []
    assert (await Notices(office.owner, "elsewhere").notifications(notice, None, 9)).items == []
    for read in (Records(office.owner, "elsewhere").get(delivery), Notices(office.owner, "elsewhere").get(notice)):
        with pytest.raises(NotFound):
            await read


async def test_what_waits_of_a_notice_that_is_closed_is_skipped_when_its_time_comes(
    office: PostOffice, first: Mailer
) -> None:
    await office.provider(first.config)
    await office.people(3)
    notice = await office.notice()
    closed = await Notices(office.owner, TENANT).close(notice, "handled")
    again = await Notices(office.owner, TENANT).close(notice, "cancelled")
    assert (again.closed_at, again.closed_reason) == (closed.closed_at, "handled")
    async with office.worker():

        async def skipped() -> bool:
            return await office.tally(notice) == {"skipped": 3}

        await eventually(skipped)
    assert first.keys == []
