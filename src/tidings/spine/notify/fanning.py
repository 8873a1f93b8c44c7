"""Fan-out: a notice becomes a notification for each person of its audience, and a delivery for each of their addresses.

One statement for a chunk of people, whether they belong to one notice or to many. A chunk is one transaction; where it
ended is kept in the notice, and a notification is unique for notice and person: it can be cut off anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from tidings.kit.db import Connection

CHUNK = 5_000
_EXPIRY = timedelta(hours=24)

PREFERRED = "p.removed_at IS NOT NULL, p.built_in, NOT p.enabled, p.opened_at IS NOT NULL, p.priority, p.id"
"""Which provider of a channel is used. A tenant's own before the default one, whatever state it is in: what the default
one does (refuse a message, keep it in the sandbox) must not befall those that wait for a provider to recover."""

# Who has no provider for a channel gets the default one; who has turned theirs off waits for it. In one order, since
# two fan-outs may do it at once. Integrations are sent to by Apprise, whatever the notice's channels;
# not only where somebody has chosen one, since the first to do so may do it right after this.
_PROVIDE = """
INSERT INTO tidings.providers (tenant, channel, type, name, built_in, priority)
SELECT DISTINCT n.tenant, d.channel, d.type, d.type, true, 1000
FROM tidings.notices n CROSS JOIN LATERAL (
    SELECT unnest(n.channels) UNION SELECT 'apprise' WHERE n.topic IS NOT NULL) AS c(channel)
JOIN unnest($2::text[], $3::text[]) AS d(channel, type) ON d.channel = c.channel
WHERE n.id = ANY ($1::uuid[])
  AND NOT EXISTS (SELECT FROM tidings.providers p WHERE p.tenant = n.tenant AND p.channel = d.channel
                  AND p.removed_at IS NULL)
ORDER BY 1, 2 ON CONFLICT (tenant, channel, name) WHERE removed_at IS NULL DO NOTHING
"""

CHOICE = """
    SELECT s.address_ids, s.tags FROM tidings.subscriptions s
    WHERE {topic} IS NOT NULL AND s.tenant = {tenant} AND s.topic = {topic} AND s.person_id = {person}
      AND (s.address_ids <> '{{}}' OR s.tags <> '{{}}') OFFSET 0"""
"""What a person chose for the topic of a notice, if anything. A subselect for each person, found by the key: there is
no telling how many of a topic's people choose, nor need a notice have a topic."""

CHOSEN = """
    SELECT a.id, a.kind, a.value, a.fingerprint FROM tidings.addresses a
    WHERE a.person_id = {person} AND a.name IS NOT NULL AND a.disabled_at IS NULL
      AND (a.id = ANY ({choice}.address_ids) OR a.tags && {choice}.tags) OFFSET 0"""
"""The person's own integrations, in use, that a choice stands for: each once, by its id or by any of its tags."""

# Who chose where to hear of the topic is aimed at there (`routed`); the others by the notice's channels.
_FAN_OUT = f"""
WITH reached AS MATERIALIZED (
    SELECT n.id AS notice_id, n.tenant, n.read_at, n.filed, n.channels, n.max_attempts, n.expires_after, a.person_id,
        n.addresses, w.address_ids, w.tags, w.tags IS NOT NULL AS routed
    FROM tidings.notices n CROSS JOIN LATERAL tidings.audience_of(n.tenant, n.audience, n.reached, $2) AS a(person_id)
    LEFT JOIN LATERAL ({CHOICE.format(topic="n.topic", tenant="n.tenant", person="a.person_id")}) w ON true
    WHERE n.id = ANY ($1::uuid[]) AND n.closed_at IS NULL
), aims AS MATERIALIZED (
    SELECT r.notice_id, r.tenant, r.read_at, r.filed, r.person_id, r.max_attempts, r.expires_after, r.routed, c.channel,
        a.id AS address_id, coalesce(a.value, 'inbox') AS address, a.id IS NOT NULL OR c.channel = 'websocket' AS found
    FROM reached r CROSS JOIN LATERAL unnest(r.channels) AS c(channel)
    LEFT JOIN tidings.addresses a ON a.person_id = r.person_id AND a.kind = tidings.address_kind(c.channel)
        AND (r.addresses IS NULL OR a.id = ANY (r.addresses))
    WHERE NOT r.routed
    UNION ALL
    SELECT r.notice_id, r.tenant, r.read_at, r.filed, r.person_id, r.max_attempts, r.expires_after, r.routed, a.kind,
        a.id, a.value, a.id IS NOT NULL
    FROM reached r LEFT JOIN LATERAL ({CHOSEN.format(person="r.person_id", choice="r")}) a ON true
    WHERE r.routed
), made AS (
    INSERT INTO tidings.notifications (id, tenant, notice_id, person_id, missing, targets, routed, read_at, archived_at)
    SELECT tidings.uuid7(), tenant, notice_id, person_id,
        coalesce(array_agg(channel ORDER BY channel) FILTER (WHERE NOT found AND NOT routed), ARRAY[]::text[]),
        count(*) FILTER (WHERE found), bool_or(routed), CASE WHEN filed THEN now() ELSE read_at END,
        CASE WHEN filed THEN now() END
    FROM aims GROUP BY notice_id, tenant, person_id, read_at, filed ORDER BY notice_id, person_id
    ON CONFLICT (notice_id, person_id) DO NOTHING
    RETURNING id, notice_id, person_id, targets
), chosen AS MATERIALIZED (
    SELECT DISTINCT ON (p.tenant, p.channel) p.tenant, p.channel, p.id, p.max_attempts, p.expires_after
    FROM tidings.providers p JOIN (SELECT DISTINCT tenant, channel FROM aims) a USING (tenant, channel)
    ORDER BY p.tenant, p.channel, {PREFERRED}
), sent_out AS (
    INSERT INTO tidings.deliveries (id, tenant, channel, provider, notice_id, notification_id, person_id, address_id,
        address, due_at, run_at, expires_at, max_attempts)
    SELECT tidings.uuid7(), a.tenant, a.channel, p.id, a.notice_id, m.id, a.person_id, a.address_id, a.address, now(),
        now(), now() + coalesce(a.expires_after, p.expires_after, $3), coalesce(a.max_attempts, p.max_attempts)
    FROM made m JOIN aims a USING (notice_id, person_id) JOIN chosen p USING (tenant, channel) WHERE a.found
), progress AS (
    SELECT n.id AS notice_id, count(r.person_id) AS people,
        (array_agg(r.person_id ORDER BY r.person_id DESC))[1] AS last
    FROM unnest($1::uuid[]) AS n(id) LEFT JOIN reached r ON r.notice_id = n.id GROUP BY n.id
), counts AS (
    SELECT notice_id, count(*) AS people, count(*) FILTER (WHERE targets = 0) AS no_target, sum(targets) AS targets
    FROM made GROUP BY notice_id
), moved AS (
    UPDATE tidings.notices n SET reached = p.last FROM progress p WHERE n.id = p.notice_id AND p.last IS NOT NULL
), counted AS (
    UPDATE tidings.tallies t SET people = t.people + coalesce(c.people, 0), no_target = t.no_target
        + coalesce(c.no_target, 0), open = t.open + coalesce(c.targets, 0), complete = p.people < $2
    FROM progress p LEFT JOIN counts c USING (notice_id) WHERE t.notice_id = p.notice_id
    RETURNING t.notice_id, t.complete
)
SELECT notice_id FROM counted WHERE NOT complete
"""


# Whoever reads a shared notice does so for those too whom it has not reached: before this, or after it.
_TAKE_SHARED = """
SELECT id FROM tidings.notices WHERE id = ANY ($1::uuid[]) AND shared ORDER BY id FOR NO KEY UPDATE
"""


@dataclass(frozen=True)
class FanOut:
    """`defaults` says which provider a channel has where its tenant set none."""

    defaults: Mapping[str, str]

    async def reach(self, connection: Connection, notices: Sequence[UUID], most: int = CHUNK) -> list[UUID]:
        """The next `most` people of each notice. Returns those notices whose audience goes on after them."""
        await connection.execute(_PROVIDE, notices, list(self.defaults), list(self.defaults.values()))
        await connection.execute(_TAKE_SHARED, notices)
        rows = await connection.fetch(_FAN_OUT, notices, most, _EXPIRY)
        await connection.execute("SELECT tidings.wake()")
        return [row["notice_id"] for row in rows]
