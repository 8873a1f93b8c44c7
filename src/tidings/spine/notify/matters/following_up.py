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
from tidings.spine.notify.matters.model import Action
from tidings.spine.notify.matters.words import handled
from tidings.spine.notify.saying import Notice

CHANNELS = (Channel.PUSH, Channel.SLACK)
_NAME = "matters.follow_up"

# On its way, or perhaps arrived, counts as told. Whoever was told of a matter more than once (an escalation) is
# followed up once, in the words of what they were told first.
_TOLD = """
SELECT t.channel, array_agg(t.person_id::text ORDER BY t.person_id) AS people, coalesce(e.title, n.title) AS title,
    n.category, n.properties ->> 'locale' AS locale
FROM (
    SELECT DISTINCT ON (d.channel, d.person_id) d.channel, d.person_id, o.id
    FROM tidings.notices o CROSS JOIN LATERAL (
        SELECT f.channel, f.person_id FROM tidings.notifications m JOIN tidings.deliveries_finished f
            ON f.notification_id = m.id WHERE m.notice_id = o.id AND f.status = 'sent'
        UNION ALL
        SELECT w.channel, w.person_id FROM tidings.notifications m JOIN tidings.deliveries w ON w.notification_id = m.id
        WHERE m.notice_id = o.id AND w.status IN ('processing', 'held')
    ) d
    WHERE o.tenant = $1 AND o.matter = $2 AND o.actions <> '{}' AND d.channel = ANY ($3::text[])
    ORDER BY d.channel, d.person_id, o.id
) t JOIN tidings.notices n ON n.id = t.id
    LEFT JOIN tidings.notices e ON e.id = (n.properties ->> 'escalates')::uuid
GROUP BY t.channel, n.id, e.title ORDER BY t.channel, n.id
"""


async def follow_up(connection: Connection, fact: Heard) -> list[Notice]:
    """Of what was withdrawn, whoever withdrew it tells."""
    matter, person, action = fact.data["matter"], fact.data["personId"], Action(fact.data["action"])
    if action is Action.WITHDRAWN:
        return []
    name = await connection.fetchval(
        "SELECT name FROM tidings.people WHERE tenant = $1 AND id = $2::text::uuid", fact.tenant, person
    )
    told = await connection.fetch(_TOLD, fact.tenant, matter, [str(channel) for channel in CHANNELS])
    return [_notice(row, handled(row["locale"], name, action), matter) for row in told]


def _notice(told: Any, body: str, matter: str) -> Notice:
    return Notice(
        told["title"],
        body,
        [Selector(By.PERSON, tuple(told["people"]))],
        [told["channel"]],
        category=told["category"],
        matter=matter,
        filed=True,
    )


FOLLOW_UP = Listener(_NAME, ("matter.settled",), follow_up, asking=True)
