"""Deliveries under the lease engine: their table, their row, and what the database does when one ends."""

from __future__ import annotations

from datetime import UTC, datetime, time
from uuid import UUID

from tidings.spine.channels.port import Channel, Level
from tidings.spine.notify.people.preferences import closest_preference
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.leasing import LeaseTable

# The row comes with all that decides whether it is still wanted: the notice, the person, the address as they are now.
_RETURNED = """o.id, o.tenant, o.channel AS kind, o.provider::text AS party, o.notice_id, o.notification_id,
    o.person_id, o.address_id, o.address, date_part('epoch', o.due_at) AS due_at,
    date_part('epoch', o.run_at) AS run_at, o.attempts, o.max_attempts, o.generation,
    date_part('epoch', now()) AS now, o.expires_at <= now() AS expired, o.last_error,
    n.level, n.category, n.closed_at IS NOT NULL OR h.id IS NOT NULL AS closed,
    coalesce(n.closed_reason, 'handled by ' || coalesce(hp.name, 'somebody') || ': ' || h.action) AS closed_reason,
    coalesce(c.required, false) AS required,
    q.id IS NOT NULL AS person_there, q.name, q.locale, q.timezone, q.quiet_from, q.quiet_until, q.external_id,
    q.user_type, o.address_id IS NULL OR a.id IS NOT NULL AS address_there, a.value, a.sealed,
    a.disabled_at IS NOT NULL AS disabled, a.disabled_reason, a.failing_since IS NOT NULL AS failing,
    n.filed, n.topic, n.topic IS NOT NULL AND b.person_id IS NULL AS left_it,
    w.wanted, w.category AS wanted_category, w.channel AS wanted_channel, s.reason AS suppressed,
    v.type, v.version, v.on_unknown, v.failures"""
_JOINED = f"""
    JOIN tidings.notices n ON n.id = o.notice_id
    JOIN tidings.providers v ON v.id = o.provider
    LEFT JOIN tidings.actions h ON h.tenant = n.tenant AND h.matter = n.matter AND h.won AND n.actions <> '{{}}'
    LEFT JOIN tidings.people hp ON hp.id = h.person_id
    LEFT JOIN tidings.people q ON q.id = o.person_id
    LEFT JOIN tidings.addresses a ON a.id = o.address_id
    LEFT JOIN tidings.categories c ON c.tenant = o.tenant AND c.id = n.category
    LEFT JOIN tidings.suppressions s ON s.tenant = o.tenant AND s.kind = a.kind AND s.fingerprint = a.fingerprint
    LEFT JOIN tidings.subscriptions b ON b.tenant = n.tenant AND b.topic = n.topic AND b.person_id = o.person_id
    LEFT JOIN LATERAL (
        {closest_preference("wanted, category, channel", "o.person_id", "n.category", "o.channel")}) w ON true"""

SHOWN_STATUS = "CASE status WHEN 'enqueued' THEN 'pending' ELSE status END"
"""The status of a delivery for people: whether a message of it is on its way is none of their concern."""

_ATTEMPT = """INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, reason, receipt, took)"""
_NOTED = """coalesce(note ->> 'outcome', 'crashed'), note ->> 'reason', note ->> 'receipt',
    make_interval(secs => (note ->> 'took')::double precision)"""

# Tallies are locked in one order: two workers may settle deliveries of the same notices.
_ON_FINISH = f""", recorded AS (
            {_ATTEMPT} SELECT id, tenant, provider, {_NOTED} FROM done
        ), counts AS MATERIALIZED (
            SELECT notice_id, count(*) AS ended, count(*) FILTER (WHERE final = 'sent') AS sent,
                count(*) FILTER (WHERE final = 'skipped') AS skipped, count(*) FILTER (WHERE final = 'failed') AS failed
            FROM done GROUP BY notice_id
        ), locked AS MATERIALIZED (
            SELECT t.notice_id FROM tidings.tallies t WHERE t.notice_id IN (SELECT notice_id FROM counts)
            ORDER BY t.notice_id FOR UPDATE
        ), counted AS (
            UPDATE tidings.tallies t SET open = t.open - c.ended, sent = t.sent + c.sent,
                skipped = t.skipped + c.skipped, failed = t.failed + c.failed
            FROM counts c JOIN locked USING (notice_id) WHERE t.notice_id = c.notice_id
        )"""
_ON_POSTPONE = f""", recorded AS (
            {_ATTEMPT} SELECT o.id, o.tenant, o.provider, {_NOTED}
            FROM mine s JOIN tidings.deliveries o ON o.id = s.id WHERE note IS NOT NULL
        )"""

# What was on its way when its worker died is on record as an attempt that nobody knows the end of, and held: a lease
# says `begun` only where a second message would do harm. The others go again under their key, to the same provider.
_ON_RESCUE = """, recorded AS (
            INSERT INTO tidings.delivery_attempts (delivery_id, tenant, provider, outcome, reason)
            SELECT o.id, o.tenant, o.provider, CASE WHEN h.begun THEN 'unknown' ELSE 'crashed' END,
                CASE WHEN h.begun THEN 'its worker died before an answer came' END
            FROM held h JOIN tidings.deliveries o ON o.id = h.id
        )"""

DELIVERIES = LeaseTable(
    name="tidings.deliveries",
    finished="tidings.deliveries_finished",
    party="provider",
    party_type="uuid",
    lane="channel",
    stopped="""coalesce((SELECT NOT p.enabled OR coalesce(p.open_until > now(), false) OR t.suspended_at IS NOT NULL
                FROM tidings.providers p JOIN tidings.tenants t ON t.id = p.tenant WHERE p.id = {party}), true)""",
    carried=("notice_id", "notification_id", "person_id", "address_id", "address", "expires_at"),
    returned=_RETURNED,
    joined=_JOINED,
    noted=True,
    on_finish=_ON_FINISH,
    on_postpone=_ON_POSTPONE,
    ended="CASE WHEN error IS NULL THEN coalesce(note ->> 'status', 'sent') ELSE 'failed' END",
    buried="'failed'",
    spent="attempts + CASE WHEN note ->> 'outcome' IN ('skipped', 'expired') THEN 0 ELSE 1 END",
    kept=(("receipt", "note ->> 'receipt'"),),
    waits="""CASE WHEN s.error IS NULL OR o.generation <> s.generation THEN 'pending'
                WHEN note ->> 'held' IS NOT NULL THEN 'held' ELSE 'failed' END""",
    on_rescue=_ON_RESCUE,
    rescued="CASE WHEN held.begun THEN 'held' ELSE 'pending' END",
    rescue_changes=""", attempts = o.attempts + held.begun::int,
            last_error = CASE WHEN held.begun THEN 'its worker died before an answer came' ELSE o.last_error END""",
)


class Delivery(Leased):
    """A notification over one channel to one address, leased to be sent."""

    __slots__ = ()

    @property
    def party(self) -> str:
        return self._row["party"]  # type: ignore[no-any-return]

    @property
    def provider(self) -> UUID:
        return UUID(self._row["party"])

    @property
    def channel(self) -> Channel:
        return Channel(self._row["kind"])

    @property
    def notice_id(self) -> UUID:
        return self._row["notice_id"]  # type: ignore[no-any-return]

    @property
    def notification_id(self) -> UUID:
        return self._row["notification_id"]  # type: ignore[no-any-return]

    @property
    def person_id(self) -> UUID:
        return self._row["person_id"]  # type: ignore[no-any-return]

    @property
    def address_id(self) -> UUID | None:
        return self._row["address_id"]  # type: ignore[no-any-return]

    @property
    def address(self) -> str:
        return self._row["value"] or self._row["address"]  # type: ignore[no-any-return]

    @property
    def sealed(self) -> bytes | None:
        return self._row["sealed"]  # type: ignore[no-any-return]

    @property
    def now(self) -> datetime:
        """The database's, at the lease."""
        return datetime.fromtimestamp(self._row["now"], UTC)

    @property
    def due_at(self) -> datetime:
        """When it was to be sent: the same at each attempt, until somebody has it sent anew."""
        return datetime.fromtimestamp(self._row["due_at"], UTC)

    @property
    def expired(self) -> bool:
        return self._row["expired"]  # type: ignore[no-any-return]

    @property
    def last_error(self) -> str | None:
        return self._row["last_error"]  # type: ignore[no-any-return]

    @property
    def level(self) -> Level:
        return Level(self._row["level"])

    @property
    def category(self) -> str:
        return self._row["category"]  # type: ignore[no-any-return]

    @property
    def required(self) -> bool:
        """Whether its category cannot be turned off."""
        return self._row["required"]  # type: ignore[no-any-return]

    @property
    def closed(self) -> str | None:
        """Why its notice was closed, if it was."""
        return (self._row["closed_reason"] or "it is closed") if self._row["closed"] else None

    @property
    def filed(self) -> bool:
        """Whether the inbox shows anyway what it says."""
        return self._row["filed"]  # type: ignore[no-any-return]

    @property
    def left(self) -> str | None:
        """The topic that its notice was said under, where the person is no subscriber of it any more."""
        return self._row["topic"] if self._row["left_it"] else None

    @property
    def person_there(self) -> bool:
        return self._row["person_there"]  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        return self._row["name"]  # type: ignore[no-any-return]

    @property
    def locale(self) -> str | None:
        return self._row["locale"]  # type: ignore[no-any-return]

    @property
    def timezone(self) -> str | None:
        return self._row["timezone"]  # type: ignore[no-any-return]

    @property
    def external_id(self) -> str | None:
        return self._row["external_id"]  # type: ignore[no-any-return]

    @property
    def user_type(self) -> str | None:
        return self._row["user_type"]  # type: ignore[no-any-return]

    @property
    def quiet(self) -> tuple[time, time] | None:
        begins = self._row["quiet_from"]
        return None if begins is None else (begins, self._row["quiet_until"])

    @property
    def address_there(self) -> bool:
        return self._row["address_there"]  # type: ignore[no-any-return]

    @property
    def disabled(self) -> str | None:
        """Why its address is not used any more, if so."""
        return (self._row["disabled_reason"] or "it was turned off") if self._row["disabled"] else None

    @property
    def address_failing(self) -> bool:
        return bool(self._row["failing"])

    @property
    def suppressed(self) -> str | None:
        return self._row["suppressed"]  # type: ignore[no-any-return]

    @property
    def refused(self) -> tuple[str, str] | None:
        """The preference (category, channel) by which the person does not want it, if so and if it may be refused."""
        if self._row["wanted"] is not False or self.required:
            return None
        return self._row["wanted_category"], self._row["wanted_channel"]

    @property
    def provider_type(self) -> str:
        return self._row["type"]  # type: ignore[no-any-return]

    @property
    def provider_version(self) -> int:
        return self._row["version"]  # type: ignore[no-any-return]

    @property
    def provider_failing(self) -> bool:
        return int(self._row["failures"]) > 0

    @property
    def on_unknown(self) -> str | None:
        return self._row["on_unknown"]  # type: ignore[no-any-return]
