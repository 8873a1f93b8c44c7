"""Providers, notices, deliveries and what the sandbox kept, as a client sees them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tidings.kit.json_output import raw
from tidings.spine.notify.rules.delays import delay_text

if TYPE_CHECKING:  # a command that shows one of them does not pay for every provider there is
    from tidings.spine.delivery.kept import KeptMessage
    from tidings.spine.delivery.notice_records import NoticeRecord, NotificationRecord
    from tidings.spine.delivery.providers import Provider
    from tidings.spine.delivery.records import AttemptRecord, DeliveryRecord


def shown_provider(provider: Provider) -> dict[str, Any]:
    rate = None if provider.rate is None else {"count": provider.rate, "period": _span(provider.rate_period)}
    return {
        "id": provider.id,
        "channel": provider.channel,
        "type": provider.type,
        "name": provider.name,
        "builtIn": provider.built_in,
        "enabled": provider.enabled,
        "priority": provider.priority,
        "config": raw(provider.shown),
        "version": provider.version,
        "concurrency": provider.concurrency,
        "rate": rate,
        "onUnknown": provider.on_unknown,
        "maxAttempts": provider.max_attempts,
        "expiresAfter": _span(provider.expires_after),
        "circuit": _circuit(provider),
        "createdAt": provider.created_at,
        "updatedAt": provider.updated_at,
    }


def _circuit(provider: Provider) -> dict[str, Any]:
    return {
        "state": provider.circuit,
        "openUntil": provider.open_until,
        "failures": provider.failures,
        "lastError": provider.last_error,
        "lastErrorAt": provider.last_error_at,
    }


def shown_notice(notice: NoticeRecord) -> dict[str, Any]:
    return {
        "id": notice.id,
        "factId": notice.fact_id,
        "listener": notice.listener,
        "ruleVersion": notice.rule_version,
        "title": notice.title,
        "body": notice.body,
        "template": notice.template,
        "level": notice.level,
        "category": notice.category,
        "channels": notice.channels,
        "topic": notice.topic,
        "audience": raw(notice.audience),
        "properties": raw(notice.properties),
        "shared": notice.shared,
        "runAt": notice.run_at,
        "tally": _tally(notice),
        "closedAt": notice.closed_at,
        "closedReason": notice.closed_reason,
        "matter": notice.matter,
        "actions": notice.actions,
        "createdAt": notice.created_at,
    }


def _tally(notice: NoticeRecord) -> dict[str, Any]:
    return {
        "complete": notice.complete,
        "people": notice.people,
        "noTarget": notice.no_target,
        "open": notice.open,
        "sent": notice.sent,
        "skipped": notice.skipped,
        "failed": notice.failed,
        "settledAt": notice.settled_at,
    }


def shown_notification(notification: NotificationRecord) -> dict[str, Any]:
    return {
        "id": notification.id,
        "personId": notification.person_id,
        "missing": notification.missing,
        "targets": notification.targets,
        "routed": notification.routed,
        "status": notification.status,
        "attempts": notification.attempts,
        "lastError": notification.last_error,
        "settledAt": notification.settled_at,
        "readAt": notification.read_at,
        "archivedAt": notification.archived_at,
        "createdAt": notification.created_at,
    }


def shown_delivery(delivery: DeliveryRecord) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "channel": delivery.channel,
        "provider": delivery.provider,
        "providerName": delivery.provider_name,
        "noticeId": delivery.notice_id,
        "title": delivery.title,
        "factId": delivery.fact_id,
        "notificationId": delivery.notification_id,
        "personId": delivery.person_id,
        "personName": delivery.person_name,
        "address": delivery.address,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "maxAttempts": delivery.max_attempts,
        "lastError": delivery.last_error,
        "receipt": delivery.receipt,
        "confirmed": delivery.confirmed,
        "confirmedAt": delivery.confirmed_at,
        "dueAt": delivery.due_at,
        "runAt": delivery.run_at,
        "expiresAt": delivery.expires_at,
        "createdAt": delivery.created_at,
        "updatedAt": delivery.updated_at,
        "finishedAt": delivery.finished_at,
    }


def shown_in_full(delivery: DeliveryRecord, history: Sequence[AttemptRecord]) -> dict[str, Any]:
    return shown_delivery(delivery) | {"history": [_attempt(attempt) for attempt in history]}


def _attempt(attempt: AttemptRecord) -> dict[str, Any]:
    return shown_outcome(attempt) | {"provider": attempt.provider, "providerName": attempt.provider_name}


def shown_outcome(attempt: AttemptRecord) -> dict[str, Any]:
    """An attempt, for whoever need not know through whom it went."""
    return {
        "outcome": attempt.outcome,
        "reason": attempt.reason,
        "receipt": attempt.receipt,
        "tookSeconds": None if attempt.took is None else attempt.took.total_seconds(),
        "endedAt": attempt.ended_at,
    }


def shown_kept(kept: KeptMessage) -> dict[str, Any]:
    content = kept.content or {}
    return {
        "id": kept.id,
        "channel": kept.channel,
        "to": content.get("to"),
        "subject": content.get("subject"),
        "text": content.get("text"),
        "createdAt": kept.created_at,
    }


def shown_kept_in_full(kept: KeptMessage) -> dict[str, Any]:
    content = kept.content or {}
    names = ("name", "html", "level", "data", "unsubscribeUrl")
    more = {name: content.get(name) for name in names}
    lists = {name: content.get(name, []) for name in ("buttons", "attachments")}
    return shown_kept(kept) | more | lists


def _span(span: timedelta | None) -> str | None:
    return None if span is None else delay_text(span)
