"""New workflow code replays every history that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner
from temporalio.workflow import NondeterminismError

from tests.modules.events.process.recording import KEPT, kept_of
from tests.modules.events.process.scenarios import SCENARIOS
from tests.support.temporal import keyring_of_tests
from tidings.modules.events.process.contracts import LOOK, EventInput
from tidings.modules.events.process.workflow import EventWorkflow
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.calling import call
from tidings.spine.processes.codec import sealing_converter

HISTORIES = sorted(KEPT.glob("*.json"))
CONVERTER = sealing_converter(keyring_of_tests().vault(PROCESSES))


def history(file: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json("event-1", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_has_a_history(scenario: str) -> None:
    assert kept_of(scenario), "record it: python -m tests.modules.events.process.recording"


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
async def test_what_ran_before_replays(file: Path) -> None:
    await Replayer(workflows=[EventWorkflow], data_converter=CONVERTER).replay_workflow(history(file))


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


@pytest.mark.parametrize("file", kept_of("cancelled") + kept_of("gave_up"), ids=lambda file: file.stem)
async def test_steps_in_another_order_do_not_replay(file: Path) -> None:
    """The test of the test."""
    replayer = Replayer(workflows=[Reordered], data_converter=CONVERTER, workflow_runner=UnsandboxedWorkflowRunner())
    with pytest.raises(NondeterminismError):
        await replayer.replay_workflow(history(file))
