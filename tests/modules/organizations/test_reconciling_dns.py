"""DNS records that are left, gone, changed or somebody else's, at Cloudflare."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from tests.modules.organizations.dns.cases import reaching
from tests.modules.organizations.dns.servers.cloudflare import Cloudflare, Fault
from tests.modules.organizations.zones import NORTH, add, everything, found, records, zone_of
from tests.support.founding import BASE, Founder
from tests.support.stepping import Stepper
from tidings.kit import db
from tidings.modules.organizations.dns.port import DnsFailed
from tidings.modules.organizations.dns_records import DnsConflict
from tidings.modules.organizations.findings import What
from tidings.modules.organizations.model import mark_of

HANGS = timedelta(seconds=1)
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


async def test_a_call_that_hung_and_took_effect_after_the_undo_is_found_and_removed(
    stepper: Stepper, provider: Cloudflare, pool: db.Pool
) -> None:
    asked = await stepper.founder.ask()
    await stepper.step(stepper.activities.create, asked)
    provider.faults.append(Fault(ends="hangs", method="POST", takes_effect="later"))
    async with reaching(provider, deadline=HANGS) as impatient:
        with pytest.raises(DnsFailed):
            await stepper.step(Stepper(Founder(pool, impatient)).activities.configure_dns, asked)
    await stepper.back(asked)
    assert await stepper.look() == []
    provider.land()
    (late,) = records(provider)

    before, calls = await everything(pool), len(provider.ledger)
    assert found(await stepper.look()) == [(What.DNS_LEFT, asked, False)]
    assert (await everything(pool), records(provider)) == (before, [late])
    assert {each.method for each in provider.ledger[calls:]} & WRITES == set()

    assert found(await stepper.reconcile()) == [(What.DNS_LEFT, asked, True)]
    assert records(provider) == []
    assert (await stepper.founder.facts(asked))[-1][1]["recordIds"] == [late["id"]]
    assert await stepper.reconcile() == []


async def test_a_late_record_is_no_obstacle_for_whoever_has_the_name_by_now(
    stepper: Stepper, provider: Cloudflare
) -> None:
    given_up = await stepper.given_up()
    late = add(provider, comment=mark_of(given_up))
    taken_on = await stepper.taken_on()
    (record,) = records(provider)
    assert (record["comment"], record["id"] != late["id"]) == (mark_of(taken_on), True)
    assert await stepper.reconcile() == []


STRANGERS: dict[str, str | None] = {
    "no mark": None,
    "a mark of its own": "managed by terraform",
    "almost ours": "tidings-organization:",
    "ours in other letters": "TIDINGS-ORGANIZATION:not-an-id",
}


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_strangers_record_is_never_touched(stepper: Stepper, provider: Cloudflare, stranger: str) -> None:
    """Of the name of one that was given up, and of the name of one that fails for it."""
    await stepper.given_up()
    theirs = add(provider, comment=STRANGERS[stranger])
    await stepper.reconcile()
    asked = await stepper.founder.ask("south")
    other = add(provider, f"south.{BASE}", content="elsewhere.example.net", comment=STRANGERS[stranger])
    await stepper.step(stepper.activities.create, asked)
    with pytest.raises(DnsConflict):
        await stepper.step(stepper.activities.configure_dns, asked)
    await stepper.back(asked)
    assert {each.what for each in await stepper.reconcile()} <= {What.DNS_UNKNOWN}
    assert records(provider) == [theirs, other]


async def test_one_with_an_id_that_nobody_here_knows_is_told_and_stays(stepper: Stepper, provider: Cloudflare) -> None:
    """It may be another installation's."""
    theirs = uuid4()
    record = add(provider, comment=mark_of(theirs))
    assert found(await stepper.reconcile()) == [(What.DNS_UNKNOWN, theirs, False)]
    assert records(provider) == [record]


async def test_what_was_given_another_name_is_removed_all_the_same(stepper: Stepper, provider: Cloudflare) -> None:
    given_up = await stepper.given_up()
    add(provider, f"renamed.{BASE}", comment=mark_of(given_up))
    assert found(await stepper.reconcile()) == [(What.DNS_LEFT, given_up, True)]
    assert records(provider) == []


async def test_a_record_that_is_gone_is_made_again(stepper: Stepper, provider: Cloudflare) -> None:
    taken_on = await stepper.taken_on()
    first = provider.records[zone_of(provider)].popitem()[1]
    assert found(await stepper.look()) == [(What.DNS_MISSING, taken_on, False)]
    assert records(provider) == []
    assert found(await stepper.reconcile()) == [(What.DNS_MISSING, taken_on, True)]
    (again,) = records(provider)
    assert {**again, "id": first["id"]} == first
    organization = await stepper.founder.organization(taken_on)
    assert (organization.dns_record_id, organization.status) == (again["id"], "completed")
    assert await stepper.reconcile() == []


async def test_one_that_leads_elsewhere_is_told_and_stays(stepper: Stepper, provider: Cloudflare) -> None:
    """Somebody changed it, and may have had a reason."""
    taken_on = await stepper.taken_on()
    (record,) = records(provider)
    record["content"] = "elsewhere.example.net"
    (told,) = await stepper.reconcile()
    assert (told.what, told.organization_id, told.mended) == (What.DNS_ELSEWHERE, taken_on, False)
    assert told.detail == f"{NORTH} leads to elsewhere.example.net, not to app.{BASE}"
    assert records(provider) == [record]


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ({"content": "elsewhere.example.net"}, [What.DNS_ELSEWHERE]),
        ({"type": "A", "content": "192.0.2.7"}, [What.DNS_ELSEWHERE]),
        ({}, []),
    ],
    ids=["which leads elsewhere", "of another type", "which leads to us"],
)
async def test_where_somebody_put_another_record_in_its_place(
    stepper: Stepper, provider: Cloudflare, theirs: dict[str, str], told: list[What]
) -> None:
    await stepper.taken_on()
    provider.records[zone_of(provider)].clear()
    record = add(provider, **theirs)
    assert [each.what for each in await stepper.reconcile()] == told
    assert records(provider) == [record]


async def test_a_record_of_another_type_beside_it_is_none_of_its_business(
    stepper: Stepper, provider: Cloudflare
) -> None:
    taken_on = await stepper.taken_on()
    provider.records[zone_of(provider)].clear()
    note = add(provider, type="TXT", content="v=spf1 -all")
    assert found(await stepper.reconcile()) == [(What.DNS_MISSING, taken_on, True)]
    assert [each["type"] for each in records(provider)] == ["TXT", "CNAME"]
    assert records(provider)[0] == note


@pytest.mark.parametrize("status", [401, 403])
async def test_a_token_that_is_not_good_is_told(stepper: Stepper, provider: Cloudflare, status: int) -> None:
    await stepper.taken_on()
    provider.faults.append(Fault(status=status, code=10_000, message="Authentication error"))
    (told,) = await stepper.reconcile()
    assert (told.what, told.mended, "Authentication error" in told.detail) == (What.NOT_ASKED, False, True)
    assert provider.token not in told.detail


async def test_a_zone_that_is_gone_is_told_where_something_should_be_in_it(
    stepper: Stepper, provider: Cloudflare
) -> None:
    await stepper.given_up("south")
    gone = zone_of(provider)
    provider.zones[gone] = "other.example"
    assert await stepper.reconcile() == []
    provider.zones[gone] = BASE
    await stepper.taken_on()
    provider.zones[gone] = "other.example"
    assert found(await stepper.reconcile()) == [(What.NOT_ASKED, None, False)]
