"""A worker that is killed between marking and publishing, or between publishing and settling, at both levels.

The kill is real (SIGKILL), and exactly there: the wire to the broker sees the frame that the worker has just written,
or is about to read, and kills it before that frame goes any further.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeAlias

import pytest

from tests.broker.listening import NAMES
from tests.broker.outside import bind, channel_to, taken
from tests.broker.stage import LISTENING, Owner, are_known, emit, heard, nothing_open, sent, until
from tests.broker.wire import Wire, wire_to
from tests.support.pipeline import add_person
from tests.worker.processes import worker

Moment: TypeAlias = Literal["marked and not published", "published and not settled"]
FACTS = 5


def environment(url: str) -> dict[str, str]:
    return {
        "TIDINGS_BROKER_URL": url,
        "TIDINGS_BROKER_PATIENCE": "500ms",
        "TIDINGS_DELIVERY_DEFAULT_PROVIDER": "sandbox",
    }


def arm(wire: Wire, exchange: str, moment: Moment, kill: Callable[[], None]) -> None:
    moments = wire.before_publish if moment == "marked and not published" else wire.before_confirm
    moments[exchange] = kill


@pytest.mark.parametrize("exchange", ["event-stream", "notification-channel-send"])
@pytest.mark.parametrize("moment", ["marked and not published", "published and not settled"])
async def test_one_that_dies_there_loses_nothing_and_has_nothing_repeated(
    database_url: str, owner: Owner, broker_url: str, exchange: str, moment: Moment
) -> None:
    await add_person(owner, push="token")
    with channel_to(broker_url) as channel:
        bind(channel, "theirs", "parcel.#")
        async with wire_to(broker_url) as (wire, url):
            async with worker(database_url, LISTENING, environment=environment(url)) as first:
                await until(lambda: are_known(owner, with_broker=True))
                arm(wire, exchange, moment, lambda: kill(first.pid))
                await emit(owner, FACTS)
                await first.wait()
            assert first.returncode == -signal.SIGKILL
        assert not await nothing_open(owner)
        async with worker(database_url, LISTENING, environment=environment(broker_url)):
            await until(lambda: nothing_open(owner))
        stream = [message.properties.message_id for message in taken(channel, "theirs")]
    assert await heard(owner) == dict.fromkeys(NAMES, FACTS)
    assert await sent(owner) == FACTS * len(NAMES)
    facts = {str(row["id"]) for row in await owner.fetch("SELECT id FROM tidings.facts WHERE type = 'parcel.sent'")}
    assert set(stream) == facts  # the same fact may come twice, and then under the same id


def kill(pid: int) -> None:
    """With all its children, as the machine would."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
