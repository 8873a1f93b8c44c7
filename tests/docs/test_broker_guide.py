"""The consumer of the guide to RabbitMQ, run as it is printed, with `pika` and nothing of ours."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from pika.exceptions import ChannelClosedByBroker  # type: ignore[import-untyped]

from tests.broker.outside import channel_to
from tests.broker.stage import Owner, until, with_broker, working
from tests.docs.pages import DocumentPage
from tests.support.pipeline import sending_settings

CONSUMER = DocumentPage.read("docs/reference/broker.md").block("python", "basic_consume")


@pytest.fixture
def consumer(broker_url: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    file = tmp_path / "billing.py"
    file.write_text(CONSUMER, encoding="utf-8")
    environment = {**os.environ, "TIDINGS_BROKER_URL": broker_url}
    command = [sys.executable, "-I", str(file)]  # isolated: nothing of this repository can be imported
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


async def test_the_consumer_of_the_guide_hears_of_what_it_is_bound_to(
    database_url: str, owner: Owner, broker_url: str, consumer: subprocess.Popen[str]
) -> None:
    async with working(owner, with_broker(sending_settings(database_url), broker_url)):
        await until(lambda: _is_consumed(broker_url, "billing"))
        fact = await owner.fetchval("SELECT tidings.emit('order.paid', '{\"order_id\": 7}')")
        assert consumer.stdout is not None
        heard = await asyncio.to_thread(consumer.stdout.readline)
    assert heard == f"order.paid 7 ({fact})\n"


async def _is_consumed(url: str, queue: str) -> bool:
    with channel_to(url) as channel, suppress(ChannelClosedByBroker):
        declared = channel.queue_declare(queue, passive=True)
        return bool(declared.method.consumer_count)
    return False
