"""Lets nobody build a package without the web UI in it. An editable install may: `make ui` comes after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WithTheUi(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        built = Path(self.root) / "src/tidings/api/ui/index.html"
        if version != "editable" and not built.is_file():
            raise RuntimeError("the web UI is not built: run `make ui`, then build the package again")
