"""A provider of SMS takes a message and never says so: the other channels are not held up, and what may have arrived is
sent again only where the tenant wants that, under the same text, five times at most."""

from __future__ import annotations

from datetime import timedelta

from tests.channels.servers.http_server import HttpServer, http_server, silent
from tests.support.dining import Table
from tests.support.pipeline import Owner, add_provider, sending_settings
from tests.support.transports import Work

MOST = 5
_SMS = """
SELECT status, attempts, last_error FROM (
    SELECT channel, person_id, status, attempts, last_error FROM tidings.deliveries
    UNION ALL SELECT channel, person_id, status, attempts, last_error FROM tidings.deliveries_finished) d
WHERE channel = 'sms' AND person_id = $1
"""


async def requested_of(
    work: Work, table: Table, owner: Owner, url: str, server: HttpServer, on_unknown: str | None
) -> dict[str, str]:
    """What came of the manager's copy of a request, by channel, after as many rounds as there are attempts."""
    settings = sending_settings(url, deadline=timedelta(milliseconds=300), circuit_after=100)
    config = {
        "accountSid": "AC1",
        "authToken": "token",
        "from": "+390612345678",
        "baseUrl": f"http://127.0.0.1:{server.port}",
    }
    await add_provider(owner, settings, "sms", "twilio", config=config, on_unknown=on_unknown)
    await table.request()
    for _ in range(MOST + 2):
        await owner.execute("UPDATE tidings.deliveries SET run_at = now() WHERE status = 'failed'")
        await work.by(settings)()
    (manager,) = await table.told(table.manager)
    channels: dict[str, str] = manager["channels"]
    return channels


async def test_the_others_are_sent_and_the_sms_waits_for_a_person(
    work: Work, table: Table, owner: Owner, database_url: str
) -> None:
    async with http_server(silent) as server:
        channels = await requested_of(work, table, owner, database_url, server, None)
    assert channels == {"email": "sent", "push": "sent", "websocket": "sent", "sms": "held"}
    row = await owner.fetchrow(_SMS, table.manager)
    assert row is not None
    assert (row["attempts"], "no answer" in row["last_error"]) == (1, True)
    assert len(server.requests) == 1


async def test_sent_again_where_that_is_wanted_and_failed_in_the_end(
    work: Work, table: Table, owner: Owner, database_url: str
) -> None:
    async with http_server(silent) as server:
        channels = await requested_of(work, table, owner, database_url, server, "resend")
    assert channels == {"email": "sent", "push": "sent", "websocket": "sent", "sms": "failed"}
    row = await owner.fetchrow(_SMS, table.manager)
    assert row is not None
    assert row["attempts"] == MOST
    assert len({request.body for request in server.requests}) == 1
    assert len(server.requests) == MOST
