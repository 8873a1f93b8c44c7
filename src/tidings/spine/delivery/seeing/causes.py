"""What an answer to "why?" can be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Got(StrEnum):
    """Whether the person has it."""

    YES = "yes"
    NOT_YET = "not_yet"  # it is on its way
    UNKNOWN = "unknown"  # it may have arrived
    NO = "no"


class Cause(StrEnum):
    """What decided. Programs go by it, people by the sentences beside it."""

    FACT_UNKNOWN = "fact_unknown"
    NO_RULE = "no_rule"
    RULE_DISABLED = "rule_disabled"
    RULE_CAME_LATER = "rule_came_later"
    NOTHING_HAPPENED = "nothing_happened"
    TENANT_SUSPENDED = "tenant_suspended"
    NO_WORKER = "no_worker"
    DUE_LATER = "due_later"
    BEING_PREPARED = "being_prepared"
    PREPARING_FAILS = "preparing_fails"
    PREPARING_FAILED = "preparing_failed"
    PREPARING_CANCELLED = "preparing_cancelled"
    CONDITION_NOT_MET = "condition_not_met"
    NOTHING_SAID = "nothing_said"
    DELAYED = "delayed"
    FANNING_OUT = "fanning_out"
    FAN_OUT_FAILED = "fan_out_failed"
    NOT_IN_AUDIENCE = "not_in_audience"
    JOINED_LATER = "joined_later"
    NO_ADDRESS = "no_address"
    NO_INTEGRATION = "no_integration"
    NOTICE_CLOSED = "notice_closed"
    PERSON_GONE = "person_gone"
    ADDRESS_GONE = "address_gone"
    ADDRESS_DISABLED = "address_disabled"
    SUPPRESSED = "suppressed"
    NOT_WANTED = "not_wanted"
    SKIPPED = "skipped"
    QUIET_HOURS = "quiet_hours"
    CIRCUIT_OPEN = "circuit_open"
    PROVIDER_DISABLED = "provider_disabled"
    WILL_RETRY = "will_retry"
    WAITING = "waiting"
    SENDING = "sending"
    HELD = "held"
    EXPIRED = "expired"
    REJECTED = "rejected"
    FAILED = "failed"
    SENT = "sent"
    BOUNCED = "bounced"
    COMPLAINED = "complained"
    NOT_KEPT = "not_kept"


_ON_ITS_WAY = frozenset(
    {
        Cause.TENANT_SUSPENDED,
        Cause.NO_WORKER,
        Cause.DUE_LATER,
        Cause.BEING_PREPARED,
        Cause.PREPARING_FAILS,
        Cause.DELAYED,
        Cause.FANNING_OUT,
        Cause.QUIET_HOURS,
        Cause.CIRCUIT_OPEN,
        Cause.PROVIDER_DISABLED,
        Cause.WILL_RETRY,
        Cause.WAITING,
        Cause.SENDING,
    }
)


def got(cause: Cause) -> Got:
    match cause:
        case Cause.SENT | Cause.COMPLAINED:
            return Got.YES
        case Cause.HELD | Cause.NOT_KEPT:
            return Got.UNKNOWN
        case _:
            return Got.NOT_YET if cause in _ON_ITS_WAY else Got.NO


@dataclass(frozen=True)
class About:
    """What an answer speaks of, as far as it got that far."""

    listener: str | None = None
    rule: str | None = None
    rule_version: int | None = None
    notice_id: UUID | None = None
    notification_id: UUID | None = None
    delivery_id: UUID | None = None
    channel: str | None = None


@dataclass(frozen=True)
class Answer:
    """One reason, with the steps that led to it in order. `at`: when it was decided, or when it goes on."""

    cause: Cause
    sentences: tuple[str, ...]
    at: datetime | None = None
    about: About = About()

    @property
    def got(self) -> Got:
        return got(self.cause)


_STRONGEST = (Got.YES, Got.UNKNOWN, Got.NOT_YET, Got.NO)


def altogether(answers: tuple[Answer, ...]) -> Got:
    """Over several channels and rules: one that arrived is enough."""
    return min((answer.got for answer in answers), key=_STRONGEST.index, default=Got.NO)
