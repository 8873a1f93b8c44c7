from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from tests.channels.authority import authority
from tests.channels.times import NOW
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.http import HttpClient
from tidings.spine.channels.network import Network, open_network
from tidings.spine.channels.registry import Outside


@pytest.fixture(scope="session")
def ca_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    authority().cert_pem.write_to_path(path)
    return path


@pytest.fixture
def network(ca_file: Path) -> Network:
    """Loopback is allowed, and the authority of the tests trusted."""
    return open_network(NetworkSettings(allow=("127.0.0.1", "localhost"), ca_file=ca_file))


@pytest.fixture
async def outside(network: Network) -> AsyncIterator[Callable[[timedelta], Outside]]:
    """What adapters are given, with a deadline of the test's own."""
    async with AsyncExitStack() as stack:

        def made(deadline: timedelta) -> Outside:
            http = HttpClient(network, deadline, max_body=10_000, connections=10)
            stack.push_async_callback(http.close)
            return Outside(http=http, network=network, deadline=deadline, now=lambda: NOW)

        yield made
