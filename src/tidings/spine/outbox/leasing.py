"""The lease engine's statements, written once and generic over the table they lease from.

A lease is one row in `tidings.leases` for a whole batch, and its token in each row of the batch. Renewing touches
that one row. Settling is fenced by the token: whoever has lost the lease changes nothing. Times are the database's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

NOBODY = UUID(int=0)
"""Who holds a lease whose holder is not known to be alive."""

WAITING = "status IN ('pending', 'failed', 'enqueued')"
"""What may be leased when its time has come. `enqueued`: that is when the broker has had its time to tell of it."""


@dataclass(frozen=True)
class LeaseTable:
    """A table whose rows are leased. Open rows live in `name`, finished ones in `finished`.

    What is special about a table is SQL of its own. In `on_finish` and `on_postpone` the rows that finish are `gone`,
    those that go back to wait `mine`; what it knows beside them comes as `{0}`, `{1}`, … (its own arguments, in their
    order). Where outcomes carry notes, `note` is one, as jsonb.
    """

    name: str
    finished: str
    party: str  # the column that, with the lane, makes a lane
    party_type: str
    lane: str
    stopped: str  # whether nothing of a `{party}` and `{lane}` may run now, as SQL that never joins
    carried: tuple[str, ...]  # columns that go along into `finished`, beside those that every table has
    returned: str  # what a lease returns of row `o`, as SQL
    joined: str = ""  # what a lease joins to row `o`, as SQL
    left: str = "false"  # whether row `o`, though it is due, is left for somebody else for a while
    noted: bool = False
    on_finish: str = ""
    on_postpone: str = ""
    ended: str = "CASE WHEN error IS NULL THEN 'succeeded' ELSE 'dead' END"  # the status of a row that finishes
    buried: str = "'dead'"  # the status of one that crashed too often
    spent: str = "attempts + 1"
    kept: tuple[tuple[str, str], ...] = ()  # columns of `finished` that are not in `name`, and their SQL
    waits: str = "CASE WHEN s.error IS NULL OR o.generation <> s.generation THEN 'pending' ELSE 'failed' END"
    changes: str = ""  # what else changes in a row that goes back to wait
    on_rescue: str = ""  # SQL for rows that are taken back (`held`); `begun`: by their lease, they were on their way
    rescued: str = "'pending'"  # the status of such a row
    rescue_changes: str = ""  # what else changes in it

    def _runs(self, party: str, lane: str) -> str:
        return f"NOT ({self.stopped.format(party=party, lane=lane)})"

    @property
    def _row_runs(self) -> str:
        return self._runs(f"o.{self.party}", f"o.{self.lane}")

    @cached_property
    def lease_sql(self) -> str:
        return self._lease_sql("")

    @cached_property
    def lease_in_order_sql(self) -> str:
        """Only the head of each stream, and no stream whose head is dead."""
        return self._lease_sql(f"""
              AND (o.stream IS NULL OR (
                NOT EXISTS (SELECT FROM {self.name} e WHERE e.tenant = o.tenant AND e.{self.lane} = o.{self.lane}
                            AND e.stream = o.stream AND e.stream_version < o.stream_version)
                AND NOT EXISTS (SELECT FROM {self.finished} d WHERE d.tenant = o.tenant
                            AND d.{self.lane} = o.{self.lane} AND d.stream = o.stream AND d.status = 'dead')))""")

    def _lease_sql(self, condition: str) -> str:
        """$1 kind, $2 parties, $3 since, $4 quotas, $5 token, $6 worker, $7 lease"""
        return f"""
        WITH due AS MATERIALIZED (
            SELECT d.ctid AS place FROM (
                SELECT * FROM unnest($2::{self.party_type}[], $3::timestamptz[], $4::int[]) AS u(party, since, quota)
                WHERE {self._runs("u.party", "$1")}
            ) l, LATERAL (
                SELECT o.ctid FROM {self.name} o
                WHERE o.{self.party} = l.party AND o.{self.lane} = $1 AND o.run_at >= l.since AND o.run_at <= now()
                  AND o.{WAITING} AND NOT o.suspect AND NOT ({self.left}) {condition}
                ORDER BY o.run_at LIMIT l.quota FOR UPDATE SKIP LOCKED
            ) d
        ), leased AS (
            UPDATE {self.name} o SET status = 'processing', lease_token = $5, updated_at = now()
            WHERE o.ctid = ANY (ARRAY(SELECT place FROM due))
            RETURNING o.*, o.ctid::text AS place
        ), held AS (
            INSERT INTO tidings.leases (token, source, worker, ids, alone, expires_at)
            SELECT $5, '{self.name}', $6, array_agg(id), false, now() + $7 FROM leased HAVING count(*) > 0
        )
        SELECT o.place, {self.returned} FROM leased o {self.joined}"""

    @cached_property
    def named_sql(self) -> str:
        """Which of these rows wait to be leased by whoever is told of them, and their parties. $1 kind, $2 ids"""
        return f"""
        SELECT o.id, o.{self.party}::text AS party FROM {self.name} o
        WHERE o.id = ANY ($2::uuid[]) AND o.{self.lane} = $1 AND {self._told_of}"""

    @cached_property
    def lease_named_sql(self) -> str:
        """Leases rows by name, though their time has not come if they are enqueued: somebody was told of them.
        $1 kind, $2 ids, $3 token, $4 worker, $5 lease"""
        return f"""
        WITH named AS MATERIALIZED (
            SELECT o.ctid AS place FROM {self.name} o
            WHERE o.id = ANY ($2::uuid[]) AND o.{self.lane} = $1 AND {self._told_of} FOR UPDATE SKIP LOCKED
        ), leased AS (
            UPDATE {self.name} o SET status = 'processing', lease_token = $3, updated_at = now()
            WHERE o.ctid = ANY (ARRAY(SELECT place FROM named))
            RETURNING o.*, o.ctid::text AS place
        ), held AS (
            INSERT INTO tidings.leases (token, source, worker, ids, alone, expires_at)
            SELECT $3, '{self.name}', $4, array_agg(id), false, now() + $5 FROM leased HAVING count(*) > 0
        )
        SELECT o.place, {self.returned} FROM leased o {self.joined}"""

    @property
    def _told_of(self) -> str:
        """What failed waits for its next try, which nobody is told of; suspects are for the quarantine."""
        return f"""(o.status = 'enqueued' OR o.status = 'pending' AND o.run_at <= now()) AND NOT o.suspect
              AND {self._row_runs}"""

    @cached_property
    def enqueue_sql(self) -> str:
        """Marks what is due in these lanes as told of: it is nobody's to look for until its patience is over.
        $1 parties, $2 lanes, $3 quota of each, $4 patience"""
        return f"""
        WITH due AS MATERIALIZED (
            SELECT d.ctid AS place FROM (
                SELECT * FROM unnest($1::{self.party_type}[], $2::text[]) AS u(party, lane)
                WHERE {self._runs("u.party", "u.lane")}
            ) l, LATERAL (
                SELECT o.ctid FROM {self.name} o
                WHERE o.{self.party} = l.party AND o.{self.lane} = l.lane AND o.run_at <= now()
                  AND o.status IN ('pending', 'failed') AND NOT o.suspect
                ORDER BY o.run_at LIMIT $3 FOR UPDATE SKIP LOCKED
            ) d
        )
        UPDATE {self.name} o SET status = 'enqueued', run_at = now() + $4, updated_at = now()
        WHERE o.ctid = ANY (ARRAY(SELECT place FROM due))
        RETURNING o.id, o.tenant, o.{self.lane} AS lane, o.{self.party}::text AS party"""

    @cached_property
    def enqueue_named_sql(self) -> str:
        """The same for rows that are known, where nobody has touched them. $1 ids, $2 patience"""
        return f"""
        UPDATE {self.name} o SET status = 'enqueued', run_at = now() + $2, updated_at = now()
        WHERE o.ctid = ANY (ARRAY(
            SELECT w.ctid FROM {self.name} w WHERE w.id = ANY ($1::uuid[]) AND w.status = 'pending' AND NOT w.suspect
              AND w.run_at <= now() FOR UPDATE SKIP LOCKED))"""

    @cached_property
    def unleave_sql(self) -> str:
        """What is enqueued, and not due, is for whoever looks, from now on. $1 ids"""
        return f"""
        UPDATE {self.name} o SET run_at = now(), updated_at = now()
        WHERE o.ctid = ANY (ARRAY(
            SELECT w.ctid FROM {self.name} w WHERE w.id = ANY ($1::uuid[]) AND w.status = 'enqueued'
              AND w.run_at > now() FOR UPDATE SKIP LOCKED))"""

    @cached_property
    def lease_suspect_sql(self) -> str:
        return self._lease_suspect_sql("")

    @cached_property
    def lease_suspect_of_sql(self) -> str:
        """One of a party. $6 party"""
        return self._lease_suspect_sql(f"AND o.{self.party} = $6")

    def _lease_suspect_sql(self, condition: str) -> str:
        """$1 kinds, $2 token, $3 worker, $4 lease, $5 crashes that are too many. Any will do: asking for the oldest
        would have the planner read and sort them all, each time."""
        return f"""
        WITH due AS MATERIALIZED (
            SELECT o.id FROM {self.name} o
            WHERE o.suspect AND o.run_at <= now() AND o.status IN ('pending', 'failed') AND o.{self.lane} = ANY ($1)
              AND o.crashes < $5 AND {self._row_runs} {condition}
            LIMIT 1 FOR UPDATE SKIP LOCKED
        ), leased AS (
            UPDATE {self.name} o SET status = 'processing', lease_token = $2, updated_at = now()
            FROM due WHERE o.id = due.id RETURNING o.*, o.ctid::text AS place
        ), held AS (
            INSERT INTO tidings.leases (token, source, worker, ids, alone, expires_at)
            SELECT $2, '{self.name}', $3, array_agg(id), true, now() + $4 FROM leased HAVING count(*) > 0
        )
        SELECT o.place, {self.returned} FROM leased o {self.joined}"""

    @cached_property
    def succeed_sql(self) -> str:
        """Finishes rows that succeeded and lie where their lease left them, without a look into an index. $1 ids,
        $2 generations, $3 tokens, $4 places, $5 leases that end with this, if it finished all, $6 notes where there are
        any, then the table's own.

        Whatever somebody moved, or has locked (a settle waits for nobody), is left alone. Returns how many finished.
        """
        mine = f"""
            SELECT o.ctid AS place FROM {self._settled("place")}
            JOIN {self.name} o ON o.ctid = s.place::tid AND o.id = s.id AND o.lease_token = s.token
                AND o.generation = s.generation
            FOR UPDATE OF o SKIP LOCKED"""
        source = f"gone JOIN (SELECT id, note FROM {self._settled('place')}) s USING (id)" if self.noted else "gone"
        return self._finish_sql(mine, self.ended.replace("error", "NULL::text"), "last_error", source)

    @cached_property
    def finish_sql(self) -> str:
        """The same by id, wherever they lie, and with an error for those that are dead. $4 errors (null: succeeded)"""
        mine = f"""
            SELECT o.ctid AS place FROM {self._settled("error")}
            JOIN {self.name} o ON o.id = s.id AND o.lease_token = s.token AND o.generation = s.generation
            FOR UPDATE OF o SKIP LOCKED"""
        note = ", note" if self.noted else ""
        source = f"gone JOIN (SELECT id, error{note} FROM {self._settled('error')}) s USING (id)"
        return self._finish_sql(mine, self.ended, "coalesce(error, last_error)", source)

    def _settled(self, fourth: str) -> str:
        notes, note = (", $6::jsonb[]", ", note") if self.noted else ("", "")
        return (
            f"unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[]{notes}) AS s(id, generation, token, {fourth}{note})"
        )

    def _own(self, statement: str, first: int) -> str:
        """The table's own SQL, whose arguments begin at `first`."""
        return statement.format(*(f"${n}" for n in range(first, first + 9)))

    def _finish_sql(self, mine: str, status: str, error: str, source: str) -> str:
        on_finish = self._own(self.on_finish, 7 if self.noted else 6)
        return f"""
        WITH mine AS MATERIALIZED ({mine}
        ), gone AS (
            DELETE FROM {self.name} o WHERE o.ctid = ANY (ARRAY(SELECT place FROM mine)) RETURNING o.*
        ), ended AS (
            DELETE FROM tidings.leases WHERE token = ANY ($5::uuid[])
              AND (SELECT count(*) FROM gone) = cardinality($1::uuid[])
        ){self._over(source, status)}{on_finish}
        {self._archive(status, error, source, self.spent)}"""

    def _over(self, source: str, status: str) -> str:
        """What finishes, with its note and its status: what a table with notes works on."""
        return f", done AS MATERIALIZED (SELECT gone.*, note, {status} AS final FROM {source})" if self.noted else ""

    def _archive(self, status: str, error: str, source: str, attempts: str) -> str:
        columns = ", ".join(("id", "tenant", *self._lane_columns, *self.carried))
        more = "".join(f", {name}" for name, _ in self.kept)
        values = "".join(f", {value}" for _, value in self.kept)
        return f"""INSERT INTO {self.finished} ({columns}, due_at, run_at, status, attempts, crashes, max_attempts,
            last_error, generation, created_at, updated_at{more})
        SELECT {columns}, due_at, run_at, {status}, {attempts}, crashes, max_attempts, {error}, gone.generation,
            created_at, now(){values}
        FROM {source}"""

    @property
    def _lane_columns(self) -> tuple[str, ...]:
        return (self.lane,) if self.party == "tenant" else (self.lane, self.party)

    @cached_property
    def postpone_sql(self) -> str:
        """Gives rows back to be leased later. $1 ids, $2 generations, $3 tokens, $4 delays, $5 absolute times,
        $6 errors (null: no failure), $7 notes where there are any. A row that was moved meanwhile keeps the time it was
        moved to; one that was not run to its end stays a suspect if it was one."""
        notes, note = (", $7::jsonb[]", ", note") if self.noted else ("", "")
        return f"""
        WITH settled AS (
            SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::interval[], $5::timestamptz[],
                                 $6::text[]{notes}) AS s(id, generation, token, delay, at, error{note})
        ), mine AS MATERIALIZED (
            SELECT s.* FROM settled s JOIN {self.name} o ON o.id = s.id AND o.lease_token = s.token
            FOR UPDATE OF o SKIP LOCKED
        ){self.on_postpone}
        UPDATE {self.name} o SET
            status = {self.waits},
            run_at = CASE WHEN o.generation <> s.generation THEN o.run_at ELSE coalesce(s.at, now() + s.delay) END,
            due_at = CASE WHEN o.generation <> s.generation OR s.at IS NULL THEN o.due_at ELSE s.at END,
            attempts = CASE WHEN s.at IS NOT NULL THEN 0 WHEN s.error IS NULL THEN o.attempts ELSE o.attempts + 1 END,
            crashes = CASE WHEN s.at IS NOT NULL THEN 0 ELSE o.crashes END,
            last_error = CASE WHEN s.at IS NOT NULL THEN NULL ELSE coalesce(s.error, o.last_error) END,
            suspect = o.suspect AND s.at IS NULL AND s.error IS NULL, lease_token = NULL,
            updated_at = now(){self.changes}
        FROM mine s WHERE o.id = s.id AND o.lease_token = s.token"""

    @cached_property
    def rearm_sql(self) -> str:
        """What was moved while it was handled goes back to wait for its new time. $1 ids, $2 generations, $3 tokens"""
        return f"""
        WITH mine AS MATERIALIZED (
            SELECT s.* FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS s(id, generation, token)
            JOIN {self.name} o ON o.id = s.id AND o.lease_token = s.token AND o.generation <> s.generation
            FOR UPDATE OF o SKIP LOCKED
        )
        UPDATE {self.name} o SET status = 'pending', lease_token = NULL, suspect = false, updated_at = now()
        FROM mine s WHERE o.id = s.id AND o.lease_token = s.token"""

    @cached_property
    def unsettled_sql(self) -> str:
        """Which rows are still in our hands, because somebody has them locked. $1 ids, $2 tokens"""
        return f"""
        SELECT o.id FROM {self.name} o JOIN unnest($1::uuid[], $2::uuid[]) AS s(id, token)
        ON o.id = s.id AND o.lease_token = s.token"""

    @cached_property
    def still_held_sql(self) -> str:
        """Locks the rows of a lease that are still wanted, and returns their ids; one that somebody else has locked is
        about to be moved or cancelled. $1 ids, $2 generations, $3 token"""
        return f"""
        SELECT o.id FROM {self.name} o
        WHERE o.id = ANY ($1::uuid[]) AND o.lease_token = $3 AND o.generation =
            (SELECT s.generation FROM unnest($1::uuid[], $2::int[]) AS s(id, generation) WHERE s.id = o.id)
        FOR UPDATE SKIP LOCKED"""

    @cached_property
    def wanted_sql(self) -> str:
        """Whether a row is still to be run under this lease. $1 id, $2 generation, $3 token"""
        return f"""
        SELECT EXISTS (SELECT FROM {self.name} o WHERE o.id = $1 AND o.generation = $2 AND o.lease_token = $3
            AND {self._row_runs})"""

    @cached_property
    def rescue_sql(self) -> str:
        """Takes back what is held by leases that have run out. Its rows will be run one by one, alone; only a row
        that was running alone is charged with the crash, and goes to the back. Waits for nobody: a lease with a row
        that somebody has locked stays for the next time. Returns the ids.

        A lease taken alone that nobody saw the end of becomes nobody's first, and is taken back only when that time
        has run out too: until then whoever runs it may be alive, and renew it. $1 for how long, $2 how far back
        """
        return f"""
        WITH doubted AS (
            UPDATE tidings.leases SET worker = '{NOBODY}', expires_at = now() + $1 WHERE token IN (
                SELECT token FROM tidings.leases WHERE source = '{self.name}' AND expires_at < now()
                  AND alone AND worker <> '{NOBODY}' FOR UPDATE SKIP LOCKED)
        ), expired AS MATERIALIZED (
            SELECT token, ids, alone, begun FROM tidings.leases WHERE source = '{self.name}' AND expires_at < now()
              AND NOT (alone AND worker <> '{NOBODY}') FOR UPDATE SKIP LOCKED
        ), held AS MATERIALIZED (
            SELECT o.id, e.token, e.alone, o.id = ANY (e.begun) AS begun
            FROM expired e CROSS JOIN unnest(e.ids) AS i(id)
            JOIN {self.name} o ON o.id = i.id AND o.lease_token = e.token FOR UPDATE OF o SKIP LOCKED
        ){self.on_rescue}, ended AS (
            DELETE FROM tidings.leases l USING expired e WHERE l.token = e.token AND NOT EXISTS (
                SELECT FROM unnest(e.ids) AS i(id) JOIN {self.name} o ON o.id = i.id AND o.lease_token = e.token
                WHERE o.id NOT IN (SELECT id FROM held))
        )
        UPDATE {self.name} o SET status = {self.rescued}, lease_token = NULL, suspect = true,
            crashes = o.crashes + held.alone::int,
            run_at = CASE WHEN held.alone THEN greatest(o.run_at, now() + $2) ELSE o.run_at END,
            updated_at = now(){self.rescue_changes}
        FROM held WHERE o.id = held.id AND o.lease_token = held.token
        RETURNING o.id"""

    @cached_property
    def bury_sql(self) -> str:
        """Rows that crashed their worker too often are dead. $1 kinds, $2 error, $3 how often, then the table's own"""
        source = "gone CROSS JOIN (SELECT NULL::jsonb AS note) s" if self.noted else "gone"
        return f"""
        WITH gone AS (
            DELETE FROM {self.name} o WHERE o.id IN (
                SELECT id FROM {self.name} WHERE suspect AND crashes >= $3 AND status = 'pending'
                  AND {self.lane} = ANY ($1) FOR UPDATE SKIP LOCKED)
            RETURNING o.*
        ){self._over(source, self.buried)}{self._own(self.on_finish, 4)}
        {self._archive(self.buried, "$2", source, "attempts")}"""

    @cached_property
    def lanes_sql(self) -> str:
        """Lanes of the kinds in $1 with the wait until their first row is due; what is stopped has no lanes."""
        return f"""
        WITH RECURSIVE lane AS (
            (SELECT {self.party} AS party, {self.lane} AS lane FROM {self.name}
             ORDER BY {self.party}, {self.lane} LIMIT 1)
            UNION ALL
            SELECT n.party, n.lane FROM lane l, LATERAL (
                SELECT o.{self.party} AS party, o.{self.lane} AS lane FROM {self.name} o
                WHERE (o.{self.party}, o.{self.lane}) > (l.party, l.lane)
                ORDER BY o.{self.party}, o.{self.lane} LIMIT 1) n
        )
        SELECT l.party::text, l.lane, n.run_at - now() AS wait FROM lane l, LATERAL (
            SELECT o.run_at FROM {self.name} o
            WHERE o.{self.party} = l.party AND o.{self.lane} = l.lane AND o.{WAITING}
              AND NOT o.suspect AND NOT ({self.left})
            ORDER BY o.run_at LIMIT 1) n
        WHERE l.lane = ANY ($1)
          AND {self._runs("l.party", "l.lane")}"""

    @cached_property
    def suspects_sql(self) -> str:
        return f"""SELECT EXISTS (SELECT FROM {self.name} o WHERE suspect AND run_at <= now()
            AND status IN ('pending', 'failed') AND {self.lane} = ANY ($1) AND {self._row_runs})"""

    @cached_property
    def suspected_sql(self) -> str:
        """The parties of which a suspect may be leased, in one order. $1 kinds, $2 crashes that are too many"""
        return f"""
        SELECT party FROM (SELECT DISTINCT o.{self.party} AS party, o.{self.lane} AS lane FROM {self.name} o
            WHERE o.suspect AND o.run_at <= now() AND o.status IN ('pending', 'failed') AND o.{self.lane} = ANY ($1)
              AND o.crashes < $2) s
        WHERE {self._runs("s.party", "s.lane")} ORDER BY party"""


# Times travel as seconds since the epoch, exact to the microsecond until the year 2242: turning them into a datetime
# takes a driver longer than all the rest of a row, and most handlers never ask for one.
OUTBOX = LeaseTable(
    name="tidings.outbox",
    finished="tidings.outbox_finished",
    party="tenant",
    party_type="text",
    lane="kind",
    stopped="""coalesce((SELECT t.suspended_at IS NOT NULL FROM tidings.tenants t WHERE t.id = {party}), false)
                AND {lane} NOT LIKE 'tidings.%'""",
    carried=("key", "fact_id", "stream", "stream_version", "payload"),
    returned="""o.id, o.tenant, o.kind, o.key, o.fact_id, date_part('epoch', o.due_at) AS due_at,
        date_part('epoch', o.run_at) AS run_at, o.attempts, o.max_attempts, o.generation,
        f.stream_type, f.stream_id, f.stream_version, coalesce(f.data, o.payload)::text AS data,
        f.metadata::text AS metadata, date_part('epoch', f.occurred_at) AS occurred_at""",
    joined="LEFT JOIN tidings.facts f ON f.id = o.fact_id",
    on_finish=""", blocked AS (
            UPDATE tidings.outbox_keys k SET expires_at = now() + {1}::interval FROM gone
            WHERE {0} AND gone.fact_id IS NULL AND k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key
              AND k.intent_id = gone.id
        ), freed AS (
            DELETE FROM tidings.outbox_keys k USING gone
            WHERE NOT {0} AND gone.fact_id IS NULL AND k.tenant = gone.tenant AND k.kind = gone.kind
              AND k.key = gone.key AND k.intent_id = gone.id
        )""",
)
