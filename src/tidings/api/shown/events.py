"""Events and what belongs to them, as a client sees them."""

from __future__ import annotations

from typing import Any, assert_never

from tidings.modules.events.messages import EventMessage, SubscriptionResult, Totals
from tidings.modules.events.model import Event, Subscription
from tidings.modules.events.reminders import Reminder, Waiting
from tidings.spine.processes.states import Away, Ended, NotStarted, Running, State


def shown_event(event: Event, *, mine: bool, joined: bool, join_url: str | None) -> dict[str, Any]:
    return {
        "id": event.id,
        "uid": event.uid,
        "organiserId": event.organiser_id,
        "organiser": event.organiser,
        "name": event.name,
        "description": event.description,
        "location": event.location,
        "startsAt": event.starts_at,
        "endsAt": event.ends_at,
        "overAt": event.over_at,
        "timezone": event.timezone,
        "status": event.status,
        "version": event.version,
        "sequence": event.sequence,
        "subscribers": event.subscribers,
        "mine": mine,
        "joined": joined,
        "joinUrl": join_url,
        "createdAt": event.created_at,
        "updatedAt": event.updated_at,
    }


def shown_subscription(subscription: Subscription) -> dict[str, Any]:
    by_id = [{"integrationId": address, "tag": None} for address in subscription.address_ids]
    by_tag = [{"integrationId": None, "tag": tag} for tag in subscription.tags]
    return {
        "id": subscription.id,
        "eventId": subscription.event_id,
        "personId": subscription.person_id,
        "person": subscription.person,
        "selectors": by_id + by_tag,
        "reminderOffsets": list(subscription.offsets),
        "createdAt": subscription.created_at,
    }


def shown_reminder(reminder: Reminder) -> dict[str, Any]:
    return {
        "id": reminder.id,
        "subscriptionId": reminder.subscription_id,
        "personId": reminder.person_id,
        "person": reminder.person,
        "offsetSeconds": reminder.offset,
        "dueAt": reminder.due_at,
        "status": reminder.status,
        "lastError": reminder.last_error,
    }


def shown_message(message: EventMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "factId": message.fact_id,
        "kind": message.said or "reminder",
        "title": message.title,
        "body": message.body,
        "level": message.level,
        "people": message.people,
        "noTarget": message.no_target,
        "complete": message.complete,
        "deliveries": {
            "open": message.open,
            "sent": message.sent,
            "skipped": message.skipped,
            "failed": message.failed,
        },
        "closedReason": message.closed_reason,
        "createdAt": message.created_at,
    }


def shown_totals(message: EventMessage, totals: Totals) -> dict[str, Any]:
    counted = {
        "delivered": totals.delivered,
        "failed": totals.failed,
        "pending": totals.pending,
        "total": totals.total,
    }
    return shown_message(message) | counted


def shown_result(result: SubscriptionResult) -> dict[str, Any]:
    return {
        "subscriptionId": result.subscription_id,
        "personId": result.person_id,
        "person": result.person,
        "status": result.status,
        "integrationsTried": result.tried,
        "delivered": result.delivered,
        "failed": result.failed,
    }


_SAID = ("status", "participants", "notifications", "failedBroadcasts", "overAt")


def shown_process(state: State, waiting: Waiting) -> dict[str, Any]:
    reminders = {"remindersWaiting": waiting.amount, "nextReminderAt": waiting.next_at}
    silent: dict[str, Any] = dict.fromkeys(_SAID)
    match state:
        case Running(said):
            return {"state": "running", "reason": None, **{name: said[name] for name in _SAID}, **reminders}
        case Ended(how):
            return {"state": "ended", "reason": how, **silent, **reminders}
        case NotStarted():
            return {"state": "not_started", "reason": None, **silent, **reminders}
        case Away(reason):
            return {"state": "away", "reason": reason, **silent, **reminders}
        case _:
            assert_never(state)
