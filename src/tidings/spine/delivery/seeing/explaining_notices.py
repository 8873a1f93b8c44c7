"""Why a person is, or is not, among those whom a notice reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tidings.spine.delivery.seeing.causes import About, Answer, Cause
from tidings.spine.delivery.seeing.evidence import Evidence, NoticeSeen, NotificationSeen
from tidings.spine.delivery.seeing.explaining_deliveries import of_delivery
from tidings.spine.delivery.seeing.wording import audience, called, moment, sentence
from tidings.spine.notify.kinds import FAN_OUT


def of_notice(evidence: Evidence, notice: NoticeSeen, before: tuple[str, ...], about: About) -> Iterator[Answer]:
    """One answer, or one for each channel and address where the person was reached."""
    about = replace(about, notice_id=notice.id)
    if notice.notification is not None:
        about = replace(about, notification_id=notice.notification.id)
        within = (*before, f"{called(evidence.who)} is in its audience.")
        yield from _of_notification(evidence, notice, notice.notification, within, about)
        return
    cause, said = _not_reached(evidence, notice)
    at = notice.closed_at if cause is Cause.NOTICE_CLOSED else notice.run_at
    yield Answer(cause, (*before, *said), at, about)


def _not_reached(evidence: Evidence, notice: NoticeSeen) -> tuple[Cause, tuple[str, ...]]:
    if notice.closed_at is not None and (not notice.complete or notice.belongs_now):
        reason = notice.closed_reason or "no reason was given"
        return Cause.NOTICE_CLOSED, (sentence(f"It was closed at {moment(notice.closed_at)} before that: {reason}"),)
    if not notice.complete:
        return _not_complete(evidence, notice)
    named = f"Its audience was: {audience(notice.audience)}."
    name = called(evidence.who)
    if not notice.belongs_now:
        return Cause.NOT_IN_AUDIENCE, (named, f"{name} is not among them.")
    return Cause.JOINED_LATER, (
        named,
        f"{name} is among them now, but was not when the notice was sent out{_since(evidence, notice)}.",
    )


def _since(evidence: Evidence, notice: NoticeSeen) -> str:
    added = evidence.who.created_at
    if added is None or added <= notice.created_at:
        return f" at {moment(notice.run_at)}"
    return f" at {moment(notice.run_at)}: they were added at {moment(added)}"


def _not_complete(evidence: Evidence, notice: NoticeSeen) -> tuple[Cause, tuple[str, ...]]:
    """Not everybody has been reached; whether this person will be is told by what is so now."""
    if not notice.belongs_now:
        named = f"Its audience is: {audience(notice.audience)}."
        return Cause.NOT_IN_AUDIENCE, (named, f"{called(evidence.who)} is not among them.")
    work = notice.fan_out
    if work is not None and work.status in ("dead", "cancelled"):
        why = work.last_error or work.status
        said = f"Sending it out to everybody ended before {called(evidence.who)} was reached: {why}"
        return Cause.FAN_OUT_FAILED, (sentence(said),)
    if evidence.suspended_at is not None:
        return Cause.TENANT_SUSPENDED, (f"The tenant is suspended since {moment(evidence.suspended_at)}; all waits.",)
    if notice.run_at > evidence.now:
        return Cause.DELAYED, (f"It is delayed by its rule, until {moment(notice.run_at)}.",)
    if FAN_OUT not in evidence.served:
        return Cause.NO_WORKER, ("It waits for a worker: none that is running sends notices out.",)
    error = "" if work is None or work.last_error is None else f" The last error: {work.last_error}"
    return Cause.FANNING_OUT, (f"It is being sent out, and has not got to {called(evidence.who)} yet.{error}",)


def _of_notification(
    evidence: Evidence, notice: NoticeSeen, found: NotificationSeen, before: tuple[str, ...], about: About
) -> Iterator[Answer]:
    if found.routed:
        yield from _of_chosen(evidence, notice, found, before, about)
        return
    for channel in notice.channels:
        on = replace(about, channel=channel)
        deliveries = [each for each in found.deliveries if each.channel == channel]
        if channel in found.missing:
            yield Answer(Cause.NO_ADDRESS, (*before, _no_address(evidence, channel)), notice.run_at, on)
        elif not deliveries:
            said = f"What became of it on the channel {channel} is not kept any more."
            yield Answer(Cause.NOT_KEPT, (*before, said), None, on)
        for each in deliveries:
            yield of_delivery(evidence, each, before, on)


def _of_chosen(
    evidence: Evidence, notice: NoticeSeen, found: NotificationSeen, before: tuple[str, ...], about: About
) -> Iterator[Answer]:
    """Of somebody who chose where to hear of the topic: the channels of the notice are not theirs."""
    name = called(evidence.who)
    chose = (*before, f"{name} chose integrations for the topic {notice.topic}, in place of its channels.")
    if not found.targets:
        said = f"None of those that {name} chose was there and in use when the notice was sent out."
        yield Answer(Cause.NO_INTEGRATION, (*chose, said), notice.run_at, about)
    elif not found.deliveries:
        said = "What became of it there is not kept any more."
        yield Answer(Cause.NOT_KEPT, (*chose, said), None, about)
    for each in found.deliveries:
        yield of_delivery(evidence, each, chose, replace(about, channel=each.channel))


def _no_address(evidence: Evidence, channel: str) -> str:
    return f"{called(evidence.who)} had no address for the channel {channel} when the notice was sent out."
