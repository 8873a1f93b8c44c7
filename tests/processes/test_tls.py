"""A Temporal that is reached over TLS, and wants to see a certificate."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import trustme

from tests.support.temporal import DevServer, keyring_of_tests
from tidings.kit.settings import TemporalSettings
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.health import fault_of


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
async def behind_tls(temporal_server: DevServer, authority: trustme.CA) -> AsyncIterator[str]:
    """The development server, behind a front that asks for a certificate of this authority."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["h2"])
    authority.configure_trust(context)
    authority.issue_cert("localhost").configure_cert(context)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", temporal_server.port)
        await asyncio.gather(_pass_on(reader, inner_writer), _pass_on(inner_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    yield f"localhost:{server.sockets[0].getsockname()[1]}"
    server.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def fault(**settings: object) -> str | None:
    given = TemporalSettings.model_validate({"patience": timedelta(seconds=3), **settings})
    return await fault_of(Temporal(given, keyring_of_tests().vault(PROCESSES)), 5)


async def test_it_takes_the_right_certificates(behind_tls: str, authority: trustme.CA, tmp_path: Path) -> None:
    trusted, shown, key = tmp_path / "ca.pem", tmp_path / "cert.pem", tmp_path / "key.pem"
    ours = authority.issue_cert("tidings.example.com")
    authority.cert_pem.write_to_path(str(trusted))
    ours.cert_chain_pems[0].write_to_path(str(shown))
    ours.private_key_pem.write_to_path(str(key))
    files = {"tls_ca_file": trusted, "tls_cert_file": shown, "tls_key_file": key}
    assert await fault(address=behind_tls, **files) is None
    assert await fault(address=behind_tls, tls_ca_file=trusted) == "Temporal cannot be reached"
    assert await fault(address=behind_tls, tls=True) == "Temporal cannot be reached"
    assert await fault(address=behind_tls) == "Temporal cannot be reached"
