"""Following up: where a matter was told of by Slack or push and is settled now, that is said there too.

A push takes the place of the one before, on the device; Slack gets a second message. Mail and SMS are left alone: they
would be one more interruption, about something that needs nobody any more.
"""

from __future__ import annotations

from typing import Any

from tidings.kit.db import Connection
from tidings.spine.channels.port import Channel
from tidings.spine.notify.audience import By, Selector
from tidings.spine.notify.listeners import Heard, Listener
from tidings.spine.notify.matters.model import Action, Settlement
from tidings.spine.notify.matters.tried import SETTLEMENT, settlement_of
from tidings.spine.notify.matters.words import handled, when
from tidings.spine.notify.saying import Notice

CHANNELS = (Channel.PUSH, Channel.SLACK)
_NAME = "matters.follow_up"

# Whatever may have arrived counts as told: what is on its way, what nobody knows the end of, and what was, for an
# attempt, one or the other, whatever became of it since. Whoever was told of a matter more than once (an escalation) is
# followed up once, in the words of what they were told first.
_TRIED = """EXISTS (SELECT FROM tidings.delivery_attempts t
            WHERE t.delivery_id = {0}.id AND t.outcome IN ('sent', 'unknown', 'crashed'))"""
_TOLD = f"""
SELECT t.channel, array_agg(t.person_id::text ORDER BY t.person_id) AS people, coalesce(e.title, n.title) AS title,
    n.category, n.properties ->> 'locale' AS locale, n.properties ->> 'timezone' AS timezone
FROM (
    SELECT DISTINCT ON (d.channel, d.person_id) d.channel, d.person_id, o.id
    FROM tidings.notices o CROSS JOIN LATERAL (
        SELECT f.channel, f.person_id FROM tidings.notifications m JOIN tidings.deliveries_finished f
            ON f.notification_id = m.id
        WHERE m.notice_id = o.id AND (f.status = 'sent' OR {_TRIED.format("f")})
        UNION ALL
        SELECT w.channel, w.person_id FROM tidings.notifications m JOIN tidings.deliveries w ON w.notification_id = m.id
        WHERE m.notice_id = o.id AND (w.status IN ('processing', 'held') OR {_TRIED.format("w")})
    ) d
    WHERE o.tenant = $1 AND o.matter = $2 AND o.actions <> '{{}}' AND d.channel = ANY ($3::text[])
    ORDER BY d.channel, d.person_id, o.id
) t JOIN tidings.notices n ON n.id = t.id
    LEFT JOIN tidings.notices e ON e.id = (n.properties ->> 'escalates')::uuid
GROUP BY t.channel, n.id, e.title ORDER BY t.channel, n.id
"""


async def follow_up(connection: Connection, fact: Heard) -> list[Notice]:
    """Of what was withdrawn, whoever withdrew it tells."""
    matter = fact.data["matter"]
    row = await connection.fetchrow(
        f"SELECT {SETTLEMENT} WHERE h.tenant = $1 AND h.matter = $2 AND h.won", fact.tenant, matter
    )
    if row is None or row["action"] == Action.WITHDRAWN:
        return []
    told = await connection.fetch(_TOLD, fact.tenant, matter, [str(channel) for channel in CHANNELS])
    return [_notice(each, settlement_of(row)) for each in told]


def _notice(told: Any, settlement: Settlement) -> Notice:
    """By whom, how and when: it may come late."""
    said = handled(told["locale"], settlement.person, settlement.action)
    return Notice(
        told["title"],
        f"{said}\n{when(told['locale'], told['timezone'], settlement.at)}",
        [Selector(By.PERSON, tuple(told["people"]))],
        [told["channel"]],
        category=told["category"],
        matter=settlement.matter,
        filed=True,
    )


FOLLOW_UP = Listener(_NAME, ("matter.settled",), follow_up, asking=True)
