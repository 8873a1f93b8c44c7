"""New workflow code replays every history that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.workflow import NondeterminismError

from tests.modules.organizations.process.lives import LIVES
from tests.modules.organizations.process.recording import KEPT
from tests.support.histories import replayed
from tidings.modules.organizations.model import Step
from tidings.modules.organizations.process.contracts import GRANT, BootstrapInput, BootstrapResult
from tidings.modules.organizations.process.workflow import OrganizationBootstrapWorkflow


@pytest.mark.parametrize("life", LIVES)
def test_every_life_has_a_history(life: str) -> None:
    assert KEPT.of(life), "record it: python -m tests.modules.organizations.process.recording"


@pytest.mark.parametrize("file", KEPT.files, ids=lambda file: file.stem)
async def test_what_ran_before_replays(file: Path) -> None:
    await replayed(OrganizationBootstrapWorkflow, file)


@workflow.defn(name="OrganizationBootstrapWorkflow")
class Reordered(OrganizationBootstrapWorkflow):
    """Grants permissions before there is an organisation."""

    @workflow.init
    def __init__(self, given: BootstrapInput) -> None:
        super().__init__(given)

    @workflow.run
    async def run(self, given: BootstrapInput) -> BootstrapResult:
        return await super().run(given)

    async def _forward(self) -> None:
        await self._step(Step.GRANT, GRANT, self.limits.patience.facts)
        await super()._forward()


@pytest.mark.parametrize("file", KEPT.of("taken_on", "cancelled_while_it_waits"), ids=lambda file: file.stem)
async def test_steps_in_another_order_do_not_replay(file: Path) -> None:
    """The test of the test."""
    with pytest.raises(NondeterminismError):
        await replayed(Reordered, file, sandboxed=False)
