"""Reservations and what belongs to them, as a client sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tidings.api.documents.inbox import shown_settlement
from tidings.api.shown.deliveries import shown_notice
from tidings.api.shown.plain import plain
from tidings.modules.reservations.history import History
from tidings.modules.reservations.model import Reservation
from tidings.modules.reservations.places import Restaurant
from tidings.spine.notify.matters.tried import Tried
from tidings.spine.notify.people.usual_channels import Usual


def shown_restaurant(restaurant: Restaurant) -> dict[str, Any]:
    after = restaurant.escalate_after
    return {
        "id": restaurant.id,
        "groupId": restaurant.group_id,
        "externalId": restaurant.external_id,
        "name": restaurant.name,
        "timezone": restaurant.timezone,
        "locale": restaurant.locale,
        "escalateAfterMinutes": None if after is None else int(after.total_seconds() // 60),
        "escalateTimes": restaurant.escalate_times,
        "createdAt": restaurant.created_at,
    }


def shown_reservation(reservation: Reservation, *, mine: bool, noted: bool) -> dict[str, Any]:
    """`noted`: with what whoever dealt with it has written, which is for those who run the place."""
    handled = None if reservation.handled is None else shown_settlement(reservation.handled)
    return {
        "id": reservation.id,
        "restaurantId": reservation.restaurant_id,
        "restaurant": reservation.restaurant,
        "timezone": reservation.timezone,
        "customerId": reservation.customer_id,
        "customer": reservation.customer,
        "agencyId": reservation.agency_id,
        "agency": reservation.agency,
        "partySize": reservation.party_size,
        "time": reservation.time,
        "proposedTime": reservation.proposed_time,
        "note": reservation.note,
        "status": reservation.status,
        "matter": reservation.matter,
        "settled": reservation.settled,
        "handled": handled if handled is None or noted else handled | {"note": None},
        "mine": mine,
        "createdAt": reservation.created_at,
        "updatedAt": reservation.updated_at,
    }


def shown_history(history: History) -> dict[str, Any]:
    return {"facts": plain(history.facts), "notices": [shown_notice(notice) for notice in history.notices]}


def shown_tried(tried: Sequence[Tried]) -> list[dict[str, Any]]:
    return [
        {
            **shown_settlement(each.settlement),
            "id": each.settlement.id,
            "matter": each.settlement.matter,
            "won": each.won,
            "actor": each.actor,
        }
        for each in tried
    ]


def shown_usual(user_type: str, usual: Usual, *, own: bool) -> dict[str, Any]:
    return {"userType": user_type, "channels": usual.channels, "urgent": usual.urgent, "own": own}
