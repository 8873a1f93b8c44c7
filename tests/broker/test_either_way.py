"""The same with RabbitMQ and without: same listeners, same results, same promises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from tests.broker.listening import NAMES, runs
from tests.broker.stage import Owner, emit, heard, nothing_open, sent, until, working
from tests.support.pipeline import add_person, add_rule
from tidings.kit.db import as_tenant
from tidings.kit.settings import Settings
from tidings.modules.reservations.places import Restaurants
from tidings.modules.reservations.reservations import Reservations
from tidings.spine.notify.people.groups import Groups

PLACE = {"timezone": "Europe/Paris", "locale": None, "escalate_after": None, "escalate_times": 1}
LISTENERS = {f"reservations.{name}" for name in ("admin", "restaurant", "customer", "agency")}


async def test_a_reservation_is_told_to_all_four_kinds_of_people_and_its_cancelling_too(
    either_way: Settings, owner: Owner
) -> None:
    place, customer = await _people(owner)
    async with working(owner, either_way):
        async with as_tenant(owner, "default"):
            reservation = await Reservations(owner, "default").create(
                {
                    "restaurant_id": place,
                    "customer_id": customer,
                    "agency_id": None,
                    "party_size": 4,
                    "time": datetime.now(UTC) + timedelta(days=1),
                    "note": None,
                }
            )
        await until(lambda: nothing_open(owner))
        assert await _recorded(owner, "reservation.requested") == LISTENERS
        requested = await _told(owner)
        async with as_tenant(owner, "default"):
            await Reservations(owner, "default").cancel(reservation, customer)
        await until(lambda: nothing_open(owner))
    assert await _recorded(owner, "reservation.cancelled") == LISTENERS
    assert {user_type for user_type, _ in requested} == {"ADMIN_USER", "RESTAURANT_USER", "CUSTOMER"}
    assert set(requested.values()) == {1}
    assert set(await _told(owner)) > set(requested)


async def test_every_fact_is_heard_once_by_everybody_and_every_delivery_sent_once(
    either_way: Settings, owner: Owner
) -> None:
    for n in range(3):
        await add_person(owner, f"Person {n}", push=f"token {n}")
    rule = await add_rule(owner, "parcel.*", title="Parcel {{ data.n }}")
    runs.clear()
    async with working(owner, either_way):
        await emit(owner, 50)
        await until(lambda: nothing_open(owner))
    assert set(runs.values()) == {1}
    assert await heard(owner) == dict.fromkeys((*NAMES, f"rule:{rule}"), 50)
    assert await sent(owner) == 3 * 3 * 50


async def test_a_fact_that_is_emitted_to_be_told_later_is_told_then(either_way: Settings, owner: Owner) -> None:
    await add_person(owner, push="token")
    async with working(owner, either_way):
        await owner.execute(
            "SELECT tidings.emit('parcel.sent', '{\"n\": 1}', run_at => now() + interval '1 hour', key => 'later')"
        )
        await emit(owner, 1)
        await until(lambda: _only_what_is_later_is_open(owner))
        assert await sent(owner) == 2
        await owner.execute("UPDATE tidings.outbox SET due_at = now(), run_at = now() WHERE kind NOT LIKE 'tidings.%'")
        await until(lambda: nothing_open(owner))
    assert await sent(owner) == 4


@pytest.mark.parametrize("fails", [1, 2])
async def test_a_listener_that_fails_is_tried_again_alone(either_way: Settings, owner: Owner, fails: int) -> None:
    await add_person(owner, push="token")
    runs.clear()
    async with working(owner, either_way):
        await owner.execute("SELECT tidings.emit('parcel.sent', jsonb_build_object('n', 1, 'fails', $1::int))", fails)
        await until(lambda: nothing_open(owner))
    assert sorted(runs.values()) == [1, 1 + fails]
    assert await heard(owner) == dict.fromkeys(NAMES, 1)


async def _people(owner: Owner) -> tuple[int, UUID]:
    """A restaurant with staff, an admin, and a customer, each with a push token."""
    place = await Restaurants(owner, "default").create("Trattoria", None, PLACE)
    staff = await add_person(owner, "Staff", push="staff", user_type="RESTAURANT_USER")
    await Groups(owner, "default").add(place.group_id, [staff])
    await add_person(owner, "Admin", push="admin", user_type="ADMIN_USER")
    return place.id, await add_person(owner, "Customer", push="customer", user_type="CUSTOMER")


async def _recorded(owner: Owner, type: str) -> set[str]:
    """Which listeners have done with the one fact of this type."""
    rows = await owner.fetch(
        "SELECT p.listener FROM tidings.processed_by p JOIN tidings.facts f ON f.id = p.fact_id WHERE f.type = $1", type
    )
    return {row["listener"] for row in rows}


async def _told(owner: Owner) -> dict[tuple[str, str], int]:
    """How many messages went out, by kind of person and title."""
    rows = await owner.fetch(
        """SELECT q.user_type, d.channel, n.id, count(*) FROM tidings.delivery_attempts a
           JOIN tidings.deliveries_finished d ON d.id = a.delivery_id JOIN tidings.people q ON q.id = d.person_id
           JOIN tidings.notices n ON n.id = d.notice_id WHERE a.outcome = 'sent' GROUP BY 1, 2, 3"""
    )
    return {(row["user_type"], f"{row['channel']} {row['id']}"): row["count"] for row in rows}


async def _only_what_is_later_is_open(owner: Owner) -> bool:
    open_now: int = await owner.fetchval(
        """SELECT count(*) FROM (SELECT due_at FROM tidings.outbox WHERE id <> fact_id
               UNION ALL SELECT due_at FROM tidings.deliveries) o WHERE due_at < now() + interval '30 minutes'"""
    )
    return not open_now
