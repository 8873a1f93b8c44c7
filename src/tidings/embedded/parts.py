"""The parts of the stack and how they find each other: addresses, keys, environments."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tidings.embedded.files import read_or_make
from tidings.embedded.ports import free_port, is_free
from tidings.embedded.probes import http_ok
from tidings.embedded.process import Child
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 (recognised, not bound to)
_BEYOND_STOP_WITHIN = timedelta(seconds=5)


@dataclass(frozen=True)
class Listener:
    """Where the API listens, and under which host it is reached from here."""

    bind: str
    port: int

    @property
    def host(self) -> str:
        return _ANY_ADDRESS.get(self.bind, self.bind)

    @property
    def url(self) -> str:
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"

    async def is_ready(self, pid: int) -> bool:
        return await http_ok(self.host, self.port, "/readyz")


def api_listener(settings: Settings) -> Listener:
    """The API's address, free at this moment, or `Misconfigured`."""
    bind, port = settings.api.host, settings.api.port
    if port == 0:
        return Listener(bind, free_port(host=bind))
    if not is_free(port, bind):
        raise Misconfigured(f"port {port} of {bind} is taken by another program: set TIDINGS_API_PORT to another, or 0")
    return Listener(bind, port)


def master_key(settings: Settings, data_dir: Path) -> dict[str, str]:
    """The environment that carries the master key: the configured one, or one made for this directory."""
    if settings.master_key is not None:
        return {"TIDINGS_MASTER_KEY": settings.master_key.get_secret_value()}
    file = (settings.master_key_file or data_dir / "master.key").absolute()
    if settings.master_key_file is None:
        read_or_make(file, _new_key)
    return {"TIDINGS_MASTER_KEY_FILE": str(file)}


def _new_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def api_child(command: Sequence[str], environment: dict[str, str], listener: Listener) -> Child:
    return Child("API", command, os.environ | environment, ready=listener.is_ready)


def worker_child(command: Sequence[str], environment: dict[str, str], settings: Settings) -> Child:
    patience = settings.worker.stop_within + _BEYOND_STOP_WITHIN
    return Child("worker", command, os.environ | environment, stop_within=patience)
