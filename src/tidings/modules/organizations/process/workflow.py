"""Taking on an organisation: eight steps forward, or back to where nothing of it is left."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, FailureError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from tidings.modules.organizations.model import UNDOES, Step, Undo
    from tidings.modules.organizations.process.contracts import (
        BEGIN_UNDOING,
        COMPLETE,
        CONFIGURE_DNS,
        COUNT_MAILS,
        CREATE,
        FINISH,
        GRANT,
        INVITE,
        MAIL,
        STEPS,
        UNDO,
        UNDO_FAILED,
        VERIFY_DNS,
        BootstrapInput,
        BootstrapRef,
        BootstrapResult,
        BootstrapStatus,
        Mails,
        Progress,
        StepStatus,
        Trouble,
        UndoFailure,
        Verified,
    )
    from tidings.spine.processes.calling import call
    from tidings.spine.processes.contracts import Contract, Patience, R


class _Stopped(Exception):
    """A step was finished after somebody had stopped the bootstrap: none comes after it."""


@workflow.defn(name="OrganizationBootstrapWorkflow")
class OrganizationBootstrapWorkflow:
    """The way forward is one task and the way back another. The first is cancelled by a signal, by Temporal or when its
    time is up, and is waited for; nothing reaches the second."""

    @workflow.init
    def __init__(self, given: BootstrapInput) -> None:
        self.limits, self.ref = given.limits, given.ref
        self.status = "running"
        self.stage: Step | None = None
        self.done: list[Step] = []
        self.undos: list[Undo] = []
        self.undone: list[Undo] = []
        self.stopped: Trouble | None = None
        self.mails = Mails()
        self.tries = 0
        self.last: Verified | None = None
        self.waits_until: datetime | None = None
        self.heard_retries = self.heard_mails = 0

    @workflow.run
    async def run(self, given: BootstrapInput) -> BootstrapResult:
        """Fails with the first error where it failed; whoever cancelled it is told so."""
        forward = asyncio.ensure_future(self._forward())
        from_outside = await self._watch(forward)
        if trouble := self._trouble(forward):
            self.status = "compensating"
            back = asyncio.ensure_future(self._back(trouble))
            await _through(back)
            self.status = back.result()
            if from_outside:
                raise asyncio.CancelledError
            if self.status == "failed":
                raise ApplicationError(trouble.error, type="BootstrapFailed", non_retryable=True)
        else:
            self.status = "completed"
        return BootstrapResult(organization_id=self.ref.organization_id, status=self.status, mails=self.mails)

    @workflow.signal
    def retry_dns_verification(self, argument: Any = None) -> None:
        self.heard_retries += 1

    @workflow.signal
    def cancel(self, why: Any = None) -> None:
        self._stop("cancelled", str(why or "it was cancelled"))

    @workflow.signal
    def mails_settled(self, argument: Any = None) -> None:
        self.heard_mails += 1

    @workflow.query(name="status")
    def _status(self) -> BootstrapStatus:
        return BootstrapStatus(
            status=self.status,
            stage=self.stage,
            error=None if self.stopped is None else self.stopped.error,
            verification_tries=self.tries,
            last_verification=None if self.last is None else self.last.quorum,
            waits_until=self.waits_until,
            mails=self.mails,
        )

    @workflow.query
    def progress(self) -> Progress:
        failed = self.stopped
        steps = [
            StepStatus(
                step=step,
                completed=step in self.done,
                error=failed.error if failed is not None and failed.stage == step else None,
            )
            for step in STEPS
        ]
        return Progress(steps=steps, mails=self.mails, undone=[str(undo) for undo in self.undone])

    async def _watch(self, forward: asyncio.Future[None]) -> bool:
        """Until the way forward has come to an end. Returns whether Temporal was told to cancel it."""
        from_outside = False
        try:
            await workflow.wait_condition(lambda: forward.done() or self.stopped is not None, timeout=self.limits.total)
        except TimeoutError:
            self._stop("failed", f"it was not done within {_minutes(self.limits.total)}")
        except asyncio.CancelledError:
            from_outside = True
            self._stop("cancelled", "it was cancelled in Temporal")
        if not forward.done():
            forward.cancel()
        await _through(forward)
        return from_outside

    def _stop(self, how: str, why: str) -> None:
        """The first reason counts."""
        if self.stopped is None and self.status == "running":
            self.stopped = Trouble(**self.ref.model_dump(), how=how, stage=self.stage or Step.CREATE, error=why)

    def _trouble(self, forward: asyncio.Future[None]) -> Trouble | None:
        """Why it is to be undone. What was finished in spite of a cancel that came too late is none."""
        if forward.cancelled():
            return self.stopped
        error = forward.exception()
        if error is None:
            return None
        if not isinstance(error, _Stopped | asyncio.CancelledError) and not is_cancelled_exception(error):
            self._stop("failed", _said(error))
        return self.stopped

    async def _forward(self) -> None:
        patience = self.limits.patience
        await self._step(Step.CREATE, CREATE, patience.facts)
        await self._step(Step.GRANT, GRANT, patience.facts)
        await self._step(Step.CONFIGURE_DNS, CONFIGURE_DNS, patience.dns)
        until = workflow.now() + self.limits.dns_timeout
        await self._propagation(until)
        await self._verification(until)
        await self._step(Step.INVITE, INVITE, patience.inviting)
        await self._mailing()
        self.stage = Step.COMPLETE
        await call(COMPLETE, self.ref, patience.facts, awaited=True)
        self.done.append(Step.COMPLETE)

    async def _step(self, step: Step, contract: Contract[BootstrapRef, R], patience: Patience) -> R:
        """What undoes it is put down before it begins: nobody knows how much of it is done when it fails."""
        self.stage = step
        if step in UNDOES:
            self.undos.append(UNDOES[step])
        result = await self._called(contract, patience)
        self.done.append(step)
        return result

    async def _called(self, contract: Contract[BootstrapRef, R], patience: Patience) -> R:
        result = await call(contract, self.ref, patience, awaited=True)
        if self.stopped is not None:
            raise _Stopped
        return result

    async def _propagation(self, until: datetime) -> None:
        self.stage = Step.WAIT
        await self._pause(min(workflow.now() + self.limits.propagation, until), self._another_retry())
        self.done.append(Step.WAIT)

    async def _verification(self, until: datetime) -> None:
        """So many tries, so far apart, within the time; one that somebody asked for is one more."""
        self.stage, counted = Step.VERIFY_DNS, 0
        while True:
            asked = self._another_retry()
            self.tries += 1
            self.last = await self._called(VERIFY_DNS, self.limits.patience.verifying)
            if self.last.verified:
                break
            counted += 1
            if counted >= self.limits.verify_tries or workflow.now() >= until:
                raise ApplicationError(
                    f"DNS has not propagated: {self.last.quorum} resolvers have it, after {self.tries} tries",
                    type="NotPropagated",
                    non_retryable=True,
                )
            if await self._pause(min(workflow.now() + self.limits.verify_every, until), asked):
                counted -= 1
        self.done.append(Step.VERIFY_DNS)

    async def _mailing(self) -> None:
        """What still waits when the time is up has not failed; but where all have, nobody can come in."""
        self.stage = Step.MAIL
        self.mails = await self._called(MAIL, self.limits.patience.mailing)
        until = workflow.now() + self.limits.mails
        while True:
            heard = self.heard_mails
            self.mails = await self._called(COUNT_MAILS, self.limits.patience.facts)
            if not self.mails.waiting or workflow.now() >= until:
                break
            await self._pause(until, lambda heard=heard: self.heard_mails != heard)  # type: ignore[misc]
        if self.mails.failed and not self.mails.sent and not self.mails.waiting:
            raise ApplicationError("none of the invitations could be mailed", type="NobodyInvited", non_retryable=True)
        self.done.append(Step.MAIL)

    def _another_retry(self) -> Callable[[], bool]:
        heard = self.heard_retries
        return lambda: self.heard_retries != heard

    async def _pause(self, until: datetime, sooner: Callable[[], bool]) -> bool:
        """Until then, or `sooner`. Returns whether it was."""
        self.waits_until = until
        try:
            await workflow.wait_condition(sooner, timeout=max(until - workflow.now(), timedelta(0)))
        except TimeoutError:
            return False
        finally:
            self.waits_until = None
        return True

    async def _back(self, trouble: Trouble) -> str:
        """Everything that may have been done, the last first. What cannot be undone now is tried again elsewhere.

        Returns how it ended: a step that was done and not heard of may have made it complete.
        """
        patience = self.limits.patience
        with contextlib.suppress(ActivityError):
            await call(BEGIN_UNDOING, trouble, patience.undoing)
        for undo in reversed(self.undos):
            try:
                await call(UNDO[undo], self.ref, self._patience_with(undo))
            except ActivityError as error:
                failure = UndoFailure(**self.ref.model_dump(), undo=undo, error=_said(error))
                with contextlib.suppress(ActivityError):
                    await call(UNDO_FAILED, failure, patience.undoing)
            else:
                self.undone.append(undo)
        with contextlib.suppress(ActivityError):
            return await call(FINISH, trouble, patience.undoing)
        return trouble.how

    def _patience_with(self, undo: Undo) -> Patience:
        patience = self.limits.patience
        return patience.undoing_dns if undo is Undo.REMOVE_DNS else patience.undoing


async def _through(task: asyncio.Future[Any]) -> None:
    """Waits for its end, however it ends, and however often we are cancelled meanwhile."""
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await asyncio.shield(task)


def _said(error: BaseException) -> str:
    """The error in the words of whoever made it."""
    cause = error.cause if isinstance(error, ActivityError) else error
    return (cause.message if isinstance(cause, FailureError) else str(cause)) or type(error).__name__


def _minutes(span: timedelta) -> str:
    return f"{span.total_seconds() / 60:g} minutes"
