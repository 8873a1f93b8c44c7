"""What is said to the broker: a fact, whole, as the API shows it; or the id of a delivery.

A fact is a public message, which anybody may consume. Its header `tidings-rows` is our own: which row waits for it in
each kind of ours, so that whoever gets it need not search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from tidings.kit.json_output import dump, raw
from tidings.spine.journal.reading import Fact

if TYPE_CHECKING:
    from pamqp.common import FieldValue

ROWS = "tidings-rows"
SEQ = "tidings-seq"
TENANT = "tidings-tenant"


Headers: TypeAlias = "dict[str, FieldValue]"


@dataclass(frozen=True)
class Letter:
    """A message that is not sent yet. `mandatory`: somebody of ours is to get it."""

    id: UUID
    exchange: str
    key: str
    type: str
    body: bytes
    mandatory: bool
    headers: Headers = field(default_factory=dict)
    written_at: datetime | None = None


def letter_of_fact(fact: Fact, exchange: str, rows: Mapping[str, UUID], *, mandatory: bool) -> Letter:
    """`rows`: for each kind that hears of the fact, the id of its intent."""
    stream = None if fact.stream_type is None else {"type": fact.stream_type, "id": fact.stream_id}
    body = {
        "id": fact.id,
        "seq": fact.seq,
        "tenant": fact.tenant,
        "type": fact.type,
        "stream": stream,
        "streamVersion": fact.stream_version,
        "data": raw(fact.data),
        "metadata": raw(fact.metadata),
        "occurredAt": fact.occurred_at,
    }
    named: Headers = {kind: str(row) for kind, row in rows.items()}
    headers: Headers = {TENANT: fact.tenant, SEQ: fact.seq, **({ROWS: named} if named else {})}
    return Letter(fact.id, exchange, fact.type, fact.type, dump(body), mandatory, headers, fact.occurred_at)


def letter_of_delivery(id: UUID, tenant: str, channel: str, exchange: str) -> Letter:
    body = dump({"id": id, "tenant": tenant, "channel": channel})
    return Letter(id, exchange, channel, "delivery", body, mandatory=True)


def row_named(message_id: str | None, headers: Mapping[str, object], kind: str, *, by_header: bool) -> UUID | None:
    """The id of the row that a message names, for those who serve this kind; None where it names none."""
    rows = headers.get(ROWS)
    named = (rows.get(kind) if isinstance(rows, Mapping) else None) if by_header else message_id
    try:
        return UUID(named) if isinstance(named, str) else None
    except ValueError:
        return None
