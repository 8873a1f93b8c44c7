"""Organisations: workers and Temporal are killed while hundreds are taken on, cancelled, terminated, refused.

The provider of DNS loses answers; to some it gives none, and does what it was asked for when all is over. Others had
records of some of the names before. Then somebody looks once for what was left, and it is judged by what there is at
the providers of DNS and of mail, and in the tables.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import UUID

from tests.chaos.endpoint import Endpoint
from tests.chaos.foundings import LIMITS, Fate, Foundings
from tests.chaos.gatherings import gathering, running_mails
from tests.chaos.processes import Life
from tests.chaos.report import Parts
from tests.chaos.tenants import SENDING
from tests.chaos.waiting import Violated, until
from tests.chaos.world import World
from tests.modules.organizations.dns.servers.cloudflare import cloudflare
from tests.support.founding import BASE, Founder
from tests.support.taking_on import surroundings
from tests.support.temporal import DevServer
from tidings.modules.organizations.model import mark_of

NAME = "organizations: kill -9 of workers and Temporal"
ONLY_AT_LENGTH = True  # a step whose worker was killed is tried again after twenty seconds
_CLOSED = "SELECT count(*) FROM tidings.organizations_projection WHERE closed_at IS NOT NULL"
_OPEN = """
SELECT (SELECT count(*) FROM tidings.organizations_projection WHERE closed_at IS NULL AND id <> ALL ($1))
    + (SELECT count(*) FROM tidings.deliveries)
    + (SELECT count(*) FROM tidings.outbox WHERE kind LIKE 'notice.%' OR kind LIKE 'process.%'
       OR kind = 'organization.undo')
"""
_LEFT = """
SELECT (SELECT count(*) FROM tidings.user_invitations_projection i JOIN tidings.organizations_projection o
            ON o.id = i.organization_id WHERE i.status = 'pending' AND o.status <> 'completed')
    + (SELECT count(*) FROM tidings.organization_permissions_projection p JOIN tidings.organizations_projection o
            ON o.id = p.organization_id WHERE p.revoked_at IS NULL AND o.status <> 'completed')
    + (SELECT count(*) FROM tidings.organizations_projection WHERE left_over <> '{}')
    + (SELECT count(*) FROM tidings.organizations_projection WHERE active <> (status = 'completed'))
"""
_INVITED = """
SELECT i.organization_id, a.value AS address, i.issue, i.mail_status FROM tidings.user_invitations_projection i
JOIN tidings.addresses a ON a.id = i.address_id
"""


@dataclass(frozen=True)
class Size:
    fates: Mapping[Fate, int]
    workers: int
    kills: int  # of all workers, of Temporal, or of them all, while there is something to do
    lag: int  # from so many listings a new record is missing
    guard: float


FULL = Size(
    {
        Fate.NOTHING: 180,
        Fate.CANCELLED: 50,
        Fate.TERMINATED: 20,
        Fate.REFUSED: 15,
        Fate.HUNG: 5,
        Fate.ELSEWHERE: 10,
        Fate.ANOTHERS: 5,
        Fate.ALIKE: 15,
    },
    workers=2,
    kills=8,
    lag=1,
    guard=1_500,
)
SHORT = Size(
    {Fate.NOTHING: 3, Fate.CANCELLED: 2, Fate.TERMINATED: 1, Fate.REFUSED: 1, Fate.ELSEWHERE: 1},
    workers=1,
    kills=1,
    lag=0,
    guard=120,
)


@dataclass
class Play:
    world: World
    size: Size
    foundings: Foundings
    endpoint: Endpoint
    settings: dict[str, str]
    lives: list[Life] = field(default_factory=list)
    temporal_kills: int = 0

    def start_workers(self) -> None:
        self.lives = [self.world.worker(**self.settings) for _ in range(self.size.workers)]

    async def rage(self) -> None:
        """Kills spread over the ends of bootstraps."""
        whole = len(self.foundings.fates) - self.size.fates.get(Fate.TERMINATED, 0)
        for n in range(self.size.kills):
            wanted = whole * (n + self.world.random.random()) / (self.size.kills + 1)

            async def have_ended(wanted: float = wanted) -> bool:
                return await self.world.count(_CLOSED) >= wanted

            await until(have_ended, f"{wanted:.0f} bootstraps end", self.size.guard)
            await self.kill(f"after {wanted:.0f} bootstraps", workers=n % 3 < 2, temporal=n % 3 > 0)

    async def kill(self, where: str, *, workers: bool, temporal: bool) -> None:
        if temporal:
            self.foundings.temporal.kill()
            self.temporal_kills += 1
        for life in self.lives if workers else ():
            await self.world.processes.kill(life, where)
        if temporal:
            await asyncio.to_thread(self.foundings.temporal.start)
        if workers:
            self.start_workers()

    async def over(self) -> None:
        """All that goes on by itself has come to its end."""
        terminated = list(self.foundings.meddled & self.foundings.of(Fate.TERMINATED))

        async def is_over() -> bool:
            return not await self.world.count(_OPEN, terminated)

        await until(is_over, "every bootstrap ends, and every mail", self.size.guard)
        if any(life.ended for life in self.lives):
            raise Violated("a worker that nobody killed ended by itself")

    async def look(self, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        """What a command of the operator's finds."""
        environment = self.world.environment | self.settings | {"TIDINGS_LOG_LEVEL": "error"}
        code, said = await self.world.processes.command([*arguments, "--json"], environment)
        try:
            return code, list(json.loads(said))
        except ValueError:
            raise Violated(f"{' '.join(arguments)} ended with {code}, and said {said}") from None


async def run(world: World, size: Size) -> Parts:
    temporal = DevServer(file=world.processes.home / "temporal.db")
    try:
        async with (
            running_mails() as endpoint,
            gathering(world, endpoint) as there,
            cloudflare((BASE,)) as provider,
            surroundings(provider, temporal.address) as settings,
        ):
            await asyncio.to_thread(temporal.start)
            provider.lag = size.lag
            foundings = Foundings(Founder(there.pool, limits=LIMITS), there.owner, provider, temporal, world.random)
            own = {"TIDINGS_ORGANIZATIONS_DOMAINS": f"default={BASE}", "TIDINGS_OUTBOX_LEASE": "3s"}
            play = Play(world, size, foundings, endpoint, {**SENDING, **settings, **own})
            await foundings.ask(size.fates)
            play.start_workers()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(foundings.meddle())
                tasks.create_task(play.rage())
            await play.over()
            found = await _reconciled(play)
            return await _judge(play, found)
    finally:
        temporal.kill()


async def _reconciled(play: Play) -> Counter[str]:
    """One look mends all of it; the next finds nothing but what belongs to somebody else."""
    provider = play.foundings.provider
    provider.faults.clear()
    provider.lag = 0
    provider.land()
    code, found = await play.look("organizations", "reconcile")
    unmended = [each for each in found if not each["mended"] and each["what"] != "dns_unknown"]
    if code or unmended:
        raise Violated(f"the look ended with {code}, and could not mend {unmended}")
    code, again = await play.look("organizations", "reconcile")
    if code or any(each["what"] != "dns_unknown" for each in again):
        raise Violated(f"the next look ended with {code}, and still found {again}")
    if len(again) != len(play.foundings.of(Fate.ANOTHERS)):
        raise Violated(f"of records of another installation it told {again}")
    code, differing = await play.look("projections", "rebuild", "--dry-run")
    if code or differing:
        raise Violated(f"projections are not what their facts say: {differing}")
    return Counter(each["what"] for each in found if each["mended"])


async def _judge(play: Play, mended: Counter[str]) -> Parts:
    rows = await play.world.fetch("SELECT id, status, error FROM tidings.organizations_projection")
    statuses = {row["id"]: row["status"] for row in rows}
    for row in rows:
        _require_end(play.foundings, row["id"], row["status"], row["error"])
    if left := await play.world.count(_LEFT):
        raise Violated(f"{left} invitations, permissions and undos are left")
    records = _judge_records(play.foundings, statuses)
    again = await _judge_mails(play, statuses)
    ends = Counter(statuses.values())
    return {
        "bootstraps": {
            "asked for": len(statuses),
            "kills of workers": len(play.world.processes.kills),
            "kills of Temporal": play.temporal_kills,
            "cancelled in time": len(play.foundings.meddled & play.foundings.of(Fate.CANCELLED)),
            "terminated": len(play.foundings.meddled & play.foundings.of(Fate.TERMINATED)),
            **{status: ends[status] for status in ("completed", "failed", "cancelled")},
        },
        "records": {**records, **{f"mended, {what}": count for what, count in sorted(mended.items())}},
        "mails": {"sent": len(play.endpoint.by_path), "sent again under their key, by kills": again},
    }


def _require_end(foundings: Foundings, id: UUID, status: str, error: str | None) -> None:
    """What nobody meddled with ended as it had to, whatever was killed."""
    fate = foundings.fates[id]
    meddled = id in foundings.meddled
    match fate:
        case Fate.NOTHING | Fate.ALIKE:
            wanted = {"completed"}
        case Fate.CANCELLED:  # one that was done meanwhile stays so
            wanted = {"cancelled", "completed"} if meddled else {"completed"}
        case Fate.TERMINATED:
            wanted = {"failed", "completed"} if meddled else {"completed"}
        case Fate.REFUSED | Fate.HUNG | Fate.ELSEWHERE | Fate.ANOTHERS:
            wanted = {"failed"}
    if status not in wanted:
        raise Violated(f"{foundings.domains[id]} was to be {wanted}, as {fate.name}, and is {status}: {error}")


def _judge_records(foundings: Foundings, statuses: Mapping[UUID, str]) -> dict[str, int]:
    """Each belongs to an active organisation, which has one; or to a stranger, as it was."""
    there = foundings.records
    for id, record in foundings.strangers.items():  # noqa: A001
        if there.get(id) != record:
            raise Violated(f"a stranger's record {record} is now {there.get(id)}")
    ours = Counter((each["name"], each["comment"]) for key, each in there.items() if key not in foundings.strangers)
    alike = foundings.of(Fate.ALIKE)
    completed = {id for id, status in statuses.items() if status == "completed"} - alike  # noqa: A001
    wanted = Counter({(foundings.domains[id], mark_of(id)): 1 for id in completed})  # noqa: A001
    if ours != wanted:
        raise Violated(f"too many records {ours - wanted}, missing {wanted - ours}")
    return {"ours": len(completed), "of strangers, untouched": len(foundings.strangers)}


async def _judge_mails(play: Play, statuses: Mapping[UUID, str]) -> int:
    """One for each invitation under one key; again only where whoever sent it was killed before they could say so."""
    invited = await play.world.fetch(_INVITED)
    issued = {row["address"]: row for row in invited}
    if len(issued) != len(invited) or any(row["issue"] != 1 for row in invited):
        raise Violated("somebody has more than one invitation of an organisation")
    if foreign := play.endpoint.by_path.keys() - issued.keys():
        raise Violated(f"{len(foreign)} were told who are not invited, such as {min(foreign)}")
    for id, status in statuses.items():  # noqa: A001
        told = [row for row in invited if row["organization_id"] == id and row["address"] in play.endpoint.by_path]
        if status == "completed" and (len(told), {row["mail_status"] for row in told}) != (2, {"sent"}):
            raise Violated(f"{play.foundings.domains[id]} is complete, and its mails are {told}")
    again = 0
    for address, hits in play.endpoint.by_path.items():
        if len({hit.key for hit in hits}) > 1:
            raise Violated(f"{address} was told under several keys")
        for first, second in pairwise(hits):
            if not any(first.at <= kill.at <= second.at for kill in play.world.processes.kills):
                raise Violated(f"{address} was told again, and nobody was killed meanwhile")
            again += 1
    return again
