"""`tidings trace`: everything that one fact caused, as a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, TypeVar
from uuid import UUID

import typer

from tidings.api.shown.seeing import shown_trace
from tidings.cli.context import (
    JsonOption,
    TenantOption,
    located_settings,
    require_tenant,
    run_async,
    show,
    transaction,
    utc,
)
from tidings.spine.delivery.seeing.deliveries import DeliverySeen, Try
from tidings.spine.delivery.seeing.trace import IntentTraced, NoticeTraced, NotificationTraced, Trace, Traces
from tidings.spine.delivery.seeing.wording import place

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.command("trace")(trace)


def trace(
    fact: Annotated[UUID, typer.Argument(help="the fact's id", metavar="FACT")],
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Everything that one fact caused: intents, listeners, notices, notifications, deliveries and their attempts."""

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            found = await Traces(connection, tenant).of(fact)
        show(shown_trace(found), as_json, "\n".join(_tree(found)))

    run_async(run())


def _tree(found: Trace) -> Iterator[str]:
    """Times in UTC. What belongs to something stands below it, further in."""
    yield f"{utc(found.fact.occurred_at)}  {found.fact.type}  {found.fact.id}"
    for intent in found.intents:
        if intent.notice_id is None:
            yield f"  {_intent(intent)}"
    for heard in found.listeners:
        name = heard.listener if heard.rule is None else f"rule {heard.rule!r} version {heard.rule_version}"
        yield f"  {utc(heard.at)}  {name}: {heard.verdict}"
    yield from _notices(found)
    for fact in found.facts:
        yield f"  {utc(fact.occurred_at)}  {fact.type}  {fact.id}"
    if found.truncated:
        yield "  There are more people than are shown here."


def _notices(found: Trace) -> Iterator[str]:
    people: dict[UUID, list[NotificationTraced]] = defaultdict(list)
    for each in found.notifications:
        people[each.notice_id].append(each)
    deliveries: dict[UUID, list[DeliverySeen]] = defaultdict(list)
    for delivery in found.deliveries:
        deliveries[delivery.notification_id].append(delivery)
    for notice in found.notices:
        yield f"  {utc(notice.run_at)}  notice {_one_line(notice.title)!r}  {_tally(notice)}"
        yield from (f"    {_intent(intent)}" for intent in found.intents if intent.notice_id == notice.id)
        for person in people[notice.id]:
            yield f"    {utc(person.created_at)}  {person.person_name or person.person_id}{_without(person)}"
            for delivery in deliveries[person.id]:
                yield from _delivery(delivery)


def _without(person: NotificationTraced) -> str:
    if person.routed and not person.targets:
        return "  none of the integrations that they chose is there and in use"
    return f"  no address for {', '.join(person.missing)}" if person.missing else ""


def _delivery(it: DeliverySeen) -> Iterator[str]:
    at = it.finished_at or it.run_at
    receipt = f"  {it.receipt}" if it.receipt else ""
    later = f"  {it.confirmed} {utc(it.confirmed_at)}" if it.confirmed else ""
    to = place(it.channel, it.address)
    yield f"      {utc(at)}  {it.channel} to {to} through {it.provider.name}: {it.status}{receipt}{later}"
    yield from (f"        {_try(each)}" for each in it.tries)


def _try(each: Try) -> str:
    took = "" if each.took is None else f" in {each.took.total_seconds():.2f} s"
    return f"{utc(each.ended_at)}  {each.outcome}{took}{f': {_one_line(each.reason)}' if each.reason else ''}"


def _intent(intent: IntentTraced) -> str:
    error = f": {_one_line(intent.last_error)}" if intent.last_error else ""
    return f"{utc(intent.finished_at or intent.run_at)}  {intent.kind}: {intent.status}{error}"


def _tally(notice: NoticeTraced) -> str:
    tally = notice.tally
    counts = {
        "person" if tally.people == 1 else "people": tally.people,
        "without a target": tally.no_target,
        "open": tally.open,
        "sent": tally.sent,
        "skipped": tally.skipped,
        "failed": tally.failed,
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nobody"


def _one_line(text: str) -> str:
    return " ".join(text.split())
