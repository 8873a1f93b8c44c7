"""The one way to Temporal. Nobody waits for it at the start, and nobody pays for its import who does not use it."""

from __future__ import annotations

import asyncio
import atexit
import logging
import time
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import structlog

from tidings.kit.crypto import Vault
from tidings.kit.settings import TemporalSettings
from tidings.spine.processes.absence import TemporalAway

if TYPE_CHECKING:
    from temporalio.client import Client
    from temporalio.runtime import Runtime
    from temporalio.service import TLSConfig

log = structlog.get_logger("tidings.processes")

_REST = 1.0  # seconds after a failed attempt in which nobody tries another


@dataclass
class Temporal:
    """Connects when it is first asked for, and again when it is asked while there is no connection.

    A connection that was made once mends itself.
    """

    settings: TemporalSettings
    vault: Vault
    connecting: asyncio.Lock = field(default_factory=asyncio.Lock)
    connected: Client | None = None
    resting_until: float = 0.0
    said: str = ""

    async def client(self) -> Client:
        """`TemporalAway` where there is none, or no address is set."""
        if self.connected is None:
            async with self.connecting:
                if self.connected is None:
                    self.connected = await self._connect()
        return self.connected

    async def _connect(self) -> Client:
        if not self.settings.address:
            raise TemporalAway("no address of Temporal is set (TIDINGS_TEMPORAL_ADDRESS)")
        if time.monotonic() < self.resting_until:
            raise TemporalAway
        try:
            return await self._connected_to(self.settings.address)
        except (RuntimeError, OSError, ValueError) as error:  # what the SDK raises is a RuntimeError
            self._rest(repr(error))
            raise TemporalAway from error

    def _rest(self, reason: str) -> None:
        """Says why once, however often it is tried."""
        self.resting_until = time.monotonic() + _REST
        if reason != self.said:
            log.warning("cannot connect to Temporal", address=self.settings.address, error=reason)
            self.said = reason

    async def _connected_to(self, address: str) -> Client:
        for module in ("temporalio.client", "tidings.spine.processes.codec"):  # half a second: not on the loop
            await asyncio.to_thread(import_module, module)
        from temporalio.client import Client
        from temporalio.service import RetryConfig

        from tidings.spine.processes.codec import sealing_converter

        key = self.settings.api_key
        async with asyncio.timeout(self.settings.patience.total_seconds()):
            return await Client.connect(
                address,
                namespace=self.settings.namespace,
                api_key=key.get_secret_value() if key else None,
                tls=self._tls() or (True if self.settings.tls else None),
                data_converter=sealing_converter(self.vault),
                retry_config=RetryConfig(max_retries=3, max_elapsed_time_millis=self._patience_millis),
                connect_timeout=self.settings.patience,
                runtime=_runtime(),
            )

    def _tls(self) -> TLSConfig | None:
        """Certificates of our own, where there are any."""
        from temporalio.service import TLSConfig

        authority, own, key = self.settings.tls_ca_file, self.settings.tls_cert_file, self.settings.tls_key_file
        if authority is None and own is None:
            return None
        return TLSConfig(
            server_root_ca_cert=authority.read_bytes() if authority else None,
            client_cert=own.read_bytes() if own else None,
            client_private_key=key.read_bytes() if key else None,
        )

    @property
    def _patience_millis(self) -> int:
        return int(self.settings.patience.total_seconds() * 1000)


@cache
def _runtime() -> Runtime:
    """The SDK's threads, one set for a process. What they log goes where everything does, not to standard output.

    They need a moment at exit, or the process aborts now and then (temporalio/sdk-python#300).
    """
    from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter

    atexit.register(time.sleep, 0.1)
    forwarding = LogForwardingConfig(logging.getLogger("temporalio"), append_target_to_name=False)
    levels = TelemetryFilter(core_level="WARN", other_level="ERROR")
    return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(levels, forwarding)))
