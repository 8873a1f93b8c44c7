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


def _runs(row: str, lane: str) -> str:
    """That the tenant of this row is not suspended, as SQL. Our own housekeeping goes on whoever's row it is."""
    return f"""NOT EXISTS (SELECT FROM tidings.tenants t
                WHERE t.id = {row}.tenant AND t.suspended_at IS NOT NULL AND {lane} NOT LIKE 'tidings.%')"""


@dataclass(frozen=True)
class LeaseTable:
    """A table whose rows are leased. Open rows live in `name`, finished ones in `finished`."""

    name: str
    finished: str
    lane: str  # the column that, with the tenant, makes a lane
    carried: tuple[str, ...]  # columns that go along into `finished`, beside those that every table has
    returned: str  # what a lease returns of row `o`, as SQL
    joined: str = ""  # what a lease joins to row `o`, as SQL
    on_finish: str = ""  # a CTE that runs over `gone`, the rows that finish; $5 is whether keys block, $6 how long

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
        """$1 kind, $2 tenants, $3 since, $4 quotas, $5 token, $6 worker, $7 lease"""
        return f"""
        WITH due AS MATERIALIZED (
            SELECT d.ctid AS place FROM (
                SELECT * FROM unnest($2::text[], $3::timestamptz[], $4::int[]) AS u(tenant, since, quota)
                WHERE {_runs("u", "$1")}
            ) l, LATERAL (
                SELECT o.ctid FROM {self.name} o
                WHERE o.tenant = l.tenant AND o.{self.lane} = $1 AND o.run_at >= l.since AND o.run_at <= now()
                  AND o.status IN ('pending', 'failed') AND NOT o.suspect {condition}
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
    def lease_suspect_sql(self) -> str:
        """$1 kinds, $2 token, $3 worker, $4 lease, $5 crashes that are too many. Any will do: asking for the oldest
        would have the planner read and sort them all, each time; so would `_runs`, as a join."""
        return f"""
        WITH due AS MATERIALIZED (
            SELECT o.id FROM {self.name} o
            WHERE o.suspect AND o.run_at <= now() AND o.status IN ('pending', 'failed') AND o.{self.lane} = ANY ($1)
              AND o.crashes < $5 AND (o.{self.lane} LIKE 'tidings.%'
                OR (SELECT t.suspended_at FROM tidings.tenants t WHERE t.id = o.tenant) IS NULL)
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
        $2 generations, $3 tokens, $4 places, $5 and $6 for keys, $7 leases that end with this, if it finished all.

        Whatever somebody moved, or has locked (a settle waits for nobody), is left alone. Returns how many finished.
        """
        mine = f"""
            SELECT o.ctid AS place
            FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[]) AS s(id, generation, token, place)
            JOIN {self.name} o ON o.ctid = s.place::tid AND o.id = s.id AND o.lease_token = s.token
                AND o.generation = s.generation
            FOR UPDATE OF o SKIP LOCKED"""
        return self._finish_sql(mine, "'succeeded'", "last_error", "gone")

    @cached_property
    def finish_sql(self) -> str:
        """The same by id, wherever they lie, and with an error for those that are dead. $4 errors (null: succeeded)"""
        settled = "unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[]) AS s(id, generation, token, error)"
        mine = f"""
            SELECT o.ctid AS place FROM {settled}
            JOIN {self.name} o ON o.id = s.id AND o.lease_token = s.token AND o.generation = s.generation
            FOR UPDATE OF o SKIP LOCKED"""
        status = "CASE WHEN error IS NULL THEN 'succeeded' ELSE 'dead' END"
        source = f"gone JOIN (SELECT id, error FROM {settled}) s USING (id)"
        return self._finish_sql(mine, status, "coalesce(error, last_error)", source)

    def _finish_sql(self, mine: str, status: str, error: str, source: str) -> str:
        columns = ", ".join(("id", "tenant", self.lane, *self.carried))
        return f"""
        WITH mine AS MATERIALIZED ({mine}
        ), gone AS (
            DELETE FROM {self.name} o WHERE o.ctid = ANY (ARRAY(SELECT place FROM mine)) RETURNING o.*
        ), ended AS (
            DELETE FROM tidings.leases WHERE token = ANY ($7::uuid[])
              AND (SELECT count(*) FROM gone) = cardinality($1::uuid[])
        ){self.on_finish}
        INSERT INTO {self.finished} ({columns}, due_at, run_at, status, attempts, crashes, max_attempts, last_error,
            generation, created_at, updated_at)
        SELECT {columns}, due_at, run_at, {status}, attempts + 1, crashes, max_attempts, {error}, gone.generation,
            created_at, now()
        FROM {source}"""

    @cached_property
    def postpone_sql(self) -> str:
        """Gives rows back to be leased later. $1 ids, $2 generations, $3 tokens, $4 delays, $5 absolute times,
        $6 errors (null: no failure). A row that was moved meanwhile keeps the time it was moved to; one that was not
        run to its end stays a suspect if it was one."""
        return f"""
        WITH settled AS (
            SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::interval[], $5::timestamptz[], $6::text[])
                AS s(id, generation, token, delay, at, error)
        ), mine AS MATERIALIZED (
            SELECT s.* FROM settled s JOIN {self.name} o ON o.id = s.id AND o.lease_token = s.token
            FOR UPDATE OF o SKIP LOCKED
        )
        UPDATE {self.name} o SET
            status = CASE WHEN s.error IS NULL OR o.generation <> s.generation THEN 'pending' ELSE 'failed' END,
            run_at = CASE WHEN o.generation <> s.generation THEN o.run_at ELSE coalesce(s.at, now() + s.delay) END,
            due_at = CASE WHEN o.generation <> s.generation OR s.at IS NULL THEN o.due_at ELSE s.at END,
            attempts = CASE WHEN s.at IS NOT NULL THEN 0 WHEN s.error IS NULL THEN o.attempts ELSE o.attempts + 1 END,
            crashes = CASE WHEN s.at IS NOT NULL THEN 0 ELSE o.crashes END,
            last_error = CASE WHEN s.at IS NOT NULL THEN NULL ELSE coalesce(s.error, o.last_error) END,
            suspect = o.suspect AND s.at IS NULL AND s.error IS NULL, lease_token = NULL, updated_at = now()
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
            AND {_runs("o", f"o.{self.lane}")})"""

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
            SELECT token, ids, alone FROM tidings.leases WHERE source = '{self.name}' AND expires_at < now()
              AND NOT (alone AND worker <> '{NOBODY}') FOR UPDATE SKIP LOCKED
        ), held AS MATERIALIZED (
            SELECT o.id, e.token, e.alone FROM expired e CROSS JOIN unnest(e.ids) AS i(id)
            JOIN {self.name} o ON o.id = i.id AND o.lease_token = e.token FOR UPDATE OF o SKIP LOCKED
        ), ended AS (
            DELETE FROM tidings.leases l USING expired e WHERE l.token = e.token AND NOT EXISTS (
                SELECT FROM unnest(e.ids) AS i(id) JOIN {self.name} o ON o.id = i.id AND o.lease_token = e.token
                WHERE o.id NOT IN (SELECT id FROM held))
        )
        UPDATE {self.name} o SET status = 'pending', lease_token = NULL, suspect = true,
            crashes = o.crashes + held.alone::int,
            run_at = CASE WHEN held.alone THEN greatest(o.run_at, now() + $2) ELSE o.run_at END, updated_at = now()
        FROM held WHERE o.id = held.id AND o.lease_token = held.token
        RETURNING o.id"""

    @cached_property
    def bury_sql(self) -> str:
        """Rows that crashed their worker too often are dead. $1 kinds, $2 error, $3 and $4 for keys, $5 how often"""
        columns = ", ".join(("id", "tenant", self.lane, *self.carried))
        return f"""
        WITH gone AS (
            DELETE FROM {self.name} o WHERE o.id IN (
                SELECT id FROM {self.name} WHERE suspect AND crashes >= $5 AND status = 'pending'
                  AND {self.lane} = ANY ($1) FOR UPDATE SKIP LOCKED)
            RETURNING o.*
        ){self.on_finish.replace("$5", "$3").replace("$6", "$4")}
        INSERT INTO {self.finished} ({columns}, due_at, run_at, status, attempts, crashes, max_attempts, last_error,
            generation, created_at, updated_at)
        SELECT {columns}, due_at, run_at, 'dead', attempts, crashes, max_attempts, $2, generation, created_at, now()
        FROM gone"""

    @cached_property
    def lanes_sql(self) -> str:
        """Lanes of the kinds in $1 with the wait until their first row is due; suspended tenants have no lanes."""
        return f"""
        WITH RECURSIVE lane AS (
            (SELECT tenant, {self.lane} AS lane FROM {self.name} ORDER BY tenant, {self.lane} LIMIT 1)
            UNION ALL
            SELECT n.tenant, n.lane FROM lane l, LATERAL (
                SELECT o.tenant, o.{self.lane} AS lane FROM {self.name} o
                WHERE (o.tenant, o.{self.lane}) > (l.tenant, l.lane) ORDER BY o.tenant, o.{self.lane} LIMIT 1) n
        )
        SELECT l.tenant, l.lane, n.run_at - now() AS wait FROM lane l, LATERAL (
            SELECT o.run_at FROM {self.name} o
            WHERE o.tenant = l.tenant AND o.{self.lane} = l.lane AND o.status IN ('pending', 'failed') AND NOT o.suspect
            ORDER BY o.run_at LIMIT 1) n
        WHERE l.lane = ANY ($1)
          AND {_runs("l", "l.lane")}"""

    @cached_property
    def suspects_sql(self) -> str:
        return f"""SELECT EXISTS (SELECT FROM {self.name} o WHERE suspect AND run_at <= now()
            AND status IN ('pending', 'failed') AND {self.lane} = ANY ($1) AND {_runs("o", f"o.{self.lane}")})"""


# Times travel as seconds since the epoch, exact to the microsecond until the year 2242: turning them into a datetime
# takes a driver longer than all the rest of a row, and most handlers never ask for one.
OUTBOX = LeaseTable(
    name="tidings.outbox",
    finished="tidings.outbox_finished",
    lane="kind",
    carried=("key", "fact_id", "stream", "stream_version", "payload"),
    returned="""o.id, o.tenant, o.kind, o.key, o.fact_id, date_part('epoch', o.due_at) AS due_at,
        date_part('epoch', o.run_at) AS run_at, o.attempts, o.max_attempts, o.generation,
        f.stream_type, f.stream_id, f.stream_version, coalesce(f.data, o.payload)::text AS data,
        f.metadata::text AS metadata, date_part('epoch', f.occurred_at) AS occurred_at""",
    joined="LEFT JOIN tidings.facts f ON f.id = o.fact_id",
    on_finish=""", blocked AS (
            UPDATE tidings.outbox_keys k SET expires_at = now() + $6::interval FROM gone
            WHERE $5 AND gone.fact_id IS NULL AND k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key
              AND k.intent_id = gone.id
        ), freed AS (
            DELETE FROM tidings.outbox_keys k USING gone
            WHERE NOT $5 AND gone.fact_id IS NULL AND k.tenant = gone.tenant AND k.kind = gone.kind AND k.key = gone.key
              AND k.intent_id = gone.id
        )""",
)
