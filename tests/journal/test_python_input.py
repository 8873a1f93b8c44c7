"""What Python has and JSON has not is refused before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
import pytest

import tidings
from tests.journal.cases import fact
from tidings import Fault, NewFact, NewIntent, ValidationFailed

_CIRCULAR: list[object] = []
_CIRCULAR.append(_CIRCULAR)

REFUSED: dict[str, tuple[NewFact, Fault]] = {
    "a set": (fact(data={"x": {1, 2}}), Fault("data", "holds a set, which JSON has no form for")),
    "bytes": (fact(data={"x": b"1"}), Fault("data", "holds a bytes, which JSON has no form for")),
    "a datetime": (fact(data={"x": datetime.now(UTC)}), Fault("data", "holds a datetime, which JSON has no form for")),
    "a UUID": (fact(data={"x": UUID(int=0)}), Fault("data", "holds a UUID, which JSON has no form for")),
    "a Decimal": (fact(data={"x": Decimal(1)}), Fault("data", "holds a Decimal, which JSON has no form for")),
    "an object": (fact(data={"x": object()}), Fault("data", "holds a object, which JSON has no form for")),
    "a key that is a tuple": (fact(data={(1, 2): 1}), Fault("data", "has a key that is not text")),
    "a circle": (fact(data={"x": _CIRCULAR}), Fault("data", "is nested too deep")),
    "ten thousand digits": (
        fact(data={"x": 10**10_000}),
        Fault("data", "holds a number that does not fit a double"),
    ),
    "a set in metadata": (fact(metadata={"x": {1}}), Fault("metadata", "holds a set, which JSON has no form for")),
    "no timezone": (fact(run_at=datetime(2030, 1, 1)), Fault("runAt", "needs a timezone")),  # noqa: DTZ001
    "a date": (fact(run_at=date(2030, 1, 1)), Fault("runAt", "must be a datetime")),
    "a time as text": (fact(run_at="2030-01-01T00:00:00Z"), Fault("runAt", "must be a datetime")),
    "a type that is no text": (fact(7), Fault("type", "must be text")),
    "a tenant that is None": (fact(tenant=None), Fault("tenant", "must be text")),
    "a key that is no text": (fact(key=7), Fault("key", "must be text")),
    "a stream that is text": (fact(stream="order"), Fault("stream", "needs both a type and an id, or neither")),
    "a stream of three": (fact(stream=("a", "b", "c")), Fault("stream", "needs both a type and an id, or neither")),
    "a stream type that is no text": (fact(stream=(7, "a")), Fault("stream", "must be text")),
}


@pytest.fixture
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url) as connection:
        yield connection


def _refused(call: Any, *arguments: Any, **named: Any) -> Fault:
    with pytest.raises(ValidationFailed) as caught:
        call(*arguments, **named)
    (fault,) = caught.value.faults
    assert caught.value.detail == f"{fault.field}: {fault.message}"
    return fault


def test_it_is_refused_with_the_field_and_the_connection_stays_usable(connection: psycopg.Connection) -> None:
    answers = {name: _refused(tidings.emit_many, connection, [fact(), given]) for name, (given, _) in REFUSED.items()}
    assert answers == {name: fault for name, (_, fault) in REFUSED.items()}
    tidings.emit(connection, "order.paid")


def test_intents_are_checked_likewise(connection: psycopg.Connection) -> None:
    payload = {"x": {1}}
    assert _refused(tidings.schedule, connection, "a.b", payload).field == "payload"
    assert _refused(tidings.schedule_many, connection, [NewIntent("a.b", payload)]).field == "payload"
    assert _refused(tidings.schedule, connection, "a.b", run_at=datetime(2030, 1, 1)).field == "runAt"  # noqa: DTZ001
    assert _refused(tidings.move, connection, "a.b", key="k", shift=5) == Fault("shift", "must be a timedelta")
    assert _refused(tidings.cancel, connection, "a.b", key="\0").field == "key"


def test_what_the_database_refuses_keeps_the_drivers_error_as_its_cause(connection: psycopg.Connection) -> None:
    with pytest.raises(ValidationFailed, match=re.escape("key: must have 1 to 512 characters")) as caught:
        tidings.emit(connection, "order.paid", key="")
    assert caught.value.faults == (Fault("key", "must have 1 to 512 characters"),)
    assert isinstance(caught.value.__cause__, psycopg.Error)


def test_any_mapping_will_do_as_data_and_ids_become_text(connection: psycopg.Connection) -> None:
    data = MappingProxyType({"n": 1})
    fact_id = tidings.emit(connection, "order.paid", data, stream=("order", UUID(int=7)), metadata=data)
    row = connection.execute("SELECT data, metadata, stream_id FROM tidings.facts WHERE id = %s", (fact_id,)).fetchone()
    assert row == ({"n": 1}, {"n": 1}, str(UUID(int=7)))


def test_a_time_in_any_zone_is_the_same_moment(connection: psycopg.Connection) -> None:
    moment = datetime.now(ZoneInfo("Asia/Kathmandu")) + timedelta(days=3)
    odd = moment.astimezone(ZoneInfo("Africa/Monrovia"))
    for given in (moment, odd):
        fact_id = tidings.emit_many(connection, [replace(fact(), run_at=given)])[0]
        assert connection.execute("SELECT run_at FROM tidings.outbox WHERE id = %s", (fact_id,)).fetchone() == (moment,)
