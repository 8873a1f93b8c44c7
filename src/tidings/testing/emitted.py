"""What was emitted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tidings.kit.callers import Call, aask, ask
from tidings.kit.callers.texts import json_text, plain_text


class _Matching(Call):
    """How many facts match, and the last ones of that type, as JSON."""

    def _sql(self, places: Iterable[str]) -> str:
        tenant, name, data = places
        return f"""
        SELECT json_build_object('matching', count(*) FILTER (WHERE f.data @> wanted.data), 'all', count(*),
            'last', (array_agg(f.data ORDER BY f.seq DESC))[:5])::text
        FROM (SELECT {tenant}::text AS tenant, {name}::text AS type, {data}::text::jsonb AS data) wanted
        JOIN tidings.facts f ON f.tenant = wanted.tenant AND f.type = wanted.type"""


_MATCHING = _Matching("facts", (("tenant", "text"), ("type", "text"), ("data", "text")), "text")


def assert_emitted(
    connection: object,
    type: str,
    data: Mapping[str, Any] | None = None,
    *,
    tenant: str = "default",
    times: int | None = None,
) -> None:
    """Fails unless a fact of this type was emitted whose data holds at least `data`; with `times`, exactly so often.

    Takes the connections that `tidings.emit` takes, and sees what their transaction sees: also what is not committed
    yet. The connection's user must be able to read `tidings.facts`: its owner, or a superuser.
    """
    found = ask(connection, "assert_emitted", _MATCHING, _arguments(type, data, tenant), own_transaction=True)
    _check(json.loads(found), type, data, tenant, times)


async def aassert_emitted(
    connection: object,
    type: str,
    data: Mapping[str, Any] | None = None,
    *,
    tenant: str = "default",
    times: int | None = None,
) -> None:
    """As `assert_emitted`, on the connections that `tidings.aemit` takes."""
    found = await aask(connection, "aassert_emitted", _MATCHING, _arguments(type, data, tenant), own_transaction=True)
    _check(json.loads(found), type, data, tenant, times)


def _arguments(type: str, data: Mapping[str, Any] | None, tenant: str) -> tuple[str | None, ...]:
    return plain_text("tenant", tenant), plain_text("type", type), json_text("data", data or {})


def _check(found: Mapping[str, Any], type: str, data: Mapping[str, Any] | None, tenant: str, times: int | None) -> None:
    count = found["matching"]
    if count == times or (times is None and count):
        return
    wanted = "at least once" if times is None else f"{times} times"
    with_data = f" with {json.dumps(data, ensure_ascii=False)}" if data else ""
    last = "; the last: " + ", ".join(json.dumps(d, ensure_ascii=False) for d in found["last"]) if found["all"] else ""
    raise AssertionError(
        f"expected {type}{with_data} {wanted} in tenant {tenant}, found {count}, and {found['all']} of that type{last}"
    )
