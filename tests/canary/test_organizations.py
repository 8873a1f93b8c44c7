"""Invitations that are mailed, sent again and accepted; a provider of DNS that repeats its token in every refusal.

The tokens as they stood in the mails, the credential of DNS and the passwords of those who accepted are in no log,
fact, history of a process, dump, answer of the API's, or anything that a command says. The sandbox keeps the mails
sealed, and shows them: they are what they are.
"""

from __future__ import annotations

import base64
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from temporalio.api.common.v1 import Payload
from temporalio.client import Client as TemporalClient

from tests.api.organization_routes import ASK, a_request, invitations_of, link_in
from tests.api.world import Client
from tests.canary.planting import EMAIL, Recorder, Secrets
from tests.canary.watching import command, dump, eventually, free_port, is_ready, log_of, log_statements, process
from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, Fault, cloudflare
from tests.support.canaries import found
from tests.support.pipeline import Owner, kept
from tests.support.taking_on import WAITS, surroundings
from tests.support.temporal import DevServer, histories
from tidings.kit.crypto import new_key
from tidings.kit.settings import load_settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.codec import SealingCodec

BASE = "tidings.localhost"
ADMIN, MEMBER = "admin@north.example.com", "member@north.example.com"
COMMANDS = (
    *("organizations list", "facts list", "outbox list", "deliveries list", "doctor"),
    *("organizations reconcile --dry-run", "projections rebuild --dry-run"),
)
LOOK, ACCEPT = "/v1/invitations/look", "/v1/invitations/accept"


@pytest.fixture
async def provider(environment: Secrets) -> AsyncIterator[Cloudflare]:
    async with cloudflare((BASE,)) as server:
        server.token = environment.new("dns token")
        yield server


@pytest.fixture
def environment(database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Secrets:
    kept = Secrets()
    for name, value in {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(tmp_path),
        "MASTER_KEY": kept.keep("master key", new_key().text()),
        "LOG_LEVEL": "debug",
        "API_PORT": str(free_port()),
        "API_SIGN_IN_LIMIT": "1000",
        "OUTBOX_POLL": "100ms",
        "DELIVERY_DEFAULT_PROVIDER": "sandbox",
    }.items():
        monkeypatch.setenv(f"TIDINGS_{name}", value)
    for name, value in WAITS.items():
        monkeypatch.setenv(name, value)
    return kept


@pytest.mark.timeout(180)
async def test_no_secret_of_an_organization_gets_out(
    environment: Secrets,
    owner: Owner,
    provider: Cloudflare,
    temporal_server: DevServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    secrets = environment
    await log_statements(owner)
    await command("user", "create", "--email", EMAIL, "--operator", "--password", secrets.new("password"))
    key = secrets.keep("key", (await command("key", "create", "--email", EMAIL, "--name", "tests")).strip())
    async with surroundings(provider, temporal_server.address) as settings:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        async with (
            process(tmp_path / "api.log", "api"),
            process(tmp_path / "worker.log", "worker"),
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        ):
            client = Recorder(Client(f"http://127.0.0.1:{load_settings().api.port}", session))
            await eventually(lambda: is_ready(client))
            api = client.as_({"Authorization": f"Bearer {key}"})
            ids = [await _taken_on(api, owner, provider), await _refused(api, owner, provider)]
            await _accepted(secrets, client, api, owner, ids[0])
            await _shown(api, ids)
        said = [await command(*line.split(), "--json") for line in COMMANDS]
        said += [await command("organizations", "show", each) for each in ids]
    places = {
        "the log of the API": (tmp_path / "api.log").read_text(),
        "the log of the worker": (tmp_path / "worker.log").read_text(),
        "the log of PostgreSQL": await log_of(owner),
        "an answer of the API": "\n".join(client.answers),
        "the command line": "\n".join(said),
        "the dump": await dump(os.environ["TIDINGS_DATABASE_URL"]),
        **await _histories(temporal_server, owner, ids),
    }
    for place, what in {
        "the log of the API": ACCEPT,
        "the log of the worker": "worker started",
        "the log of PostgreSQL": "invitation.accepted",
        "an answer of the API": "First Member",
        "the command line": "north.tidings.localhost",
        "the dump": "invitation.accepted",
        "a history": "organizations.configure_dns",
        "a history, opened": ids[0],
    }.items():
        assert what in places[place], place
    assert found(secrets.all, places) == set()


async def _taken_on(api: Recorder, owner: Owner, provider: Cloudflare) -> str:
    """Cloudflare fails once, and says to whom."""
    provider.faults.append(Fault(status=500, message=f"Bearer {provider.token} is not well."))
    asked = await api.call("POST", ASK, 202, json=a_request())
    id: str = asked.json["data"]["organizationId"]  # noqa: A001
    await eventually(lambda: _is(owner, id, "completed"))
    return id


async def _refused(api: Recorder, owner: Owner, provider: Cloudflare) -> str:
    """It fails for good, and why is on record."""
    provider.faults.append(Fault(status=403, method="POST", message=f"Authorization: Bearer {provider.token}"))
    asked = await api.call("POST", ASK, 202, json=a_request("south"))
    id: str = asked.json["data"]["organizationId"]  # noqa: A001
    await eventually(lambda: _is(owner, id, "failed"))
    status = await api.call("GET", f"{ASK}/{id}/status", 200)
    assert "403" in status.json["data"]["error"]
    return id


async def _is(owner: Owner, id: str, status: str) -> bool:
    found: str = await owner.fetchval(
        "SELECT status FROM tidings.organizations_projection WHERE id = $1::text::uuid", id
    )
    return found == status


async def _accepted(secrets: Secrets, client: Recorder, api: Recorder, owner: Owner, id: str) -> None:
    """Both invitations: one as it came, one sent again; each tried in many ways that are wrong before."""
    first = await _token(secrets, owner, ADMIN, 1)
    password, wrong = secrets.new("chosen password"), secrets.new("wrong password")
    for path in (LOOK, ACCEPT):
        for body in ({"token": [first]}, {"tokens": first}, {"token": first, "next": f"//{first}"}, [first], first):
            await client.call("POST", path, 422, json=body)
        await client.call("POST", path, json=first, headers={"Content-Type": "text/plain"})
        await client.call("POST", path, 422, data=f'{{"token": "{first}', headers={"Content-Type": "application/json"})
        for method in ("GET", "HEAD", "PUT"):
            await client.call(method, f"{path}?token={first}", 405)
        await client.call("POST", path, 404, json={"token": first[::-1]})
    for body in (
        {"password": [password]},
        {"password": password * 9},
        {"password": password[:5]},
        {"pasword": password},
    ):
        await client.call("POST", ACCEPT, 422, json={"token": first, **body})
    for page in ("/auth/accept-invitation?token=", "/auth/accept-invitation#token="):
        await client.call("GET", f"{page}{first}")
    await _comes_in(secrets, client, first, password, "admin")
    await client.call("POST", ACCEPT, 409, json={"token": first, "password": wrong})

    invited = (await api.call("GET", invitations_of(id), 200)).json["data"]
    (other,) = [each["id"] for each in invited if each["email"] == MEMBER]
    former = await _token(secrets, owner, MEMBER, 1)
    await api.call("POST", f"{invitations_of(id)}/{other}/resend", 200)
    await eventually(lambda: _mailed(owner, MEMBER, 2))
    latest = await _token(secrets, owner, MEMBER, 2)
    await client.call("POST", ACCEPT, 409, json={"token": former, "password": wrong})
    await client.call("POST", LOOK, 200, json={"token": latest})
    await _comes_in(secrets, client, latest, secrets.new("another password"), "member")


async def _comes_in(secrets: Secrets, client: Recorder, token: str, password: str, who: str) -> None:
    body = {"token": token, "password": password}
    accepted = await client.call("POST", ACCEPT, 201, json=body, shows_secret=True)
    cookie = accepted.headers["Set-Cookie"].split(";")[0]
    secrets.keep(f"session of the {who}", cookie.partition("=")[2])
    csrf = secrets.keep(f"csrf token of the {who}", accepted.json["data"]["csrfToken"])
    await client.as_({"Cookie": cookie, "X-CSRF-Token": csrf}).call("GET", "/v1/organizations", 200)


async def _mails(owner: Owner, address: str) -> list[dict[str, Any]]:
    return [mail for mail in await kept(owner, load_settings()) if mail["to"] == address]


async def _mailed(owner: Owner, address: str, count: int) -> bool:
    return len(await _mails(owner, address)) == count


async def _token(secrets: Secrets, owner: Owner, address: str, issue: int) -> str:
    """As it stood in the mail; and the bytes that it stands for."""
    token = link_in((await _mails(owner, address))[issue - 1])[1]
    raw = base64.urlsafe_b64decode(token + "=")
    secrets.keep(f"bytes of token {issue} of {address}", raw.hex())
    return secrets.keep(f"token {issue} of {address}", token)


async def _shown(api: Recorder, ids: list[str]) -> None:
    for id in ids:  # noqa: A001
        for path in (f"/v1/organizations/{id}", f"/v1/organizations/{id}/facts", f"{ASK}/{id}/status"):
            await api.call("GET", path, 200)
        await api.call("GET", invitations_of(id), 200)
    for path in (
        "/v1/organizations",
        "/v1/facts",
        "/v1/notices",
        "/v1/deliveries",
        "/v1/people",
        "/v1/outbox",
        "/metrics",
    ):
        await api.call("GET", path, 200)
    for fact in (await api.call("GET", "/v1/facts?type=invitation.email.requested", 200)).json["data"]:
        await api.call("GET", f"/v1/facts/{fact['id']}/trace", 200)


async def _histories(server: DevServer, owner: Owner, ids: list[str]) -> dict[str, str]:
    """As Temporal has them, and as whoever holds our keys could read them."""
    client = await TemporalClient.connect(server.address)
    codec = SealingCodec((await unlocked(load_settings(), owner)).vault(PROCESSES))
    runs = [run for id in ids for run in await histories(client, f"org-bootstrap-{id}")]  # noqa: A001
    payloads = await codec.decode([payload for run in runs for payload in _payloads(run)])
    return {
        "a history": "\n".join(map(MessageToJson, runs)),
        "a history, opened": "\n".join(payload.data.decode(errors="replace") for payload in payloads),
    }


def _payloads(message: Message) -> Iterator[Payload]:
    """All that there are in it, however deep."""
    if isinstance(message, Payload):
        yield message
        return
    for field, value in message.ListFields():
        if field.type != field.TYPE_MESSAGE:
            continue
        values = value.values() if hasattr(value, "values") else value if field.is_repeated else [value]
        for each in values:
            if isinstance(each, Message):
                yield from _payloads(each)
