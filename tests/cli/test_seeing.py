"""`tidings trace`, `why` and `forecast`, as an operator reads them."""

from __future__ import annotations

import asyncio
from uuid import UUID

import asyncpg
import pytest

from tests.cli.conftest import Tidings
from tests.support.pipeline import add_person, add_rule, drain, emit, sending_settings
from tests.support.routing import TOPIC, choose


@pytest.fixture
def fact(database_url: str) -> str:
    """A fact that was told to the owner, by push, and to nobody by e-mail."""
    return str(asyncio.run(_told(database_url)))


async def _told(url: str) -> UUID:
    connection = await asyncpg.connect(url)
    await add_person(connection, "The owner", external_id="owner", push="a-token-of-a-device")
    await add_rule(connection, name="Orders", channels=["push", "email"])
    await add_rule(connection, name="Large orders", conditions={"field": "amount", "greater": 100}, delay="2h")
    made = await emit(connection, amount=40)
    await emit(connection, amount=400)
    await drain(sending_settings(url))
    await connection.close()
    return made


def test_a_trace_is_a_tree_and_a_document(tidings: Tidings, fact: str) -> None:
    tree = tidings("trace", fact).out.splitlines()
    assert fact in tree[0]
    assert any("rule 'Large orders' version 1: amount is 40, not greater than 100" in line for line in tree)
    assert any(line.startswith("      ") and "push to a-token-…" in line and ": sent" in line for line in tree)
    assert any("no address for email" in line for line in tree)
    assert tidings("trace", fact, "--json").data["notices"][0]["tally"]["sent"] == 1
    assert tidings("trace", "00000000-0000-0000-0000-000000000000").code == 2


def test_a_trace_says_where_nothing_was_left_of_a_choice(tidings: Tidings, database_url: str) -> None:
    fact = asyncio.run(_told_of_a_topic(database_url))
    tree = tidings("trace", str(fact)).out.splitlines()
    assert any("none of the integrations that they chose is there and in use" in line for line in tree)


async def _told_of_a_topic(url: str) -> UUID:
    connection = await asyncpg.connect(url)
    await choose(connection, await add_person(connection, email="a@example.com"), tags=["home"])
    await add_rule(connection, audience=[{"by": "topic", "values": [TOPIC]}], channels=["email"])
    made = await emit(connection)
    await drain(sending_settings(url))
    await connection.close()
    return made


def test_why_is_told_in_sentences(tidings: Tidings, fact: str) -> None:
    told = tidings("why", "owner", "--fact", fact).out
    assert told.startswith(f"The owner got it (order.paid {fact}).")
    assert "amount is 40, not greater than 100" in told
    causes = tidings("why", "owner", "--fact", fact, "--json").data["matters"][0]["answers"]
    assert {each["cause"] for each in causes} == {"sent", "no_address", "condition_not_met"}
    assert "order.paid" in tidings("why", "owner", "--category", "general").out


@pytest.mark.parametrize(
    "arguments",
    [
        ["owner", "--fact", str(UUID(int=1)), "--since", "2026-11-16T00:00:00Z"],
        ["owner", "--category", "x", "--since", "yesterday"],
        ["nobody", "--category", "x"],
    ],
)
def test_wrong_use_of_why_is_one_line(tidings: Tidings, arguments: list[str]) -> None:
    result = tidings("why", *arguments)
    assert (result.code, result.err.count("\n")) == (2, 1)


def test_the_forecast_is_a_table_and_a_document(tidings: Tidings, fact: str) -> None:
    shown = tidings("forecast", "--tz", "Europe/Rome").out
    assert "HOUR (Europe/Rome)" in shown
    assert "Order 7 is paid, to 1 person" in shown
    assert tidings("forecast", "--json").data["coming"][0]["name"] == "notice.fan_out"
    assert "--tz" in tidings("forecast", "--tz", "Nowhere").err


def test_nothing_to_come_is_said(tidings: Tidings) -> None:
    assert tidings("forecast").out == "Nothing is to come.\n"
