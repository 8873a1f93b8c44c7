"""What became of one delivery, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from tidings.spine.delivery.seeing.causes import About, Answer, Cause
from tidings.spine.delivery.seeing.deliveries import DeliverySeen, Try
from tidings.spine.delivery.seeing.evidence import Evidence
from tidings.spine.delivery.seeing.wording import moment, place, sentence

_MOST_TRIES = 10
_SKIPPED = (
    ("the notice was closed", Cause.NOTICE_CLOSED),
    ("the person is not there", Cause.PERSON_GONE),
    ("the address is not there", Cause.ADDRESS_GONE),
    ("the address is not used", Cause.ADDRESS_DISABLED),
    ("the address is on the suppression list", Cause.SUPPRESSED),
    ("the person does not want", Cause.NOT_WANTED),
    ("the person is not subscribed", Cause.NOT_WANTED),
)
"""How the reasons of `wanted` begin; a test holds the two together."""


def of_delivery(evidence: Evidence, it: DeliverySeen, before: tuple[str, ...], about: About) -> Answer:
    about = replace(about, delivery_id=it.id)
    if it.finished_at is not None:
        cause, said = _finished(it)
        return Answer(cause, (*before, *said), it.finished_at, about)
    cause, said, at = _open(evidence, it)
    return Answer(cause, (*before, *said), at, about)


def skipped_for(reason: str) -> Cause:
    return next((cause for begins, cause in _SKIPPED if reason.startswith(begins)), Cause.SKIPPED)


def _finished(it: DeliverySeen) -> tuple[Cause, tuple[str, ...]]:
    last = it.tries[-1] if it.tries else None
    reason = (last.reason if last else None) or it.last_error or "no reason was kept"
    match it.status:
        case "sent":
            return _sent(it)
        case "skipped":
            said = f"Nothing was sent by {it.channel} to {_place(it)}: {reason}"
            return skipped_for(reason), (sentence(said),)
        case _ if last is not None and last.outcome == "expired":
            return Cause.EXPIRED, (*_history(it.tries[:-1]), sentence(f"It was given up: {reason}"))
        case _ if last is not None and last.outcome == "rejected":
            said = f"The provider {it.provider.name!r} refused it for {_place(it)}: {reason}"
            return Cause.REJECTED, (*_history(it.tries[:-1]), sentence(said))
        case _:
            said = f"It was given up at {moment(it.finished_at)} after {_attempts(it)}"
            return Cause.FAILED, (*_history(it.tries), *_unsaid(it), f"{said}.")


def _sent(it: DeliverySeen) -> tuple[Cause, tuple[str, ...]]:
    receipt = f"; its receipt is {it.receipt}" if it.receipt else ""
    to = "" if it.channel == "websocket" else f" to {_place(it)}"
    said = f"It was sent by {it.channel}{to} at {moment(it.finished_at)} through {it.provider.name!r}{receipt}."
    told = (*_history(it.tries[:-1]), said)
    match it.confirmed:
        case None:
            return Cause.SENT, told
        case "bounced":
            return Cause.BOUNCED, (*told, f"It came back: the provider reported a bounce at {moment(it.confirmed_at)}.")
        case "complained":
            said = f"The provider reported at {moment(it.confirmed_at)} that it was marked as unwanted mail."
            return Cause.COMPLAINED, (*told, said)
        case confirmed:
            return Cause.SENT, (*told, f"The provider reported at {moment(it.confirmed_at)}: {confirmed}.")


def _open(evidence: Evidence, it: DeliverySeen) -> tuple[Cause, tuple[str, ...], datetime | None]:
    history = _history(it.tries)
    if it.status == "held":
        said = "It may have arrived: the provider did not answer. It is held until somebody decides about it."
        return Cause.HELD, (*history, said), it.run_at
    if it.status == "processing":
        return Cause.SENDING, (*history, f"It is being sent by {it.channel} at this moment."), None
    if evidence.suspended_at is not None:
        said = f"The tenant is suspended since {moment(evidence.suspended_at)}; all waits."
        return Cause.TENANT_SUSPENDED, (*history, said), evidence.suspended_at
    if (stopped := _stopped(evidence, it)) is not None:
        cause, said, at = stopped
        return cause, (*history, said), at
    return _waiting(evidence, it, history)


def _stopped(evidence: Evidence, it: DeliverySeen) -> tuple[Cause, str, datetime | None] | None:
    """By its provider: then its own time counts for nothing."""
    by = it.provider
    if not by.enabled:
        said = f"It waits: the provider {by.name!r} of the channel {it.channel} is switched off."
        return Cause.PROVIDER_DISABLED, said, None
    if by.opened_at is None or (it.run_at > evidence.now and it.run_at > (by.open_until or evidence.now)):
        return None
    error = f" ({by.last_error})" if by.last_error else ""
    said = f"The provider {by.name!r} keeps failing{error}: its circuit is open since {moment(by.opened_at)}"
    return Cause.CIRCUIT_OPEN, f"{said}, and it is tried again at {moment(by.open_until)}.", by.open_until


def _waiting(
    evidence: Evidence, it: DeliverySeen, history: tuple[str, ...]
) -> tuple[Cause, tuple[str, ...], datetime | None]:
    last = it.tries[-1] if it.tries else None
    if last is not None and last.outcome == "quiet" and it.run_at > evidence.now:
        return Cause.QUIET_HOURS, (*history, f"It waits for the end of them, at {moment(it.run_at)}."), it.run_at
    if it.status == "failed":
        said = f"It has failed so far, after {_attempts(it)}, and is tried again at {moment(it.run_at)}."
        return Cause.WILL_RETRY, (*history, *_unsaid(it), said), it.run_at
    if it.channel not in evidence.served:
        said = f"It waits for a worker: none that is running sends by {it.channel}."
        return Cause.NO_WORKER, (*history, said), it.run_at
    return Cause.WAITING, (*history, f"It waits to be sent by {it.channel}."), it.run_at


_OUTCOMES = {
    "deferred": "The provider could not take it",
    "rejected": "The provider refused it",
    "unknown": "The provider did not answer",
    "crashed": "The worker died while it was sending it",
    "quiet": "It was not sent, so as not to disturb",
    "sent": "It was sent",
}


def _history(tries: tuple[Try, ...]) -> tuple[str, ...]:
    """Every attempt in a sentence; of very many, the last ones."""
    left_out = len(tries) - _MOST_TRIES
    before = (f"{left_out} earlier attempts are left out here.",) if left_out > 0 else ()
    return before + tuple(map(_try, tries[-_MOST_TRIES:]))


def _try(each: Try) -> str:
    reason = f": {each.reason}" if each.reason else ""
    return sentence(f"{_OUTCOMES.get(each.outcome, each.outcome)} at {moment(each.ended_at)}{reason}")


def _unsaid(it: DeliverySeen) -> tuple[str, ...]:
    """An error that is no attempt's own: a worker that died, an outcome that could not be written."""
    last = it.tries[-1].reason if it.tries else None
    return () if it.last_error in (None, last) else (sentence(f"The last error: {it.last_error}"),)


def _attempts(it: DeliverySeen) -> str:
    return "1 attempt" if it.attempts == 1 else f"{it.attempts} attempts"


def _place(it: DeliverySeen) -> str:
    return place(it.channel, it.address)
