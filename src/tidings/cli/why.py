"""`tidings why`: why somebody did or did not get something, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from typing import Annotated
from uuid import UUID

import typer

from tidings.api.shown.seeing import shown_why
from tidings.cli.context import (
    JsonOption,
    TenantOption,
    located_settings,
    parse_time,
    require_tenant,
    run_async,
    show,
    transaction,
)
from tidings.kit.errors import ValidationFailed
from tidings.spine.delivery.seeing.causes import Answer
from tidings.spine.delivery.seeing.why import Explanation, Why, span

_GOT = {"yes": "got it", "no": "did not get it", "not_yet": "did not get it yet", "unknown": "may have got it"}


def register(app: typer.Typer) -> None:
    app.command("why")(why)


def why(
    person: Annotated[str, typer.Argument(help="an id, an external id or an e-mail address", metavar="PERSON")],
    fact: Annotated[UUID | None, typer.Option(help="the id of the fact; without it, by time")] = None,
    category: Annotated[str | None, typer.Option(help="only what is of this category")] = None,
    since: Annotated[str | None, typer.Option(help="without a fact: from this time on; a week ago")] = None,
    until: Annotated[str | None, typer.Option(help="without a fact: before this time; now")] = None,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Why this person did or did not get something: of a fact, or over a time."""
    if fact is not None and (since or until):
        raise ValidationFailed("--fact: goes with neither --since nor --until")
    begin = None if since is None else parse_time("--since", since)
    end = None if until is None else parse_time("--until", until)

    async def run() -> None:
        async with transaction(located_settings()) as connection:
            await require_tenant(connection, tenant)
            asking = Why(connection, tenant)
            if fact is not None:
                found = await asking.of_fact(person, fact, category)
            else:
                found = await asking.over(person, *span(begin, end, datetime.now(UTC)), category)
        show(shown_why(found), as_json, "\n".join(_told(found)))

    run_async(run())


def _told(found: Explanation) -> Iterator[str]:
    name = found.who.name or str(found.who.id)
    for matter in found.matters:
        about = "" if matter.fact is None else f" ({matter.fact.type} {matter.fact.id})"
        yield f"{name} {_GOT[matter.got]}{about}."
        said: Sequence[str] = ()
        for answer in matter.answers:
            yield f"  {_heading(answer)}"
            yield from (f"    {' '.join(sentence.split())}" for sentence in answer.sentences[_shared(said, answer) :])
            said = answer.sentences
    if found.truncated:
        yield "There is more; ask for a shorter time."


def _shared(before: Sequence[str], answer: Answer) -> int:
    """How many sentences it begins with that were just said of another channel; never its last, which decided."""
    pairs = zip(before, answer.sentences[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _heading(answer: Answer) -> str:
    about = answer.about
    by = about.rule or about.listener
    return ", ".join(part for part in (answer.cause.value, by, about.channel) if part)
