"""From evidence to an answer: a table of cases, also for what a worker seldom leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest

from tidings.spine.channels.port import Channel, Level
from tidings.spine.delivery.seeing.causes import Answer, Cause, Got, altogether, got
from tidings.spine.delivery.seeing.deliveries import DeliverySeen, ProviderSeen, Try
from tidings.spine.delivery.seeing.evidence import (
    Evidence,
    FactSeen,
    HeardBy,
    NoticeSeen,
    NotificationSeen,
    RuleSeen,
    Who,
    Work,
)
from tidings.spine.delivery.seeing.explaining import explain
from tidings.spine.delivery.seeing.explaining_deliveries import skipped_for
from tidings.spine.delivery.wanted import Skip, wanted

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ID = UUID(int=7)
FACT = FactSeen(ID, "order.paid", NOW - HOUR)
HEARD = HeardBy(f"rule:{ID}", True, "1 said", NOW - HOUR, "Orders", 1, 1)
PROVIDER = ProviderSeen(ID, "main")
WHO = Who(ID, "The owner", created_at=NOW - 5 * HOUR)


def delivery(status: str, *tries: str, **more: Any) -> DeliverySeen:
    attempts = tuple(Try(outcome, f"because of {outcome}", NOW - HOUR) for outcome in tries)
    final = status in ("sent", "skipped", "failed") and more.pop("ended", True)
    times = {"due_at": NOW, "run_at": NOW, "expires_at": NOW + HOUR, "created_at": NOW}
    given = times | {"finished_at": NOW if final else None, "provider": PROVIDER} | more
    return DeliverySeen(ID, ID, ID, ID, "push", "token", status, len(tries), tries=attempts, **given)


def notice(*deliveries: DeliverySeen, **more: Any) -> NoticeSeen:
    given = {"notification": NotificationSeen(ID, (), deliveries)} | more
    audience = ({"by": "group", "values": ["sales", "ops", "board", "all"]},)
    return NoticeSeen(ID, HEARD.listener, "orders", ("push",), audience, NOW - HOUR, NOW - HOUR, True, **given)


def evidence(*notices: NoticeSeen, **more: Any) -> Evidence:
    given = {"heard": (HEARD,), "served": frozenset({"push", "notice.rules", "notice.fan_out"})} | more
    return Evidence(NOW, WHO, FACT, notices=notices, **given)


def unreached(**more: Any) -> NoticeSeen:
    return replace(notice(notification=None, belongs_now=True), **more)


def preparing(status: str, **more: Any) -> Evidence:
    work = Work("notice.rules", status, NOW - HOUR, 3, "it broke", NOW if status in ("dead", "cancelled") else None)
    return evidence(preparing=(replace(work, **more),), heard=())


def rule(**more: Any) -> RuleSeen:
    return replace(RuleSeen(ID, "Orders", 2, True, "order.*", "orders", NOW - 5 * HOUR, NOW), **more)


OPEN = ProviderSeen(ID, "main", opened_at=NOW - HOUR, open_until=NOW + HOUR)
CASES: list[tuple[Evidence, Cause, str]] = [
    (evidence(notice(delivery("sent", "deferred", "sent"))), Cause.SENT, "because of deferred"),
    (evidence(notice(delivery("sent", "sent", confirmed="delivered"))), Cause.SENT, "reported at"),
    (evidence(notice(delivery("sent", "sent", confirmed="bounced"))), Cause.BOUNCED, "a bounce"),
    (evidence(notice(delivery("sent", "sent", confirmed="complained"))), Cause.COMPLAINED, "unwanted mail"),
    (evidence(notice(delivery("failed", "deferred", "crashed"))), Cause.FAILED, "after 2 attempts"),
    (evidence(notice(delivery("failed", "sent", last_error="not written"))), Cause.FAILED, "not written"),
    (evidence(notice(delivery("failed", "rejected"))), Cause.REJECTED, "because of rejected"),
    (evidence(notice(delivery("failed", "deferred", "expired"))), Cause.EXPIRED, "because of expired"),
    (evidence(notice(delivery("held", "unknown"))), Cause.HELD, "held until somebody decides"),
    (evidence(notice(delivery("processing"))), Cause.SENDING, "at this moment"),
    (evidence(notice(delivery("pending"))), Cause.WAITING, "waits to be sent"),
    (evidence(notice(delivery("pending")), served=frozenset()), Cause.NO_WORKER, "none that is running sends by push"),
    (evidence(notice(delivery("pending", provider=OPEN))), Cause.CIRCUIT_OPEN, "is open since"),
    (
        evidence(notice(delivery("failed", "deferred", ended=False, provider=OPEN, run_at=NOW + 2 * HOUR))),
        Cause.WILL_RETRY,
        "tried again at 2026-11-16 14:00:00 UTC",
    ),
    (evidence(notice(delivery("pending")), suspended_at=NOW), Cause.TENANT_SUSPENDED, "suspended since"),
    (evidence(notice(delivery("sent", "sent")), suspended_at=NOW), Cause.SENT, "sent by push"),
    (evidence(notice()), Cause.NOT_KEPT, "not kept any more"),
    (evidence(), Cause.NOT_KEPT, "what it said is not kept any more"),
    (evidence(unreached(belongs_now=False)), Cause.NOT_IN_AUDIENCE, "group sales, ops, board and 1 more"),
    (evidence(unreached()), Cause.JOINED_LATER, "but was not when"),
    (evidence(unreached(closed_at=NOW, closed_reason="handled")), Cause.NOTICE_CLOSED, "handled"),
    (evidence(unreached(complete=False)), Cause.FANNING_OUT, "not got to The owner yet"),
    (evidence(unreached(complete=False, run_at=NOW + HOUR)), Cause.DELAYED, "until 2026-11-16 13:00:00 UTC"),
    (evidence(unreached(complete=False), served=frozenset()), Cause.NO_WORKER, "none that is running"),
    (
        evidence(unreached(complete=False, fan_out=Work("notice.fan_out", "dead", NOW, 9, "it broke"))),
        Cause.FAN_OUT_FAILED,
        "it broke",
    ),
    (preparing("dead"), Cause.PREPARING_FAILED, "having failed 3 times: it broke"),
    (preparing("cancelled"), Cause.PREPARING_CANCELLED, "cancelled at"),
    (preparing("failed"), Cause.PREPARING_FAILS, "tried again"),
    (preparing("processing"), Cause.BEING_PREPARED, "at this moment"),
    (preparing("pending"), Cause.BEING_PREPARED, "its turn"),
    (preparing("pending", run_at=NOW + HOUR), Cause.DUE_LATER, "13:00:00"),
    (replace(preparing("pending"), suspended_at=NOW), Cause.TENANT_SUSPENDED, "all waits"),
    (evidence(heard=(), rules=(rule(),)), Cause.RULE_CAME_LATER, "only since"),
    (evidence(heard=(), rules=(rule(enabled=False),)), Cause.RULE_DISABLED, "switched off"),
    (evidence(heard=(), rules=(rule(held_then=False),)), Cause.RULE_DISABLED, "at that time"),
    (replace(evidence(heard=()), fact=None), Cause.FACT_UNKNOWN, "no such fact"),
    (evidence(heard=(), rules=(rule(held_then=True),)), Cause.NOT_KEPT, "what it made of this one is not kept"),
    (evidence(heard=()), Cause.NO_RULE, "No rule and no listener"),
]


@pytest.mark.parametrize(("found", "cause", "said"), CASES)
def test_every_case_has_its_cause_and_says_why(found: Evidence, cause: Cause, said: str) -> None:
    (answer,) = explain(found)
    assert answer.cause is cause
    assert said in " ".join(answer.sentences)
    assert all(sentence[-1] in ".!?" and sentence[0].isupper() for sentence in answer.sentences)


def test_the_worst_history_stays_short() -> None:
    (answer,) = explain(evidence(notice(delivery("failed", *["deferred"] * 50))))
    assert "40 earlier attempts are left out here." in answer.sentences
    assert len(answer.sentences) < 20


def test_a_notice_that_no_fact_caused_is_explained_by_itself() -> None:
    found = replace(evidence(notice(delivery("sent", "sent")), heard=()), fact=None)
    assert [answer.cause for answer in explain(found)] == [Cause.SENT]


def test_one_that_arrived_is_enough() -> None:
    answers = tuple(Answer(cause, ()) for cause in (Cause.NO_ADDRESS, Cause.HELD, Cause.QUIET_HOURS))
    assert altogether(()) is altogether(answers[:1]) is Got.NO
    assert altogether(answers[::2]) is Got.NOT_YET
    assert altogether(answers) is Got.UNKNOWN
    assert altogether((*answers, Answer(Cause.SENT, ()))) is Got.YES
    assert got(Cause.BOUNCED) is Got.NO


@dataclass(frozen=True)
class Standing:
    """A delivery that nothing stands against, but for what is given."""

    channel: Channel = Channel.PUSH
    level: Level = Level.INFO
    category: str = "orders"
    now: datetime = NOW
    expired: bool = False
    last_error: str | None = None
    closed: str | None = None
    person_there: bool = True
    left: str | None = None
    address_there: bool = True
    disabled: str | None = None
    suppressed: str | None = None
    refused: tuple[str, str] | None = None
    timezone: str | None = None
    quiet: tuple[time, time] | None = None


@pytest.mark.parametrize(
    ("standing", "cause"),
    [
        (Standing(closed="handled"), Cause.NOTICE_CLOSED),
        (Standing(person_there=False), Cause.PERSON_GONE),
        (Standing(left="event:7"), Cause.NOT_WANTED),
        (Standing(address_there=False), Cause.ADDRESS_GONE),
        (Standing(disabled="gone"), Cause.ADDRESS_DISABLED),
        (Standing(suppressed="bounced"), Cause.SUPPRESSED),
        (Standing(refused=("orders", "*")), Cause.NOT_WANTED),
        (Standing(refused=("*", "push")), Cause.NOT_WANTED),
    ],
)
def test_the_reasons_that_are_kept_are_known_by_their_words(standing: Standing, cause: Cause) -> None:
    verdict = wanted(standing)
    assert isinstance(verdict, Skip)
    assert skipped_for(verdict.reason) is cause
