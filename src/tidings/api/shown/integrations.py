"""Integrations and their tests, as their owner sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tidings.api.shown.deliveries import shown_outcome
from tidings.spine.delivery.records import AttemptRecord, DeliveryRecord
from tidings.spine.notify.people.integrations import Integration


def shown_integration(integration: Integration) -> dict[str, Any]:
    return {
        "id": integration.id,
        "name": integration.name,
        "leadsTo": integration.leads_to,
        "tags": integration.tags,
        "active": integration.active,
        "inactiveReason": integration.disabled_reason,
        "createdAt": integration.created_at,
    }


def shown_test(delivery: DeliveryRecord, history: Sequence[AttemptRecord]) -> dict[str, Any]:
    return {
        "deliveryId": delivery.id,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "lastError": delivery.last_error,
        "createdAt": delivery.created_at,
        "finishedAt": delivery.finished_at,
        "history": [shown_outcome(each) for each in history],
    }
