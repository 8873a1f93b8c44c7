from __future__ import annotations

from datetime import timedelta

import pytest

from tests.channels.times import NOW
from tidings.spine.channels.answers import (
    blaming_the_address,
    in_short,
    json_object,
    outcome_of_status,
    retry_after,
)
from tidings.spine.channels.port import Answer, Blame, Deferred, Rejected, Unknown

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("0", timedelta(0)),
        ("7", timedelta(seconds=7)),
        (" 120 ", timedelta(minutes=2)),
        ("1.5", timedelta(seconds=1.5)),
        ("3600", HOUR),
        ("86400", HOUR),
        ("999999999999", HOUR),
        ("Mon, 16 Nov 2026 12:00:30 GMT", timedelta(seconds=30)),
        ("Mon, 16 Nov 2026 12:00:30 -0000", timedelta(seconds=30)),
        ("Tue, 16 Nov 2027 12:00:00 GMT", HOUR),
        ("Mon, 16 Nov 2026 11:59:00 GMT", None),
        ("-5", None),
        ("", None),
        ("soon", None),
        ("1e400", None),
        ("nan", None),
        ("9" * 400, None),
        ("Mon, 99 Nov 2026 12:00:30 GMT", None),
        ("Mon, 16 Nov 99999 12:00:30 GMT", None),
        ("7; 8", None),
        ("٧", None),
    ],
)
def test_how_long_a_server_asks_to_wait(said: str, wait: timedelta | None) -> None:
    assert retry_after({"retry-after": said}, NOW) == wait


def test_a_server_that_asks_for_nothing_gets_nothing() -> None:
    assert retry_after({}, NOW) is None


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_success_is_left_to_the_adapter(status: int) -> None:
    assert outcome_of_status(Answer(status, {}, b""), NOW) is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 599])
def test_what_may_pass_is_deferred(status: int) -> None:
    found = outcome_of_status(Answer(status, {"retry-after": "7"}, b""), NOW, blame=Blame.ADDRESS)
    assert found == Deferred(f"answered {status}", after=timedelta(seconds=7), blame=Blame.ADDRESS)


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_may_be_put_right(status: int) -> None:
    found = outcome_of_status(Answer(status, {}, b""), NOW)
    assert found == Deferred(f"credentials refused ({status})", blame=Blame.PROVIDER)


@pytest.mark.parametrize("status", [301, 302, 304, 307, 308, 400, 404, 405, 409, 413, 415, 422, 451])
def test_what_will_not_pass_is_rejected(status: int) -> None:
    assert isinstance(outcome_of_status(Answer(status, {}, b""), NOW), Rejected)


def test_a_reason_has_the_providers_words_printable_and_short() -> None:
    assert in_short("answered 400", "bad\r\n\x1b[0m  field") == "answered 400: bad [0m field"
    assert len(in_short("answered 400", "x" * 10_000)) == 300
    assert in_short("answered 400") == "answered 400"


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b'"x"', b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_an_empty_one(body: bytes) -> None:
    assert json_object(Answer(200, {}, body)) == {}


def test_only_what_is_deferred_has_somebody_to_blame() -> None:
    assert blaming_the_address(Deferred("x")) == Deferred("x", blame=Blame.ADDRESS)
    assert blaming_the_address(Unknown("x")) == Unknown("x", Blame.ADDRESS)
