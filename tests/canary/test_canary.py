"""A canary in every secret; none of them in a log, a dump, an answer, a reason, a metric or what the command line says.

The API and the worker are processes of their own that log all they can; PostgreSQL logs every statement with its
values. Providers fail at first, and repeat in their answers all that they were sent.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from tests.api.world import Client
from tests.canary import planting
from tests.canary.planting import EMAIL, JWT_SECRET, Recorder, Secrets
from tests.canary.watching import command, dump, eventually, free_port, is_ready, log_of, log_statements, process
from tests.channels.servers.http_server import Reply, Request
from tests.channels.servers.smtp_server import smtp_server
from tests.channels.servers.talking import talking
from tests.support.canaries import canary, found, written
from tests.support.pipeline import Owner, add_rule
from tidings.kit.crypto import new_key
from tidings.kit.settings import load_settings

ACCEPTED = {
    "sid": "SM00000000000000000000000000000001",
    "status": "queued",
    "id": "4ef2",
    "messages": [{"id": "wamid.1"}],
    "name": "projects/p/messages/1",
    "expires_in": 3600,
    "token_type": "Bearer",
}
OUTCOMES = (
    "SELECT p.type FROM tidings.delivery_attempts a JOIN tidings.providers p ON p.id = a.provider WHERE a.outcome"
)
TRIED, SENT = f"{OUTCOMES} <> 'sent'", f"{OUTCOMES} = 'sent'"
COMMANDS = (
    *("key list", "people list", "secrets status", "outbox list", "facts list", "doctor", "user list"),
    *("providers list", "deliveries list", "rules list", "forecast"),
)
SHOWN_IN_FULL = ("/v1/providers", "/v1/deliveries", "/v1/notices", "/v1/people", "/v1/rules", "/v1/outbox", "/v1/facts")
TYPES = ["apprise", "fcm", "meta", "slack", "smtp", "twilio", "webhook"]
CHANNELS = ["apprise", "email", "push", "slack", "sms", "webhook", "whatsapp"]


@dataclass
class Provider:
    """All providers there are, on one port."""

    access_token: str
    failing: bool = True
    port: int = 0

    def answer(self, request: Request) -> Reply:
        if request.target.endswith("/token"):
            return Reply(200, json.dumps(ACCEPTED | {"access_token": self.access_token}).encode())
        if not self.failing and "/services/" in request.target:
            return Reply(200, b"ok")
        if not self.failing:
            return Reply(200, json.dumps(ACCEPTED).encode())
        repeated = f"{request.target} {dict(request.headers)} {request.body.decode(errors='replace')}"
        words = {"message": repeated, "detail": repeated, "error_description": repeated}
        status = 401 if len(request.body) % 2 else 500
        return Reply(status, json.dumps(words | {"code": 1, "error": words | {"code": 1, "status": "X"}}).encode())


@pytest.fixture
def environment(database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Secrets:
    """The settings of all processes, with a canary in each that is secret."""
    kept = Secrets()
    for name, value in {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(tmp_path),
        "MASTER_KEY": kept.keep("master key", new_key().text()),
        "AUTH_JWT_SECRET": kept.new(JWT_SECRET),
        "BROKER_URL": f"amqp://tidings:{kept.new('broker password')}@127.0.0.1:1/",
        "BROKER_WHEN_AWAY": "go_on",
        "LOG_LEVEL": "debug",
        "API_PORT": str(free_port()),
        "API_SIGN_IN_LIMIT": "1000",
        "NETWORK_ALLOW": "127.0.0.1",
        "WORKER_METRICS_PORT": str(free_port()),
        "OUTBOX_POLL": "100ms",
        "DELIVERY_RETRY_BASE": "50ms",
        "DELIVERY_RETRY_CAP": "100ms",
        "DELIVERY_MAX_ATTEMPTS": "100",
        "DELIVERY_CIRCUIT_PAUSE": "50ms",
        "DELIVERY_CIRCUIT_LONGEST": "100ms",
        "DELIVERY_DEADLINE": "5s",
    }.items():
        monkeypatch.setenv(f"TIDINGS_{name}", value)
    return kept


@pytest.mark.timeout(300)
async def test_no_canary_gets_out(environment: Secrets, owner: Owner, tmp_path: Path) -> None:
    kept = environment
    await log_statements(owner)
    provider = Provider(kept.new("access token"))
    user = ("--email", EMAIL)
    said = [await command("user", "create", *user, "--operator", "--password", kept.new("password"))]
    made = json.loads(await command("key", "create", *user, "--json"))
    kept.keep("key by command", made["secret"])
    async with (
        talking(provider.answer) as http,
        smtp_server({"AUTH": f"535 5.7.8 {kept.new('smtp password')} is wrong"}) as smtp,
        process(tmp_path / "api.log", "api"),
        process(tmp_path / "worker.log", "worker"),
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
    ):
        settings = load_settings()
        client = Recorder(Client(f"http://127.0.0.1:{settings.api.port}", session))
        await eventually(lambda: is_ready(client))
        await planting.access(kept, client, owner)
        operator = planting.operator(kept, client)
        ids = await planting.providers(kept, operator, http.port, smtp.port)
        await planting.people(kept, operator, http.port)
        await add_rule(owner, channels=CHANNELS)
        await _emit(operator)
        await eventually(lambda: _all_of(owner, TRIED, TYPES))
        await operator.call("PATCH", f"/v1/providers/{ids['smtp']}", 200, json={"enabled": False})
        await _emit(operator)
        await eventually(lambda: _all_of(owner, TRIED, [*TYPES, "resend"]))
        await operator.call("PATCH", f"/v1/providers/{ids['smtp']}", 200, json={"enabled": True})
        provider.failing = False
        smtp.replies.clear()
        for id in ids.values():  # noqa: A001
            await operator.call("POST", f"/v1/providers/{id}/close", 200)  # else the others take over what rests
        await _emit(operator)
        await eventually(lambda: _all_of(owner, SENT, TYPES))
        await planting.receipts(kept, client, ids)
        await planting.unsubscribing(kept, client, smtp.mails)
        await _look_at_everything(operator)
        metrics = await session.get(f"http://127.0.0.1:{settings.worker.metrics_port}/metrics")
        places = {"the metrics of the worker": await metrics.text()}
    said += [await command(*line.split(), "--json") for line in COMMANDS]
    places |= {
        "the log of the API": (tmp_path / "api.log").read_text(),
        "the log of the worker": (tmp_path / "worker.log").read_text(),
        "the log of PostgreSQL": await log_of(owner),
        "an answer of the API": "\n".join(client.answers),
        "the command line": "\n".join(said),
        "the dump": await dump(os.environ["TIDINGS_DATABASE_URL"]),
    }
    assert "order.paid" in places["the dump"]
    assert "order.paid" in places["the log of PostgreSQL"]
    assert "worker started" in places["the log of the worker"]
    assert "/v1/people" in places["the log of the API"]
    assert EMAIL in places["the command line"]
    assert "/v1/receipts" in places["the log of the API"]
    assert "/unsubscribe" in places["the log of the API"]
    assert found(kept.all, places) == set()


@pytest.mark.parametrize("way", range(7))
def test_the_search_finds_what_was_planted(way: int) -> None:
    secret = canary("planted, with / and ü")
    text = f"before{list(written(secret))[way]}after"
    assert found({"planted": secret, "other": canary("other")}, {"here": text, "there": ""}) == {("planted", "here")}
    inside = base64.b64encode(b"x" * way + secret.encode() + b"after").decode()
    assert found({"planted": secret}, {"here": inside}) == {("planted", "here")}


async def _emit(client: Recorder) -> None:
    emitted = await client.call("POST", "/v1/facts", json={"type": "order.paid", "data": {"id": 7}})
    assert emitted.status == 201, emitted.text


async def _all_of(owner: Owner, query: str, wanted: list[str]) -> bool:
    return {row[0] for row in await owner.fetch(query)} >= set(wanted)


async def _look_at_everything(client: Recorder) -> None:
    paths = (await client.call("GET", "/openapi.json")).json["paths"]
    for path, methods in paths.items():
        if "get" in methods and "{" not in path:
            listed = await client.call("GET", path)
            for each in listed.json["data"] if path in SHOWN_IN_FULL else ():
                await client.call("GET", f"{path}/{each['id']}", 200)
    for fact in (await client.call("GET", "/v1/facts?type=order.paid")).json["data"]:
        await client.call("GET", f"/v1/facts/{fact['id']}/trace", 200)
        await client.call("GET", f"/v1/why?person={EMAIL}&fact={fact['id']}", 200)
