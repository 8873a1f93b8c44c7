"""What each provider says, in our words."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.delivery.receipts import signing
from tidings.spine.delivery.receipts import meta, resend, twilio
from tidings.spine.delivery.receipts.events import Confirmed, Event, in_words, strongest
from tidings.spine.delivery.receipts.verifying import Posted

ID = UUID("01980000-0000-7000-8000-000000000001")
HARD = {"type": "Permanent", "subType": "General", "message": "no such mailbox"}
SOFT = {"type": "Transient", "subType": "MailboxFull", "message": "the mailbox is full"}


def posted(body: bytes) -> Posted:
    return Posted("https://tidings.example", {}, body)


@pytest.mark.parametrize(
    ("type", "more", "confirmed", "reason"),
    [
        ("email.delivered", {}, Confirmed.DELIVERED, None),
        ("email.bounced", {"bounce": HARD}, Confirmed.BOUNCED, "Permanent General no such mailbox"),
        ("email.bounced", {"bounce": SOFT}, Confirmed.FAILED, "Transient MailboxFull the mailbox is full"),
        ("email.bounced", {"bounce": {"type": "Undetermined"}}, Confirmed.FAILED, "Undetermined"),
        ("email.bounced", {}, Confirmed.FAILED, None),
        ("email.complained", {}, Confirmed.COMPLAINED, "the person called it spam"),
        ("email.failed", {"failed": {"reason": "no quota"}}, Confirmed.FAILED, "no quota"),
    ],
)
def test_what_resend_says(type: str, more: dict[str, Any], confirmed: Confirmed, reason: str | None) -> None:
    (event,) = resend.events_of(posted(signing.resend_body(type, "m-1", ID, **more)))
    assert event == Event("m-1", confirmed, reason, ID)


@pytest.mark.parametrize("type", ["email.sent", "email.delivery_delayed", "email.opened", "email.clicked", "x", None])
def test_what_resend_says_on_the_way_changes_nothing(type: Any) -> None:
    assert resend.events_of(posted(signing.resend_body(type, "m-1"))) == []


def test_our_id_is_found_in_tags_of_either_shape() -> None:
    listed = signing.resend_body("email.delivered", "m-1", tags=[{"name": "delivery", "value": str(ID)}])
    assert resend.events_of(posted(listed))[0].delivery == ID
    assert resend.events_of(posted(signing.resend_body("email.delivered", "m-1", "no id")))[0].delivery is None


@pytest.mark.parametrize(
    ("status", "code", "confirmed", "reason"),
    [
        ("delivered", None, Confirmed.DELIVERED, None),
        ("read", None, Confirmed.READ, None),
        ("undelivered", "30005", Confirmed.BOUNCED, "error 30005"),
        ("failed", "21610", Confirmed.BOUNCED, "error 21610"),
        ("undelivered", "30003", Confirmed.FAILED, "error 30003"),
        ("failed", "not a code", Confirmed.FAILED, "error not a code"),
        ("failed", None, Confirmed.FAILED, None),
    ],
)
def test_what_twilio_says(status: str, code: str | None, confirmed: Confirmed, reason: str | None) -> None:
    more = {} if code is None else {"ErrorCode": code}
    body = signing.twilio_body(MessageSid="SM1", MessageStatus=status, **more)
    assert twilio.events_of(posted(body)) == [Event("SM1", confirmed, reason)]


@pytest.mark.parametrize("status", ["accepted", "queued", "sending", "sent", "canceled", ""])
def test_what_twilio_says_on_the_way_changes_nothing(status: str) -> None:
    assert twilio.events_of(posted(signing.twilio_body(MessageSid="SM1", MessageStatus=status))) == []


def test_what_meta_says_of_several_messages() -> None:
    stopped = {"code": 131050, "title": "stopped", "error_data": {"details": "the person has stopped them"}}
    body = signing.meta_body(
        {"id": "a", "status": "sent", "timestamp": "1700000000"},
        {"id": "a", "status": "delivered", "timestamp": "1700000001"},
        {"id": "b", "status": "read", "timestamp": 1700000002},
        {"id": "c", "status": "failed", "errors": [{"code": 131047, "title": "too late"}]},
        {"id": "d", "status": "failed", "errors": [stopped]},
        {"id": 7, "status": "read"},
    )
    found = meta.events_of(posted(body))
    assert [(e.receipt, e.confirmed, e.reason) for e in found] == [
        ("a", Confirmed.DELIVERED, None),
        ("b", Confirmed.READ, None),
        ("c", Confirmed.FAILED, "131047 too late"),
        ("d", Confirmed.BOUNCED, "131050 the person has stopped them"),
    ]
    assert [e.at.timestamp() if e.at else None for e in found] == [1700000001, 1700000002, None, None]


def test_of_several_things_told_of_a_message_the_strongest_counts() -> None:
    told = [Event("a", Confirmed.READ), Event("a", Confirmed.DELIVERED), Event("b", Confirmed.FAILED)]
    assert strongest(told) == [Event("a", Confirmed.READ), Event("b", Confirmed.FAILED)]


def test_what_a_provider_says_can_always_be_stored() -> None:
    said = in_words("a\x00b\r\n c \ud800", 7, None, "x" * 1_000)
    assert said is not None
    assert "\x00" not in said
    assert "\n" not in said
    assert len(said.encode()) <= 1_000


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
RESEND_LIKE = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["email.bounced", "email.delivered", "email.failed", "email.suppressed"]) | anything,
        "data": st.fixed_dictionaries(
            {"email_id": st.text() | anything, "tags": anything, "bounce": anything, "failed": anything}
        )
        | anything,
    }
)
META_LIKE = st.fixed_dictionaries(
    {
        "entry": st.lists(
            st.fixed_dictionaries(
                {"changes": st.lists(st.fixed_dictionaries({"value": st.fixed_dictionaries({"statuses": anything})}))}
            ),
            max_size=2,
        )
        | anything
    }
)
STATUS_LIKE = st.fixed_dictionaries(
    {
        "id": st.text() | anything,
        "status": st.sampled_from(["failed", "read", "delivered"]) | anything,
        "timestamp": st.text() | anything,
        "errors": st.lists(st.fixed_dictionaries({"code": anything, "error_data": anything}), max_size=2) | anything,
    }
)


@given(st.binary(max_size=300) | (RESEND_LIKE | META_LIKE | anything).map(lambda value: json.dumps(value).encode()))
def test_no_body_breaks_a_reader(body: bytes) -> None:
    for provider in (resend, twilio, meta):
        for event in provider.events_of(posted(body)):
            _is_storable(event)


@given(STATUS_LIKE)
def test_no_status_breaks_the_reader_of_meta(status: dict[str, Any]) -> None:
    for event in meta.events_of(posted(signing.meta_body(status))):
        _is_storable(event)


@given(st.dictionaries(st.sampled_from(["MessageSid", "MessageStatus", "ErrorCode", "ErrorMessage"]), st.text()))
def test_no_form_breaks_the_reader_of_twilio(fields: dict[str, str]) -> None:
    body = signing.twilio_body(**{name: value.encode("utf-8", "replace").decode() for name, value in fields.items()})
    for event in twilio.events_of(posted(body)):
        _is_storable(event)


def _is_storable(event: Event) -> None:
    for text in (event.receipt, event.reason or ""):
        assert "\x00" not in text
        text.encode()
