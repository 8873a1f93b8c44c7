"""Histories of processes that are kept, so that new code must replay them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner

from tests.support.postgres import embedded_18
from tests.support.temporal import Stage, histories, keyring_of_tests
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.codec import sealing_converter

Lived: TypeAlias = tuple[Stage, str]
Live: TypeAlias = Callable[[str, str], AbstractAsyncContextManager[Lived]]
"""Lives a scenario on the database of that address; on which stage, and the id of its process."""
_CONVERTER = sealing_converter(keyring_of_tests().vault(PROCESSES))


@dataclass(frozen=True)
class Kept:
    """A file for each run of the process of each scenario."""

    folder: Path

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    def of(self, *scenarios: str) -> list[Path]:
        return [file for scenario in scenarios for file in sorted(self.folder.glob(f"{scenario}.*.json"))]

    def record(self, scenarios: Iterable[str], live: Live) -> None:
        """Writes those of scenarios that have none yet. What is there stays, as long as such processes may still run;
        with `--all` on the command line, new ones are written beside it."""
        wanted = [scenario for scenario in scenarios if "--all" in sys.argv or not self.of(scenario)]
        with embedded_18() as server:
            for scenario in wanted:
                with server.database() as url:
                    print(*asyncio.run(self._recorded(scenario, live(url, scenario))), sep="\n")

    async def _recorded(self, scenario: str, living: AbstractAsyncContextManager[Lived]) -> list[Path]:
        async with living as (stage, id):  # noqa: A001
            runs = await histories(await stage.temporal.client(), id)
        day = datetime.now(UTC).strftime("%Y-%m-%d")
        files = [self.folder / f"{scenario}.{day}.{number}.json" for number in range(1, len(runs) + 1)]
        for file, run in zip(files, runs, strict=True):
            file.write_text(WorkflowHistory(id, list(run.events)).to_json() + "\n", encoding="utf-8")
        return files


def replayed(workflow: type[Any], file: Path, *, sandboxed: bool = True) -> Awaitable[Any]:
    """`NondeterminismError` where the workflow would not have taken these steps."""
    runner = {} if sandboxed else {"workflow_runner": UnsandboxedWorkflowRunner()}
    replayer = Replayer(workflows=[workflow], data_converter=_CONVERTER, **runner)  # type: ignore[arg-type]
    return replayer.replay_workflow(WorkflowHistory.from_json("kept", file.read_text(encoding="utf-8")))
