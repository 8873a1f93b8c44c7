"""Trace, why and forecast over HTTP, over what a real worker did."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.api.world import World
from tests.support.pipeline import add_person, add_rule, drain, sending_settings


@pytest.fixture
async def told(world: World, owner: Any, database_url: str) -> dict[str, str]:
    """Two people of acme, of whom one can be reached, and a fact that was told to both."""
    reached = await add_person(owner, "Reached", "acme", external_id="r-1", email="reached@example.com")
    silent = await add_person(owner, "Silent", "acme")
    await add_rule(owner, "lead.created", "acme", name="Leads", channels=["email"], category="leads")
    fact = await world.as_(world.member).emit("lead.created", data={"id": 7})
    await drain(sending_settings(database_url).model_copy(update={"master_key": world.settings.master_key}))
    return {"fact": fact["id"], "reached": str(reached), "silent": str(silent)}


async def test_the_trace_of_a_fact_is_one_document(world: World, told: dict[str, str]) -> None:
    answer = await world.as_(world.admin).get(f"/v1/facts/{told['fact']}/trace")
    assert answer.status == 200
    trace = answer.json["data"]
    assert trace["fact"]["id"] == told["fact"]
    assert [intent["kind"] for intent in trace["intents"]] == ["notice.rules"]
    assert [listener["rule"] for listener in trace["listeners"]] == ["Leads"]
    assert (trace["notices"][0]["tally"]["sent"], trace["notices"][0]["tally"]["noTarget"]) == (1, 1)
    (delivery,) = trace["deliveries"]
    assert (delivery["address"], delivery["status"]) == ("reached@example.com", "sent")
    assert delivery["tries"][0]["outcome"] == "sent"
    assert [fact["type"] for fact in trace["facts"]] == ["notice.settled"]


@pytest.mark.parametrize("person", ["r-1", "reached@example.com"])
async def test_why_somebody_got_it(world: World, told: dict[str, str], person: str) -> None:
    answer = await world.as_(world.admin).get(f"/v1/why?person={person}&fact={told['fact']}")
    assert answer.status == 200
    assert answer.json["data"]["person"]["id"] == told["reached"]
    (matter,) = answer.json["data"]["matters"]
    assert (matter["got"], matter["answers"][0]["cause"]) == ("yes", "sent")


async def test_why_somebody_did_not_by_fact_and_by_category(world: World, told: dict[str, str]) -> None:
    admin = world.as_(world.admin)
    for query in (f"fact={told['fact']}", "category=leads"):
        answer = await admin.get(f"/v1/why?person={told['silent']}&{query}")
        (matter,) = answer.json["data"]["matters"]
        assert (matter["got"], matter["answers"][0]["cause"]) == ("no", "no_address")
        assert "no address for the channel email" in matter["answers"][0]["sentences"][-1]


@pytest.mark.parametrize(
    ("query", "cause"),
    [
        ("", "nothing_happened"),
        ("&category=leads&since=2026-11-16T00:00:00Z&until=2026-11-15T00:00:00Z", "nothing_happened"),
        ("&until=0001-01-01T00:00:00Z", "nothing_happened"),
        ("&since=9999-12-31T23:59:59Z", "nothing_happened"),
        (f"&fact={UUID(int=7)}", "fact_unknown"),
    ],
)
async def test_what_can_be_asked(world: World, owner: Any, query: str, cause: str) -> None:
    person = await add_person(owner, tenant="acme")
    answer = await world.as_(world.admin).get(f"/v1/why?person={person}{query}")
    assert answer.status == 200, answer.text
    assert answer.json["data"]["matters"][0]["answers"][0]["cause"] == cause


async def test_a_person_who_is_not_there_is_not_found(world: World, owner: Any) -> None:
    elsewhere = await add_person(owner, tenant="globex")
    for person in ("nobody", elsewhere):
        answer = await world.as_(world.admin).get(f"/v1/why?person={person}&fact={UUID(int=7)}")
        assert answer.status == 404


async def test_the_forecast_is_paged_and_counted_by_hour(world: World, owner: Any) -> None:
    for n in (1, 2, 3):
        await owner.execute(
            "SELECT tidings.schedule('reminder.send', '{}', run_at => now() + $1 * interval '1 day', tenant => 'acme')",
            n,
        )
    admin = world.as_(world.admin)
    first = (await admin.get("/v1/forecast?limit=2&tz=Europe/Rome")).json
    assert (first["data"]["timezone"], sum(each["count"] for each in first["data"]["expected"])) == ("Europe/Rome", 3)
    assert (len(first["data"]["coming"]), first["pagination"]["hasMore"]) == (2, True)
    second = (await admin.get(f"/v1/forecast?limit=2&cursor={first['pagination']['nextCursor']}")).json
    assert (len(second["data"]["coming"]), second["pagination"]) == (1, {"nextCursor": None, "hasMore": False})
    assert (await admin.get("/v1/forecast?tz=Nowhere/At_all")).status == 422


async def test_the_forecast_lists_one_day_where_that_is_asked_for(world: World, owner: Any) -> None:
    later = "SELECT tidings.schedule('reminder.send', '{}', run_at => $1, tenant => 'acme')"
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).replace(hour=12)
    for at in (tomorrow, tomorrow + timedelta(days=1)):
        await owner.execute(later, at)
    admin = world.as_(world.admin)
    found = (await admin.get(f"/v1/forecast?day={tomorrow.date()}")).json["data"]
    assert [each["at"][:10] for each in found["coming"]] == [str(tomorrow.date())]
    assert sum(each["count"] for each in found["expected"]) == 2
    for wrong in ("tomorrow", "2026-02-30", "1700000000"):
        assert (await admin.get(f"/v1/forecast?day={wrong}")).status == 422


async def test_a_member_sees_none_of_it(world: World) -> None:
    for path in (f"/v1/facts/{uuid4()}/trace", f"/v1/why?person=x&fact={UUID(int=7)}", "/v1/forecast"):
        assert (await world.as_(world.member).get(path)).status == 403
