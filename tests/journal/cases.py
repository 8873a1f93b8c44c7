"""Good and bad input, one table for every way of emitting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from tidings.kit.errors import Forbidden, NotFound, TidingsError, TooLarge, ValidationFailed
from tidings.spine.journal.facts import NewFact

MAX_BYTES = 262_144
MAX_DEPTH = 64
NOW = datetime.now(UTC)

_TYPE = "type: must be lower-case words joined by dots, such as order.paid, of 200 characters at most"
_OBJECT = "data: must be a JSON object"
_STREAM_TYPE = "stream: type must be one lower-case word of 100 characters at most"
_STREAM_ID = "stream: id must have 1 to 255 characters"
_BOTH = "stream: needs both a type and an id, or neither"
_KEY = "key: must have 1 to 512 characters"
_TIME = "runAt: must be less than a year ago and less than ten years ahead"
_METADATA = "metadata: must be a JSON object of 4096 bytes at most"
_TENANT = "tenant: there is no such tenant"


@dataclass(frozen=True)
class Refused:
    """What a way must answer. Where `detail` is None, ways find it in places of their own and say it in other words."""

    error: type[TidingsError]
    detail: str | None


def invalid(detail: str | None) -> Refused:
    return Refused(ValidationFailed, detail)


def nested(levels: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(levels):
        value = {"in": value}
    return {"in": value}


def sized(octets: int) -> dict[str, Any]:
    """Data that takes so many bytes as PostgreSQL writes it."""
    return {"x": "y" * (octets - len('{"x": ""}'))}


def fact(type: Any = "order.paid", **fields: Any) -> NewFact:
    return NewFact(type, **fields)


GOOD: Mapping[str, NewFact] = {
    "only a type": fact(),
    "everything": fact(
        data={"order": 7, "lines": [{"sku": "a", "price": 1.5}], "gift": None, "paid": True},
        stream=("order", 7),
        key="order.paid:7",
        run_at=NOW + timedelta(days=1),
        metadata={"actor": "user:7", "correlation_id": "c-1"},
    ),
    "a long type": fact("a." + "b" * 198),
    "many words": fact("order.line_2.paid_late"),
    "every script": fact(data={"Ünïcödé": "שלום 你好 🎉 \u2028 \x7f"}, stream=("order", "🎉"), key="ключ"),
    "what looks like an escape": fact(data={"path": "C:\\u0000", "quote": '\\"'}),
    "control characters": fact(data={"text": "a\tb\nc\rd\x01"}),
    "great numbers": fact(data={"double": 1.7976931348623157e308, "small": 5e-324, "integer": 2**63, "negative": -0.0}),
    "the largest data": fact(data=sized(MAX_BYTES)),
    "the deepest data": fact(data=nested(MAX_DEPTH - 2)),
    "the longest stream": fact(stream=("s" * 100, "i" * 255)),
    "the longest key": fact(key="k" * 512),
    "a key with wildcards": fact(key="a_b%c|d:e"),
    "almost a year ago": fact(run_at=NOW - timedelta(days=364)),
    "almost ten years ahead": fact(run_at=NOW + timedelta(days=3650)),
    "another timezone": fact(run_at=NOW.astimezone(timezone(timedelta(hours=5, minutes=45)))),
    "another tenant": fact(tenant="acme", key="order.paid:7"),
}

BAD: Mapping[str, tuple[NewFact, Refused]] = {
    "an empty type": (fact(""), invalid(_TYPE)),
    "one word": (fact("paid"), invalid(_TYPE)),
    "capitals": (fact("Order.Paid"), invalid(_TYPE)),
    "an empty word": (fact("order..paid"), invalid(_TYPE)),
    "a space": (fact("order.paid "), invalid(_TYPE)),
    "a line break": (fact("order.paid\n"), invalid(_TYPE)),
    "a digit first": (fact("order.2paid"), invalid(_TYPE)),
    "a letter with an accent": (fact("ordér.paid"), invalid(_TYPE)),
    "a type too long": (fact("a." + "b" * 199), invalid(_TYPE)),
    "a module's type": (
        fact("event.created"),
        Refused(Forbidden, "type: event.created is reserved: only the module it belongs to may emit it"),
    ),
    "our own type": (
        fact("tidings.started"),
        Refused(Forbidden, "type: tidings.started is reserved: only the module it belongs to may emit it"),
    ),
    "data that is a list": (fact(data=[1]), invalid(_OBJECT)),
    "data that is text": (fact(data="{}"), invalid(_OBJECT)),
    "data that is null": (fact(data=None), invalid(_OBJECT)),
    "data too large": (
        fact(data=sized(MAX_BYTES + 1)),
        Refused(TooLarge, f"data: is {MAX_BYTES + 1} bytes as JSON; the limit is {MAX_BYTES}"),
    ),
    "data too deep": (fact(data=nested(MAX_DEPTH)), invalid(f"data: is nested deeper than {MAX_DEPTH} levels")),
    "data much too deep": (fact(data=nested(900)), invalid(None)),
    "a number too great": (fact(data={"n": 10**309}), invalid("data: holds a number that does not fit a double")),
    "a number much too small": (
        fact(data={"n": -(10**400)}),
        invalid("data: holds a number that does not fit a double"),
    ),
    "NaN": (fact(data={"n": float("nan")}), invalid(None)),
    "infinity": (fact(data={"n": [float("-inf")]}), invalid(None)),
    "NUL in data": (fact(data={"text": "a\0b"}), invalid(None)),
    "NUL in the name of a field": (fact(data={"a\0": 1}), invalid(None)),
    "half a surrogate pair in data": (fact(data={"text": "\ud83c"}), invalid(None)),
    "NUL in a key": (fact(key="a\0"), invalid(None)),
    "NUL in a stream": (fact(stream=("order", "\0")), invalid(None)),
    "NUL in a type": (fact("order.paid\0"), invalid(None)),
    "half a surrogate pair in a key": (fact(key="\ud83c"), invalid(None)),
    "a stream without an id": (fact(stream=("order", None)), invalid(_BOTH)),
    "a stream without a type": (fact(stream=(None, "7")), invalid(_BOTH)),
    "a stream of two words": (fact(stream=("order.line", "7")), invalid(_STREAM_TYPE)),
    "a stream type too long": (fact(stream=("s" * 101, "7")), invalid(_STREAM_TYPE)),
    "an empty stream id": (fact(stream=("order", "")), invalid(_STREAM_ID)),
    "a stream id too long": (fact(stream=("order", "i" * 256)), invalid(_STREAM_ID)),
    "an empty key": (fact(key=""), invalid(_KEY)),
    "a key too long": (fact(key="k" * 513), invalid(_KEY)),
    "long ago": (fact(run_at=NOW - timedelta(days=367)), invalid(_TIME)),
    "far ahead": (fact(run_at=NOW + timedelta(days=3654)), invalid(_TIME)),
    "the beginning of time": (fact(run_at=datetime.min.replace(tzinfo=UTC)), invalid(_TIME)),
    "the end of time": (fact(run_at=datetime.max.replace(tzinfo=UTC)), invalid(_TIME)),
    "metadata that is a list": (fact(metadata=[]), invalid(_METADATA)),
    "metadata too large": (fact(metadata={"note": "a" * 4090}), invalid(_METADATA)),
    "a cause that is no id": (
        fact(metadata={"causation_id": "7"}),
        invalid("metadata: causation_id must be the id of a fact"),
    ),
    "a cause that is not there": (
        fact(metadata={"causation_id": "00000000-0000-7000-8000-000000000000"}),
        invalid("metadata: causation_id names no fact of this tenant"),
    ),
    "an unknown tenant": (fact(tenant="nobody"), Refused(NotFound, _TENANT)),
    "an empty tenant": (fact(tenant=""), Refused(NotFound, _TENANT)),
}
