"""A small world for tests of the API: two tenants, people of each role, and a real server to talk to."""

from __future__ import annotations

import asyncio
import base64
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any
from uuid import UUID

import aiohttp
import jwt
import uvicorn
from yarl import URL

from tidings.api.application import create_api
from tidings.api.server import configured
from tidings.api.web.bundle import BUILT
from tidings.kit import db
from tidings.kit.settings import Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role, Scope
from tidings.spine.access.keys import ApiKeys
from tidings.spine.access.people import Tenants, Users
from tidings.spine.access.purposes import API_KEYS

SECRET = "a secret of more than thirty-two characters"
MASTER_KEY = base64.urlsafe_b64encode(bytes(range(32))).decode()
ALL_SCOPES = [scope.value for scope in Scope]


def api_settings(url: str, **sections: dict[str, Any]) -> Settings:
    """Settings of an API on that database; sections add to or replace what a test world needs."""
    defaults: dict[str, dict[str, Any]] = {
        "database": {"url": url},
        "auth": {"jwt_secret": SECRET},
        "api": {"port": 0},
        "organizations": {"domains": {"acme": "acme.example", "globex": "globex.example"}},
    }
    merged = {name: defaults.get(name, {}) | sections.get(name, {}) for name in {*defaults, *sections}}
    return Settings.model_validate({"master_key": MASTER_KEY, **merged})


def token(tenant: str = "acme", role: str = "member", sub: str = "somebody", **more: Any) -> str:
    claims = {"sub": sub, "tenant": tenant, "role": role, "exp": int(time.time()) + 600, **more}
    return jwt.encode({k: v for k, v in claims.items() if v is not None}, SECRET, algorithm="HS256")


def bearer(credential: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str
    json: Any


@dataclass(frozen=True)
class Client:
    """Talks to one API process, as whoever its headers say."""

    base: str
    http: aiohttp.ClientSession
    headers: Mapping[str, str] = field(default_factory=dict)

    def acting(self, credential: str, **headers: str) -> Client:
        return Client(self.base, self.http, {**bearer(credential), **headers})

    async def call(self, method: str, path: str, **options: Any) -> Answer:
        headers = {**self.headers, **options.pop("headers", {})}
        url = URL(self.base + path, encoded=True)
        async with self.http.request(method, url, headers=headers, allow_redirects=False, **options) as reply:
            text = await reply.text()
            parsed = await reply.json(content_type=None) if "json" in reply.headers.get("content-type", "") else None
            return Answer(reply.status, reply.headers, text, parsed)

    async def get(self, path: str, **options: Any) -> Answer:
        return await self.call("GET", path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> Answer:
        return await self.call("POST", path, json=json, **options)

    async def emit(self, type: str = "lead.created", **fields: Any) -> dict[str, Any]:
        answer = await self.post("/v1/facts", {"type": type, **fields})
        assert answer.status == 201, answer.text
        fact: dict[str, Any] = answer.json["data"]
        return fact


@dataclass(frozen=True)
class Person:
    """A user of the installation, with a key that may do whatever they may."""

    id: UUID
    email: str
    key: str


@dataclass(frozen=True)
class World:
    settings: Settings
    client: Client
    pool: db.Pool
    member: Person
    admin: Person
    operator: Person
    stranger: Person

    def as_(self, person: Person, **headers: str) -> Client:
        return self.client.acting(person.key, **headers)


@asynccontextmanager
async def running(settings: Settings, ui: Traversable = BUILT) -> AsyncIterator[Client]:
    """The API on a free port, in this event loop, behind a real HTTP server."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as uvloop does; else each answer takes 40 ms more
    server = uvicorn.Server(configured(create_api(settings, ui)))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            yield Client(f"http://127.0.0.1:{listener.getsockname()[1]}", http)
    finally:
        server.should_exit = True
        await serving


@asynccontextmanager
async def world_of(settings: Settings) -> AsyncIterator[World]:
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="test", size=10)
    async with pool.acquire() as connection:
        for tenant in ("acme", "globex"):
            await Tenants(connection).create(tenant, tenant.title())
        member = await person(connection, settings, "member", "acme", Role.MEMBER)
        admin = await person(connection, settings, "admin", "acme", Role.ADMIN)
        operator = await person(connection, settings, "operator", "acme", Role.OPERATOR)
        stranger = await person(connection, settings, "stranger", "globex", Role.ADMIN)
    async with running(settings) as client:
        yield World(settings, client, pool, member, admin, operator, stranger)
    await pool.close()


async def person(
    connection: db.Connection, settings: Settings, name: str, tenant: str, role: Role, password: str | None = None
) -> Person:
    email = f"{name}@{tenant}.example"
    user_id = await Users(connection).create(email, name.title(), password, operator=role is Role.OPERATOR)
    if role is not Role.OPERATOR:
        await Users(connection).join(user_id, tenant, role)
    hasher = (await unlocked(settings, connection)).hasher(API_KEYS)
    made = await ApiKeys(connection, tenant).make(hasher, user_id, f"key of {name}", ALL_SCOPES, None)
    return Person(user_id, email, made.secret)
