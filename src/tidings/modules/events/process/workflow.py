"""The life of one event: told of as it goes live, its organiser's acts passed on in order, over when it is over."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from tidings.modules.events.process.acts import Acts
    from tidings.modules.events.process.contracts import (
        BROADCAST,
        CLOSE,
        LOOK,
        MISSING,
        TELL_LIVE,
        Act,
        ActKind,
        Broadcast,
        Carried,
        Closing,
        Dates,
        EventInput,
        EventRef,
        EventStatus,
        Seen,
        Told,
    )
    from tidings.spine.processes.calling import call
    from tidings.spine.processes.contracts import A, Contract, R


_LONGEST_PAUSE = timedelta(hours=1)


@workflow.defn(name="EventWorkflow")
class EventWorkflow:
    """Signals only put down what they bring: nothing that goes wrong with one can end the process.

    Everything is done by one loop, one step at a time, so that acts keep their order.
    """

    @workflow.init
    def __init__(self, given: EventInput) -> None:
        self.given, self.limits = given, given.limits
        self.event = EventRef(tenant=given.tenant, event_id=given.event_id)
        carried = given.carried
        self.dates = carried.dates or Dates(starts_at=given.starts_at, ends_at=given.ends_at)
        self.told_live, self.closed = carried.told_live, carried.closed
        self.participants, self.hinted_at = carried.participants, carried.hinted_at
        self.notifications, self.failed = carried.notifications, carried.failed_broadcasts
        self.cancelled = carried.cancelled
        self.in_this_run = self.heard = 0
        self.acts = Acts(
            self.limits.wait_for_missing,
            carried.last_act,
            carried.known_acts,
            set(carried.missing),
            carried.waiting_since,
            {act.act: act for act in carried.pending},
        )

    @workflow.run
    async def run(self, given: EventInput) -> str:
        """Returns `completed` or `cancelled`. Fails where there is no such event."""
        if not self.told_live:
            self._saw(await self._surely(LOOK, self.event))
            await self._tell_live()
        while not self._is_done():
            await self._step()
            if self._is_long():
                await workflow.wait_condition(workflow.all_handlers_finished)
                workflow.continue_as_new(self.given.model_copy(update={"carried": self._carried()}))
        await workflow.wait_condition(workflow.all_handlers_finished)
        assert self.closed is not None
        return self.closed

    @workflow.signal
    def participant_added(self, hints: Any) -> None:
        self._hint()

    @workflow.signal
    def participant_removed(self, hints: Any) -> None:
        self._hint()

    @workflow.signal
    def event_updated(self, told: Told) -> None:
        self._put(told, ActKind.UPDATED)

    @workflow.signal
    def send_manual_notification(self, told: Told) -> None:
        self._put(told, ActKind.ANNOUNCED)

    @workflow.signal
    def cancel_event(self, told: Told) -> None:
        self._put(told, ActKind.CANCELLED)

    @workflow.query
    def status(self) -> EventStatus:
        return EventStatus(
            status=self.closed or "active",
            participants=self.participants,
            notifications=self.notifications,
            failed_broadcasts=self.failed,
            last_act=self.acts.last,
            missing_acts=sorted(self.acts.missing),
            waiting_acts=len(self.acts.pending),
            over_at=self._over_at,
            continued_times=self.given.carried.continued,
        )

    def _hint(self) -> None:
        """However many there are: they are counted afresh, once, a while after the first."""
        if self.hinted_at is None:
            self.hinted_at = workflow.now()
            self.heard += 1

    def _put(self, told: Told, kind: ActKind) -> None:
        act = Act(kind=kind, **told.model_dump())
        self.acts.put([act])
        if act.dates is not None:
            self._take_dates(act.dates)
        self.heard += 1

    async def _step(self) -> None:
        """The one thing to be done next, or waiting for it."""
        now = workflow.now()
        self.acts.give_up(now)
        if self._is_done():
            return
        if (act := self.acts.take(now)) is not None:
            await self._broadcast(act)
        elif self.closed is None and (self.cancelled or now >= self._over_at):
            await self._close(now)
        elif self.hinted_at is not None and now >= self.hinted_at + self.limits.recount_after:
            await self._recount()
        else:
            await self._wait(now)

    async def _wait(self, now: datetime) -> None:
        """Until something is due, or comes."""
        recount = None if self.hinted_at is None else self.hinted_at + self.limits.recount_after
        times = [self.acts.wait(now), recount, None if self.closed else self._over_at]
        until, heard = min(each for each in times if each is not None), self.heard
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(lambda: self.heard != heard, timeout=until - now)

    async def _broadcast(self, act: Act) -> None:
        """Tells of it; one that gives up is on record, and the process goes on."""
        self.cancelled = self.cancelled or act.kind is ActKind.CANCELLED
        await self._notify(call(BROADCAST, Broadcast(**self.event.model_dump(), act=act), self.limits.notifying))

    async def _tell_live(self) -> None:
        await self._notify(call(TELL_LIVE, self.event, self.limits.notifying))
        self.told_live = True

    async def _notify(self, telling: Awaitable[str]) -> None:
        try:
            await telling
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            self.failed += 1
        self.notifications += 1
        self.in_this_run += 1

    async def _close(self, now: datetime) -> None:
        """Over, unless the row has it that it was moved: what tells us so may still be on its way."""
        closing = Closing(**self.event.model_dump(), now=now, over_after=self.limits.over_after)
        answer = await self._surely(CLOSE, closing)
        self.dates, self.participants = answer.seen.dates, answer.seen.participants
        self.cancelled = self.cancelled and answer.closed
        if answer.closed:
            self.closed = answer.seen.status
            self.acts.expect(answer.seen.dates.acts)

    async def _surely(self, contract: Contract[A, R], argument: A) -> R:
        """What the process cannot go on without: tried again after a while, then less and less often, for as long as it
        takes. An event that is not there ends it."""
        pause = self.limits.wait_for_missing
        while True:
            try:
                return await call(contract, argument, self.limits.other_work)
            except ActivityError as error:
                if is_cancelled_exception(error) or is_missing(error):
                    raise
            await workflow.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _recount(self) -> None:
        """A count that cannot be had is no reason to end; the next hint brings another."""
        self.hinted_at = None
        try:
            self._saw(await call(LOOK, self.event, self.limits.other_work))
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise

    def _saw(self, seen: Seen) -> None:
        self.participants = seen.participants
        self._take_dates(seen.dates)

    def _take_dates(self, dates: Dates) -> None:
        if dates.acts >= self.dates.acts:
            self.dates = dates

    def _is_done(self) -> bool:
        """Closed, and everything passed on that there was: a signal may take longer than the end does."""
        return self.closed is not None and not self.acts.is_behind and not self.acts.pending

    def _is_long(self) -> bool:
        """Whether the history is; an end that is near is not put off for it."""
        long = self.in_this_run >= self.limits.notifications_a_run
        return (long or workflow.info().is_continue_as_new_suggested()) and not self._is_done()

    @property
    def _over_at(self) -> datetime:
        return self.dates.over_at(self.limits.over_after)

    def _carried(self) -> Carried:
        return Carried(
            told_live=self.told_live,
            dates=self.dates,
            participants=self.participants,
            notifications=self.notifications,
            failed_broadcasts=self.failed,
            continued=self.given.carried.continued + 1,
            last_act=self.acts.last,
            known_acts=self.acts.known,
            missing=sorted(self.acts.missing),
            waiting_since=self.acts.waiting_since,
            pending=[self.acts.pending[number] for number in sorted(self.acts.pending)],
            hinted_at=self.hinted_at,
            cancelled=self.cancelled,
            closed=self.closed,
        )


def is_missing(error: ActivityError) -> bool:
    return isinstance(error.cause, ApplicationError) and error.cause.type == MISSING
