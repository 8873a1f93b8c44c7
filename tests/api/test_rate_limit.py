"""One limit for a user or a key, on however many processes."""

from __future__ import annotations

import asyncio
from collections import Counter

from tests.api.world import World, api_settings, running, token

LIMIT = 5  # a minute: one comes back every twelve seconds


async def test_the_limit_is_exact_over_two_processes_at_once(database_url: str, world: World) -> None:
    settings = api_settings(database_url, api={"rate_limit": LIMIT})
    async with running(settings) as one, running(settings) as two:
        clients = [client.acting(world.member.key) for client in (one, two)]
        answers = await asyncio.gather(*(clients[n % 2].get("/v1/facts") for n in range(40)))
    assert Counter(answer.status for answer in answers) == {200: LIMIT, 429: 40 - LIMIT}
    left = [int(a.headers["X-RateLimit-Remaining"]) for a in answers if a.status == 200]
    assert sorted(left) == list(range(LIMIT))


async def test_a_refusal_says_when_to_come_back(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 1})) as client:
        member = client.acting(world.member.key)
        assert (await member.get("/v1/facts")).headers["X-RateLimit-Limit"] == "1"
        refused = await member.post("/v1/facts", {"type": "lead.created"})
        assert refused.status == 429
        assert refused.json["type"].endswith("/errors/rate-limit-exceeded")
        assert 0 < int(refused.headers["Retry-After"]) <= 60
        assert refused.headers["X-RateLimit-Remaining"] == "0"
        assert (await client.acting(world.admin.key).get("/v1/facts")).status == 200


async def test_a_header_does_not_dodge_the_limit(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 1})) as client:
        member = client.acting(world.member.key)
        statuses = [
            (
                await member.get(
                    "/v1/facts", headers={"X-Forwarded-For": f"10.0.0.{n}", "Forwarded": f"for=10.0.0.{n}"}
                )
            ).status
            for n in range(3)
        ]
    assert statuses == [200, 429, 429]


async def test_requests_that_are_refused_count_too(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 2})) as client:
        member = client.acting(world.member.key)
        assert (await member.post("/v1/facts", {"type": "Wrong"})).status == 422
        assert (await member.post("/v1/outbox/redrive", {})).status == 403
        assert (await member.get("/v1/facts")).status == 429


async def test_a_bearer_has_one_limit_however_many_tokens(database_url: str, world: World) -> None:
    async with running(api_settings(database_url, api={"rate_limit": 1})) as client:
        statuses = [(await client.acting(token(jti=str(n))).get("/v1/facts")).status for n in range(2)]
    assert statuses == [200, 429]
