"""For your own tests: run what is due, and look what was emitted.

The plain names are called, those with an `a` are awaited, as everywhere in Tidings::

    def test_a_new_lead_is_welcomed(session, database_url):
        create_lead(session, name="Ada")
        assert_emitted(session, "lead.created", {"name": "Ada"})
        session.commit()
        assert drain_outbox(database_url, myapp.handlers) == {"succeeded": 1}
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from tidings.app.worker import build_leases
from tidings.kit import db
from tidings.kit.callers import Call, aask, ask
from tidings.kit.callers.texts import json_text, plain_text
from tidings.kit.settings import DatabaseSettings, Settings
from tidings.spine.outbox.handlers import Function, Handlers, Kind, declared_in
from tidings.spine.outbox.lanes import Lanes
from tidings.spine.outbox.leasing import OUTBOX
from tidings.spine.outbox.pump import Pump

HandlerSource: TypeAlias = Function | ModuleType | Kind | str
"""A function declared with `tidings.handler`, a module that holds some, or the module's name."""

_LEASE = timedelta(hours=1)  # nobody renews: what a test runs may sit in a debugger
_BRING_FORWARD = """
UPDATE tidings.outbox SET run_at = now()
WHERE kind = ANY ($1) AND status IN ('pending', 'failed') AND run_at > now() AND run_at <= now() + $2
  AND id <> ALL ($3) RETURNING id
"""


def drain_outbox(
    database: str | Settings, *handlers: HandlerSource, ahead: timedelta | None = None
) -> Mapping[str, int]:
    """Runs everything that is due with these handlers, and what that causes in turn, until nothing is due.

    `database` is a `postgresql://` address, or settings. With `ahead`, what falls due within that time is brought
    forward and run too, each intent once: so what recurs runs once, and what fails is tried once more. Returns how
    many intents came to which outcome: `succeeded`, `failed`, `dead`, `again` or `givenback`.

    Kinds without a handler here wait, as they do for a worker. Handlers run in this process, on a loop of their own.
    """
    return asyncio.run(adrain_outbox(database, *handlers, ahead=ahead))


async def adrain_outbox(
    database: str | Settings, *handlers: HandlerSource, ahead: timedelta | None = None
) -> Mapping[str, int]:
    """As `drain_outbox`, on the loop of the caller."""
    settings = Settings(database=DatabaseSettings(url=database)) if isinstance(database, str) else database
    settings = settings.model_copy(update={"outbox": settings.outbox.model_copy(update={"lease": _LEASE})})
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="testing")
    leases = build_leases(settings, pool, uuid4())
    pumps = {kind.name: Pump(kind, settings.outbox, leases) for kind in Handlers().including(_kinds(handlers))}
    runs = [asyncio.create_task(pump.run()) for pump in pumps.values()]
    try:
        await _drain(Lanes(pool, OUTBOX), pumps, runs, ahead)
    finally:
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        await pool.close()
    return dict(_outcomes(pumps))


async def _drain(
    lanes: Lanes, pumps: Mapping[str, Pump], runs: Iterable[asyncio.Task[None]], ahead: timedelta | None
) -> None:
    """Round after round until one settles nothing: what is due then waits behind a dead head of its stream."""
    brought: list[UUID] = []
    while True:
        before = _outcomes(pumps).total()
        if ahead is not None:
            rows = await lanes.pool.fetch(_BRING_FORWARD, list(pumps), ahead, brought)
            brought += [row["id"] for row in rows]
        due = await lanes.look(pumps)
        for kind, tenants in due.lanes.items():
            pumps[kind].queue.revisit(tenants)
            pumps[kind].offer(tenants, due.began, afresh=True)
        while any(pump.queue or pump.leasing or pump.held for pump in pumps.values()):
            _raise_what_failed(runs)
            await asyncio.sleep(0.001)
        if _outcomes(pumps).total() == before:
            return


def _outcomes(pumps: Mapping[str, Pump]) -> Counter[str]:
    return sum((pump.outcomes for pump in pumps.values()), Counter())


def _raise_what_failed(runs: Iterable[asyncio.Task[None]]) -> None:
    for run in runs:
        if run.done():
            run.result()


def _kinds(sources: Iterable[HandlerSource]) -> Iterator[Kind]:
    modules = [import_module(source) if isinstance(source, str) else source for source in sources]
    yield from (source for source in modules if isinstance(source, Kind))
    yield from declared_in(
        value
        for source in modules
        for value in (vars(source).values() if isinstance(source, ModuleType) else (source,))
    )


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
