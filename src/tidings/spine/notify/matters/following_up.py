"""Following up: where a matter was told of by Slack or push and is settled now, that is said there too.

A push takes the place of the one before, on the device; Slack gets a second message. Mail and SMS are left alone: they
would be one more interruption, about something that needs nobody any more.
"""

from __future__ import annotations

from collections.abc import Sequence
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

# On its way, or perhaps arrived, counts as told. Whoever is told of a matter twice (an escalation) is followed up once.
_TOLD = """
SELECT d.channel, array_agg(DISTINCT d.person_id::text) AS people
FROM tidings.notices o CROSS JOIN LATERAL (
    SELECT f.channel, f.person_id FROM tidings.notifications m JOIN tidings.deliveries_finished f
        ON f.notification_id = m.id WHERE m.notice_id = o.id AND f.status = 'sent'
    UNION ALL
    SELECT w.channel, w.person_id FROM tidings.notifications m JOIN tidings.deliveries w ON w.notification_id = m.id
    WHERE m.notice_id = o.id AND w.status IN ('processing', 'held')
) d
WHERE o.tenant = $1 AND o.matter = $2 AND o.actions <> '{}' AND d.channel = ANY ($3::text[]) GROUP BY d.channel
ORDER BY d.channel
"""
_ABOUT = """
SELECT o.title, o.level, o.category, o.properties ->> 'locale' AS locale, p.name
FROM tidings.notices o LEFT JOIN tidings.people p ON p.id = $3::text::uuid
WHERE o.tenant = $1 AND o.matter = $2 AND o.actions <> '{}' ORDER BY o.id LIMIT 1
"""


async def follow_up(connection: Connection, fact: Heard) -> list[Notice]:
    matter, person = fact.data["matter"], fact.data["personId"]
    about = await connection.fetchrow(_ABOUT, fact.tenant, matter, person)
    if about is None:
        return []
    told = await connection.fetch(_TOLD, fact.tenant, matter, [str(channel) for channel in CHANNELS])
    body = handled(about["locale"], about["name"], Action(fact.data["action"]))
    return [_notice(about, body, matter, row["channel"], row["people"]) for row in told]


def _notice(about: Any, body: str, matter: str, channel: str, people: Sequence[str]) -> Notice:
    return Notice(
        about["title"],
        body,
        [Selector(By.PERSON, tuple(people))],
        [channel],
        category=about["category"],
        matter=matter,
        filed=True,
    )


FOLLOW_UP = Listener(_NAME, ("matter.settled",), follow_up, asking=True)
