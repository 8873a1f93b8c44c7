"""`tidings organizations` and `tidings projections`, as an operator uses them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.cli.conftest import Result, Tidings
from tests.modules.organizations.dns.cases import reaching
from tests.modules.organizations.dns.servers.cloudflare import TOKEN, Cloudflare, Fault, cloudflare
from tests.support.founding import BASE, Founder
from tests.support.pipeline import Owner
from tests.support.stepping import Stepper
from tidings.kit import db


@pytest.fixture
def stepper(pool: db.Pool) -> Stepper:
    return Stepper(Founder(pool))


@pytest.fixture
async def provider(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cloudflare]:
    """Cloudflare, as the settings have it."""
    async with cloudflare((BASE,)) as server:
        for name, value in {"PROVIDER": "cloudflare", "TOKEN": TOKEN, "URL": server.url}.items():
            monkeypatch.setenv(f"TIDINGS_DNS_{name}", value)
        monkeypatch.setenv("TIDINGS_ORGANIZATIONS_DOMAINS", f"default={BASE}")
        yield server


@pytest.fixture
async def at_cloudflare(pool: db.Pool, provider: Cloudflare) -> AsyncIterator[Stepper]:
    async with reaching(provider) as dns:
        yield Stepper(Founder(pool, dns))


async def run(tidings: Tidings, *arguments: str) -> Result:
    return await asyncio.to_thread(tidings, *arguments)


async def started(owner: Owner, id: UUID) -> None:
    """As if Temporal had been told to run it."""
    await owner.execute("UPDATE tidings.processes SET started_at = now() WHERE id = $1", f"org-bootstrap-{id}")


async def test_organizations_are_listed_and_shown(tidings: Tidings, stepper: Stepper) -> None:
    assert (await run(tidings, "organizations", "list")).out == "Nothing here.\n"
    given_up, taken_on = await stepper.given_up("south"), await stepper.taken_on()
    listed = (await run(tidings, "organizations", "list", "--json")).data
    assert [(each["id"], each["status"]) for each in listed] == [
        (str(taken_on), "completed"),
        (str(given_up), "failed"),
    ]
    assert [each["id"] for each in (await run(tidings, "organizations", "list", "--limit", "1", "--json")).data] == [
        str(taken_on)
    ]
    table = (await run(tidings, "organizations", "list", "--status", "failed")).out
    assert (str(given_up) in table, str(taken_on) in table) == (True, False)
    document = (await run(tidings, "organizations", "show", str(given_up), "--json")).data
    assert document["domain"] == document["bootstrap"]["domain"] == "south.example.org"
    assert document["bootstrap"]["error"] == "the tests do not want it"
    shown = (await run(tidings, "organizations", "show", str(given_up))).out
    assert "stopped at   complete\n" in shown
    assert "undone       removeDns" in shown.replace("revokeInvitations ", "")
    assert "complete                   the tests do not want it\n" in shown.replace("  done", "")


async def test_of_one_that_is_open_its_process_is_asked_and_may_be_away(
    tidings: Tidings, stepper: Stepper, owner: Owner
) -> None:
    asked = await stepper.founder.ask()
    shown = (await run(tidings, "organizations", "show", str(asked), "--json")).data
    assert shown["bootstrap"]["live"]["state"] == "not_started"
    await started(owner, asked)
    away = (await run(tidings, "organizations", "show", str(asked))).out
    assert "process      away, no address of Temporal is set (TIDINGS_TEMPORAL_ADDRESS)" in away


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "--status", "gone"], "--status: must be one of initiated, running"),
        (["list", "--tenant", "nobody"], "there is no tenant nobody"),
        (["show", "north"], "'ID': Input should be a valid UUID"),
        (["show", str(UUID(int=0))], "There is no such organisation."),
        (["reconcile", "--tenant", "nobody"], "there is no tenant nobody"),
    ],
)
def test_wrong_use_is_one_line(tidings: Tidings, arguments: list[str], said: str) -> None:
    result = tidings("organizations", *arguments)
    assert (result.code, result.err.count("\n"), said in result.err) == (2, 1, True)


async def test_what_is_left_is_told_first_and_then_removed(
    tidings: Tidings, at_cloudflare: Stepper, provider: Cloudflare
) -> None:
    given_up = await at_cloudflare.given_up()
    (zone,) = provider.zones
    provider.add_record(zone, name=f"north.{BASE}", content=f"app.{BASE}", comment=f"tidings-organization:{given_up}")
    told = await run(tidings, "organizations", "reconcile", "--dry-run")
    assert (told.code, "dns_left" in told.out, provider.names(zone)) == (1, True, [f"north.{BASE}"])
    done = await run(tidings, "organizations", "reconcile", "--json")
    detail = f"north.{BASE} is left, though it was not taken on"
    assert done.data == [{"what": "dns_left", "organizationId": str(given_up), "detail": detail, "mended": True}]
    assert (done.code, provider.names(zone)) == (0, [])
    assert (await run(tidings, "organizations", "reconcile")).out == "Nothing is wrong.\n"


async def test_what_may_be_another_installations_is_told_and_nobodys_fault(
    tidings: Tidings, provider: Cloudflare
) -> None:
    (zone,) = provider.zones
    provider.add_record(zone, name=f"west.{BASE}", content="x.example", comment=f"tidings-organization:{uuid4()}")
    told = await run(tidings, "organizations", "reconcile")
    assert (told.code, "dns_unknown" in told.out, len(provider.names(zone))) == (0, True, 1)


async def test_who_does_not_answer_is_named(
    tidings: Tidings, at_cloudflare: Stepper, provider: Cloudflare, owner: Owner
) -> None:
    await started(owner, await at_cloudflare.founder.ask())
    provider.faults.append(Fault(status=503, message="Come back later."))
    told = await run(tidings, "organizations", "reconcile", "--json")
    assert (told.code, {each["what"] for each in told.data}) == (1, {"not_asked"})
    assert [each["detail"] for each in told.data] == [
        "Temporal: no address of Temporal is set (TIDINGS_TEMPORAL_ADDRESS)",
        f"{BASE}: DnsFailed: Cloudflare answered 503: Come back later.",
    ]


async def test_records_that_these_settings_cannot_reach_are_not_said_to_be_gone(
    tidings: Tidings, at_cloudflare: Stepper, provider: Cloudflare, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_cloudflare.taken_on()
    said = {
        "logging": "TIDINGS_DNS_PROVIDER: is `logging`, and 1 organisation has its record at Cloudflare",
        "memory": "TIDINGS_DNS_PROVIDER: `memory` keeps records inside the worker",
    }
    for name, words in said.items():
        monkeypatch.setenv("TIDINGS_DNS_PROVIDER", name)
        refused = await run(tidings, "organizations", "reconcile")
        assert (refused.code, refused.err.count("\n"), words in refused.err) == (2, 1, True)
    monkeypatch.delenv("TIDINGS_DNS_TOKEN")
    monkeypatch.setenv("TIDINGS_DNS_PROVIDER", "cloudflare")
    assert "TIDINGS_DNS_TOKEN" in (await run(tidings, "organizations", "reconcile")).err


async def test_projections_are_made_anew_and_it_is_said_what_differed(
    tidings: Tidings, stepper: Stepper, owner: Owner
) -> None:
    taken_on = await stepper.taken_on()
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('acme', 'Acme')")
    assert (await run(tidings, "projections", "rebuild")).out == "Nothing differed.\n"
    await owner.execute("UPDATE tidings.organizations_projection SET active = false")
    told = await run(tidings, "projections", "rebuild", "--dry-run", "--json")
    expected: dict[str, Any] = {
        "tenant": "default",
        "organizationId": str(taken_on),
        "projections": ["organizations_projection (active)"],
        "mended": False,
    }
    assert (told.code, told.data) == (1, [expected])
    assert (await run(tidings, "projections", "rebuild", "--tenant", "acme", "--json")).data == []
    assert not await owner.fetchval("SELECT active FROM tidings.organizations_projection")
    done = await run(tidings, "projections", "rebuild", "--tenant", "default", "--json")
    assert (done.code, done.data, done.err) == (0, [{**expected, "mended": True}], "")
    assert await owner.fetchval("SELECT active FROM tidings.organizations_projection")
    assert (await run(tidings, "projections", "rebuild", "--tenant", "nobody")).code == 2


async def test_on_a_terminal_it_says_how_far_it_is(
    tidings: Tidings, stepper: Stepper, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stepper.taken_on()
    await stepper.taken_on("south")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    said = (await run(tidings, "projections", "rebuild")).err
    assert said == "\r1 of 2 organisations of default\r2 of 2 organisations of default\n"
