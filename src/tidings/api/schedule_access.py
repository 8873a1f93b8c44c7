"""Who asks about schedules of reports: their own are theirs; an admin may see to all of the tenant's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from tidings.api.desk import Desk
from tidings.api.exchange import exchange_of
from tidings.api.numbers import number
from tidings.api.shown.reports import shown_schedule
from tidings.kit.errors import Forbidden
from tidings.modules.reports.model import WRITES_WITHIN
from tidings.modules.reports.runs import Runs
from tidings.modules.reports.schedules import Schedules
from tidings.spine.access.identity import Role
from tidings.spine.access.limiter import Limiter

ScheduleId = Annotated[int, number("scheduleId")]
RunId = Annotated[int, number("runId")]


@dataclass(frozen=True)
class Clerk:
    """Somebody at the desk."""

    at: Desk

    @property
    def owner(self) -> str:
        """Whose is what they make: the login's, also where a key of theirs acts."""
        who = self.at.identity
        return who.actor if who.user_id is None else f"user:{who.user_id}"

    @property
    def own(self) -> Schedules:
        return self._of(self.owner)

    @property
    def schedules(self) -> Schedules:
        """Those that they may see to."""
        return self.all if self._is_admin else self.own

    @property
    def all(self) -> Schedules:
        if not self._is_admin:
            raise Forbidden("Only an admin sees the schedules of others.")
        return self._of(None)

    @property
    def runs(self) -> Runs:
        return Runs(self.at.connection, self.at.tenant)

    async def shown(self, id: int) -> dict[str, Any]:
        schedules = self.schedules
        return shown_schedule(await schedules.get(id), await schedules.recipients(id))

    async def now(self) -> datetime:
        now: datetime = await self.at.connection.fetchval("SELECT now()")
        return now

    async def count_write(self) -> None:
        """`RateLimited` for who makes or changes schedules too often. The answer tells of this rate."""
        bucket = f"schedules:{self.at.tenant}:{self.owner}"
        most = self.at.parts.settings.reports.writes
        taken = await Limiter(self.at.parts.pool).take(bucket, most, WRITES_WITHIN)
        added = exchange_of(self.at.request.scope).added
        told = {b"x-ratelimit-limit": taken.limit, b"x-ratelimit-remaining": taken.remaining,
                b"x-ratelimit-reset": taken.reset_seconds}  # fmt: skip
        added[:] = [each for each in added if each[0] not in told] + [(name, b"%d" % n) for name, n in told.items()]
        taken.require()

    def _of(self, owner: str | None) -> Schedules:
        return Schedules(self.at.connection, self.at.tenant, owner, self.at.parts.settings.reports.active)

    @property
    def _is_admin(self) -> bool:
        return self.at.identity.role.reaches(Role.ADMIN)
