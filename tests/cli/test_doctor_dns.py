"""What the doctor finds wrong with the DNS of organisations, and with the domains that they are to be under."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.cli.conftest import Tidings
from tests.modules.organizations.dns.cases import reaching
from tests.modules.organizations.dns.servers.cloudflare import TOKEN, Cloudflare, Fault, cloudflare
from tests.support.founding import BASE, Founder
from tests.support.stepping import Stepper
from tidings.kit import db

UNREADABLE = "a-token-that-nobody-may-see"


@pytest.fixture
async def provider(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cloudflare]:
    async with cloudflare((BASE,)) as server:
        for name, value in {"PROVIDER": "cloudflare", "TOKEN": TOKEN, "URL": server.url}.items():
            monkeypatch.setenv(f"TIDINGS_DNS_{name}", value)
        monkeypatch.setenv("TIDINGS_ORGANIZATIONS_DOMAINS", f"default={BASE}")
        yield server


async def findings(tidings: Tidings) -> list[dict[str, Any]]:
    """All but what is said of Temporal, which is none of ours here."""
    examined = await asyncio.to_thread(tidings, "doctor", "--json")
    assert TOKEN not in examined.out + examined.err
    found: list[dict[str, Any]] = examined.data
    return [finding for finding in found if "TEMPORAL" not in finding["what"]]


def wrong(found: list[dict[str, Any]]) -> list[str]:
    return [finding["what"] for finding in found if not finding["ok"]]


def warned(found: list[dict[str, Any]]) -> list[str]:
    return [finding["what"] for finding in found if finding["warning"]]


async def test_where_nothing_is_set_there_is_nothing_to_say_of_it(tidings: Tidings) -> None:
    found = await findings(tidings)
    assert (wrong(found), warned(found)) == ([], [])


async def test_cloudflare_is_asked_for_each_domain(
    tidings: Tidings, provider: Cloudflare, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await findings(tidings)
    assert (wrong(found), f"Cloudflare has {BASE}" in [finding["what"] for finding in found]) == ([], True)
    monkeypatch.setenv("TIDINGS_ORGANIZATIONS_DOMAINS", f"default={BASE},acme=clinics.{BASE}")
    found = await findings(tidings)
    (missing,) = wrong(found)
    assert missing.startswith(f"TIDINGS_ORGANIZATIONS_DOMAINS: clinics.{BASE}: Cloudflare knows no zone clinics.{BASE}")
    assert warned(found) == [f"TIDINGS_ORGANIZATIONS_DOMAINS: there is no tenant acme, which has clinics.{BASE}"]
    assert {each.method for each in provider.ledger} == {"GET"}


async def test_a_token_that_is_refused_and_a_provider_that_is_away_are_told(
    tidings: Tidings, provider: Cloudflare, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.faults.append(Fault(status=503, message=f"Not now, {TOKEN}."))
    (away,) = wrong(await findings(tidings))
    assert "Cloudflare answered 503: Not now, …." in away
    monkeypatch.setenv("TIDINGS_DNS_TOKEN", UNREADABLE)
    (refused,) = wrong(await findings(tidings))
    assert ("Invalid access token" in refused, UNREADABLE in refused) == (True, False)


async def test_a_domain_that_nobody_can_see_is_warned_of(
    tidings: Tidings, provider: Cloudflare, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.add_zone("tidings.localhost")
    monkeypatch.delenv("TIDINGS_ORGANIZATIONS_DOMAINS")
    found = await findings(tidings)
    assert (wrong(found), warned(found)) == (
        [],
        ["TIDINGS_ORGANIZATIONS_DOMAINS: nobody can see what is under tidings.localhost"],
    )


async def test_records_that_are_somewhere_else_are_missed(
    tidings: Tidings, provider: Cloudflare, pool: db.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reaching(provider) as dns:
        await Stepper(Founder(pool, dns)).taken_on()
    monkeypatch.setenv("TIDINGS_DNS_PROVIDER", "logging")
    (elsewhere,) = wrong(await findings(tidings))
    assert elsewhere.startswith("TIDINGS_DNS_PROVIDER: is `logging`, and 1 organisation has its record at Cloudflare")


async def test_records_in_memory_are_warned_of(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDINGS_DNS_PROVIDER", "memory")
    (told,) = warned(await findings(tidings))
    assert told.startswith("TIDINGS_DNS_PROVIDER: is `memory`")


def test_a_token_does_not_travel_in_the_open(bare: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PROVIDER": "cloudflare", "TOKEN": TOKEN, "URL": "http://api.example.com/v4"}.items():
        monkeypatch.setenv(f"TIDINGS_DNS_{name}", value)
    examined = bare("doctor")
    assert ("TIDINGS_DNS_URL: must be https" in examined.out, TOKEN in examined.out) == (True, False)
    monkeypatch.setenv("TIDINGS_DNS_URL", "http://127.0.0.1:9/v4")
    assert "TIDINGS_DNS_URL" not in bare("doctor").out
