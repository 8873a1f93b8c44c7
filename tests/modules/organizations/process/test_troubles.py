"""Every step times everything that can go wrong with it; what is left is compared with what should be.

One saga for each step, all at once, for each trouble. The effects are real; what stands between them and the process is
the trouble.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
import pytest

from tests.support.founding import Saga, State
from tidings.modules.organizations.model import Step, process_of
from tidings.modules.organizations.process.contracts import (
    COMPLETE,
    CONFIGURE_DNS,
    COUNT_MAILS,
    CREATE,
    GRANT,
    INVITE,
    MAIL,
    VERIFY_DNS,
    BootstrapRef,
)
from tidings.modules.organizations.reconciling import What, compare
from tidings.spine.outbox.outcomes import Permanent

Act: TypeAlias = Callable[[BootstrapRef], Awaitable[Any]]
STEPS: Mapping[str, Step] = {
    CREATE.name: Step.CREATE,
    GRANT.name: Step.GRANT,
    CONFIGURE_DNS.name: Step.CONFIGURE_DNS,
    VERIFY_DNS.name: Step.VERIFY_DNS,
    INVITE.name: Step.INVITE,
    MAIL.name: Step.MAIL,
    COUNT_MAILS.name: Step.MAIL,
    COMPLETE.name: Step.COMPLETE,
}
ORDER = list(STEPS)
INVITED = {INVITE.name, MAIL.name, COUNT_MAILS.name, COMPLETE.name}
WORDS = "the tests do not want it"
TERMINATED = ("terminated_before", "terminated_once_done")
ATTEMPTS = {
    CREATE.name: 3,
    GRANT.name: 3,
    CONFIGURE_DNS.name: 5,
    VERIFY_DNS.name: 10,
    INVITE.name: 3,
    MAIL.name: 2,
    COUNT_MAILS.name: 3,
    COMPLETE.name: 3,
}


class Unwanted(Permanent):
    """As of a provider that will never do it."""


@dataclass
class Troubles:
    """Which step of which saga goes wrong, and how."""

    saga: Saga
    how: str
    at: dict[str, str] = field(default_factory=dict)
    tried: Counter[tuple[str, str]] = field(default_factory=Counter)

    def around(self, name: str, act: Act) -> Act:
        async def run(ref: BootstrapRef) -> Any:
            wrong = self.at[ref.organization_id]
            if self.how == "cancelled_before" and name in ORDER and ORDER[ORDER.index(name) - len(ORDER) + 1] == wrong:
                result = await act(ref)
                await self._cancel(ref)
                return result
            if name != wrong:
                return await act(ref)
            self.tried[ref.organization_id, name] += 1
            return await self._troubled(ref, act, self.tried[ref.organization_id, name])

        run.__annotations__ = {"ref": BootstrapRef, "return": Any}
        return run

    async def _troubled(self, ref: BootstrapRef, act: Act, time: int) -> Any:
        match self.how:
            case "refused":
                raise Unwanted(WORDS)
            case "refused_though_done":
                await act(ref)
                raise Unwanted(WORDS)
            case "fails_once_though_done" if time == 1:
                await act(ref)
                raise RuntimeError(WORDS)
            case "fails_each_time_though_done":
                await act(ref)
                raise RuntimeError(WORDS)
            case "dies_before_it_says_so" if time == 1:
                await act(ref)
                raise asyncpg.ConnectionDoesNotExistError(WORDS)  # what a worker that dies leaves: done, and no answer
            case "cancelled_during":
                await self._cancel(ref)
            case "terminated_before":
                await self.saga.terminate(UUID(ref.organization_id))
                raise Unwanted(WORDS)
            case "terminated_once_done":
                await act(ref)
                await self.saga.terminate(UUID(ref.organization_id))
                raise Unwanted(WORDS)
        return await act(ref)

    async def _cancel(self, ref: BootstrapRef) -> None:
        """And until the process knows."""
        handle = self.saga.skipping.client.get_workflow_handle(f"org-bootstrap-{ref.organization_id}")
        await handle.signal("cancel", "the tests cancel it")
        while (await handle.query("status"))["error"] is None:
            await asyncio.sleep(0.01)


def undone(name: str, status: str, error: str) -> dict[str, Any]:
    return {
        "status": status,
        "error": error,
        "active": False,
        "holds_subdomain": False,
        "records": 0,
        "granted": 0,
        "invitations": {"revoked": 2} if name in INVITED else {},
        "left_over": (),
    }


COMPLETED = {
    "status": "completed",
    "error": None,
    "active": True,
    "holds_subdomain": True,
    "records": 1,
    "granted": 11,
    "invitations": {"pending": 2},
    "left_over": (),
}


def expected(how: str, name: str) -> dict[str, Any]:
    """What is to be left of a saga to whose step that happened."""
    done = how in ("refused_though_done", "fails_each_time_though_done", "cancelled_during", "terminated_once_done")
    if how in ("fails_once_though_done", "dies_before_it_says_so") or (name == COMPLETE.name and done):
        return COMPLETED  # what is complete stays so, whoever does not hear of it
    if how in ("cancelled_before", "cancelled_during"):
        wanted = undone(name, "cancelled", "the tests cancel it")
        if how == "cancelled_before" and name == INVITE.name:
            wanted["invitations"] = {}
        return wanted
    wanted = undone(name, "failed", "the process was terminated" if how in TERMINATED else WORDS)
    if how in ("refused", "terminated_before") and name == INVITE.name:
        wanted["invitations"] = {}
    return wanted


def seen(state: State) -> dict[str, Any]:
    return {
        "status": state.status,
        "error": state.error,
        "active": state.active,
        "holds_subdomain": state.holds_subdomain,
        "records": state.records,
        "granted": state.granted,
        "invitations": dict(state.invitations),
        "left_over": tuple(state.left_over),
    }


@pytest.mark.parametrize(
    "how",
    [
        "refused",
        "refused_though_done",
        "fails_once_though_done",
        "fails_each_time_though_done",
        "dies_before_it_says_so",
        "cancelled_before",
        "cancelled_during",
        *TERMINATED,
    ],
)
@pytest.mark.filterwarnings("ignore:Cannot find activity to cancel")  # of one that ends as its process is terminated
async def test_nothing_is_left_that_should_not_be(saga: Saga, how: str) -> None:
    troubles = Troubles(saga, how)
    steps = [name for name in ORDER if how != "cancelled_before" or name != CREATE.name]
    asked = {name: await saga.founder.ask(f"org-{number}") for number, name in enumerate(steps)}
    troubles.at = {str(id): name for name, id in asked.items()}  # noqa: A001
    async with saga.stage.performed(saga.troubled(troubles.around)):
        await saga.stage.pass_on()
        await saga.all_ended(*asked.values())
    if how in TERMINATED:
        closed = {each.organization_id for each in await saga.reconcile() if each.what is What.PROCESS_ENDED}
        assert closed == {asked[name] for name in steps if expected(how, name) != COMPLETED}
    found = {name: seen(await saga.founder.state(id)) for name, id in asked.items()}  # noqa: A001
    assert found == {name: expected(how, name) for name in steps}
    for name, id in asked.items():  # noqa: A001
        organization = await saga.founder.organization(id)
        if how not in TERMINATED:
            assert (organization.stage or STEPS[name]) == _stage(how, name)
        assert await compare(saga.pool, "default", id, mends=False) == []
        assert [fact for fact, _ in await saga.founder.facts(id)][-1].startswith("organization.bootstrap.")
        assert process_of(id) == organization.process
    assert await saga.reconcile(mends=False) == []
    if how == "fails_each_time_though_done":
        assert {name: troubles.tried[str(asked[name]), name] for name in steps} == ATTEMPTS


def _stage(how: str, name: str) -> Step:
    """Where it came to grief: what was cancelled before a step came to it in the one before."""
    if how != "cancelled_before":
        return STEPS[name]
    return STEPS[ORDER[ORDER.index(name) - 1]]
