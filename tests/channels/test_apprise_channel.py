"""Apprise on real sockets: what gets through, where it goes, and what comes of it."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.channels.apprise_case import MESSAGE, apprise_at, outcome, taking
from tests.channels.meanings import meaning_of
from tests.channels.servers import http_server as raw
from tests.channels.servers.http_server import Reply
from tests.channels.servers.talking import talking
from tidings.spine.channels.apprise_channel import AppriseAdapter, together
from tidings.spine.channels.apprise_sending import report_of
from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Blame, Deferred, Level, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside

DEADLINE = timedelta(seconds=10)
SHORT = timedelta(seconds=0.3)
Reaching = Callable[[timedelta], Outside]


@pytest.mark.parametrize(
    ("level", "kind"), [(Level.INFO, "info"), (Level.WARNING, "warning"), (Level.CRITICAL, "failure")]
)
async def test_a_level_becomes_apprises_own(level: Level, kind: str, outside: Reaching) -> None:
    async with talking(taking) as server:
        assert await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE), level) == Sent()
        body = json.loads(server.requests[0].body)
    assert body["type"] == kind
    assert body["message"] == "Your order was paid"
    assert body["title"] == "Paid Bcc: b@example.org"


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (302, "deferred for the address"),
        (400, "rejected"),
        (401, "rejected"),
        (404, "rejected"),
        (410, "gone"),
        (429, "deferred for the address"),
        (500, "deferred for the address"),
    ],
)
async def test_what_a_status_means(status: int, meaning: str, outside: Reaching) -> None:
    async with talking(lambda _: Reply(status, b"canary")) as server:
        found = await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
    assert meaning_of(found) == meaning
    assert "canary" not in repr(found)


async def test_one_success_of_several_is_enough_and_the_rest_is_on_record(outside: Reaching) -> None:
    async with talking(lambda request: Reply(500 if request.target == "/bad" else 200)) as server:
        there = f"127.0.0.1:{server.port}"
        found = await outcome(f"json://{there}/bad xml://{there}/good", outside(DEADLINE))
    assert found == Sent(detail="json: answered 500; xml: sent")


def test_several_failures_become_one() -> None:
    gone, no, later, perhaps = Rejected("a", gone=True), Rejected("b"), Deferred("c"), Unknown("d")
    assert together([("x", gone), ("y", gone)]) == Rejected("x: a; y: a", gone=True)
    assert together([("x", gone), ("y", no)]) == Rejected("x: a; y: b")
    assert together([("x", no), ("y", later)]) == Deferred("x: b; y: c", blame=Blame.ADDRESS)
    assert together([("x", perhaps), ("y", later)]) == Unknown("x: d; y: c", Blame.ADDRESS)
    assert together([("x", later)]) == later


async def test_a_slow_answer_gives_its_thread_back_at_the_deadline(outside: Reaching) -> None:
    """More slow servers than there are threads, and then one that answers."""
    adapter = apprise_at("", outside(SHORT))
    async with raw.http_server(raw.dripping(Reply(200))) as slow, talking(taking) as server:
        message = replace(MESSAGE, to=f"json://127.0.0.1:{slow.port}/x")
        found = await asyncio.gather(*(adapter.send(message) for _ in range(20)))
        assert {meaning_of(each) for each in found} <= {"unknown", "deferred for the address"}
        await asyncio.sleep(0.2)  # for the threads to notice
        assert await adapter.send(replace(MESSAGE, to=f"json://127.0.0.1:{server.port}/x")) == Sent()
    await adapter.close()


async def test_what_waited_in_vain_for_a_thread_is_never_sent(network: Network) -> None:
    with ThreadPoolExecutor(1) as threads:
        patient, hasty = AppriseAdapter(network, DEADLINE, threads), AppriseAdapter(network, SHORT, threads)
        async with raw.http_server(raw.silent) as silent, talking(taking) as server:
            holding = asyncio.create_task(patient.send(replace(MESSAGE, to=f"json://127.0.0.1:{silent.port}/x")))
            while not silent.requests:
                await asyncio.sleep(0.01)
            found = await hasty.send(replace(MESSAGE, to=f"json://127.0.0.1:{server.port}/x"))
            holding.cancel()
            await asyncio.wait([holding])
            await asyncio.to_thread(threads.shutdown)
    assert found == Deferred("no answer in time", blame=Blame.ADDRESS)
    assert server.requests == []


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += record.getMessage()


@pytest.fixture
def logged() -> Iterator[Kept]:
    """All that reaches the root, whatever its level."""
    kept, root = Kept(), logging.getLogger()
    level = root.level
    root.addHandler(kept)
    root.setLevel(1)
    yield kept
    root.removeHandler(kept)
    root.setLevel(level)


async def test_nothing_of_a_url_or_an_answer_is_logged(
    logged: Kept, outside: Reaching, capfd: pytest.CaptureFixture[str]
) -> None:
    async with talking(lambda _: Reply(500, b"canary")) as server:
        await outcome(f"json://u:canary@127.0.0.1:{server.port}/canary?+X-Token=canary", outside(DEADLINE))
    await outcome("tgram://123456789:canary-abcdefghijklmnopqrst/12315544", outside(DEADLINE))
    assert "canary" not in logged.text
    assert "canary" not in "".join(capfd.readouterr())


async def test_look_ups_of_others_are_left_alone(outside: Reaching) -> None:
    async with talking(taking) as server:
        await outcome(f"json://127.0.0.1:{server.port}/x", outside(DEADLINE))
        found = await asyncio.get_running_loop().getaddrinfo("127.0.0.1", server.port, type=socket.SOCK_STREAM)
    assert {where[1] for *_, where in found} == {server.port}


def test_a_report_has_nothing_but_a_status() -> None:
    assert report_of(False, ["Failed: Bad., error=400.", "Response Details: b'error=200'"]).status == 400
    assert report_of(False, ["Socket Exception: (535, b'5.7.8 no')"]).status == 535
    assert report_of(False, ["Socket Exception: Max retries exceeded with url: /"]).not_connected
    assert report_of(True, []) == report_of(True, ["Sent JSON POST notification."])


def test_importing_the_adapter_does_not_import_apprise(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = "import sys, tidings.spine.channels.providers; sys.exit('apprise' in sys.modules)"
    path = str(Path(__file__).parents[2] / "src")
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, cwd=tmp_path).returncode == 0
