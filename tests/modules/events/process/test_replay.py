"""New workflow code replays every history that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.workflow import NondeterminismError

from tests.modules.events.process.recording import KEPT
from tests.modules.events.process.scenarios import SCENARIOS
from tests.support.histories import replayed
from tidings.modules.events.process.contracts import LOOK, EventInput
from tidings.modules.events.process.workflow import EventWorkflow
from tidings.spine.processes.calling import call


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_has_a_history(scenario: str) -> None:
    assert KEPT.of(scenario), "record it: python -m tests.modules.events.process.recording"


@pytest.mark.parametrize("file", KEPT.files, ids=lambda file: file.stem)
async def test_what_ran_before_replays(file: Path) -> None:
    await replayed(EventWorkflow, file)


@workflow.defn(name="EventWorkflow")
class Reordered(EventWorkflow):
    """Tells that it is live before it has looked."""

    @workflow.init
    def __init__(self, given: EventInput) -> None:
        super().__init__(given)

    @workflow.run
    async def run(self, given: EventInput) -> str:
        await self._tell_live()
        self._saw(await call(LOOK, self.event, self.limits.other_work))
        return await super().run(given)


@pytest.mark.parametrize("file", KEPT.of("cancelled", "gave_up"), ids=lambda file: file.stem)
async def test_steps_in_another_order_do_not_replay(file: Path) -> None:
    """The test of the test."""
    with pytest.raises(NondeterminismError):
        await replayed(Reordered, file, sandboxed=False)
