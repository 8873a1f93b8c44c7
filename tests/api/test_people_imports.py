"""Files of people over HTTP: all of them, or nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.api.test_people import made
from tests.api.world import Answer, Client, World, api_settings, world_of
from tidings.kit.crypto import Keyring, new_key
from tidings.kit.errors import Unavailable
from tidings.spine.notify.people.imports.receiving import Receiving
from tidings.spine.notify.people.imports.staging import Staging
from tidings.spine.notify.people.urls import not_called

PATH = "/v1/people/imports"
CSV = {"Content-Type": "text/csv"}
HEADER = "external_id,name,user_type,email,phone,locale,timezone,push_token,slack_webhook,groups,topics\n"


@pytest.fixture
def admin(world: World) -> Client:
    return world.as_(world.admin)


async def sent(client: Client, text: str | bytes, query: str = "", **headers: str) -> Answer:
    return await client.call("POST", PATH + query, data=text, headers={**CSV, **headers})


@pytest.mark.usefixtures("any_postgres")
async def test_a_file_creates_and_changes_people(world: World, admin: Client) -> None:
    known = await made(admin, externalId="1", name="Old", phone="+390612345678", userType="guest", pushTokens=["old"])
    hook = "https://hooks.slack.example/canary"
    rows = (
        "1,New,,new@example.com,+390612345678,it,Europe/Rome,,,g1;g2,news\n"
        f'2,"Said ""hi"", twice",guest,two@example.com,,,,token,{hook},g2,\n'
        ",Without id,,,,,,,,,\n"
    )
    answer = await sent(admin, "\ufeff" + HEADER + rows.replace("\n", "\r\n"))
    assert answer.status == 201, answer.text
    ended = answer.json["data"]
    assert (ended["status"], ended["rows"], ended["created"], ended["updated"]) == ("done", 3, 2, 1)
    people = {person["name"]: person for person in (await admin.get("/v1/people")).json["data"]}
    assert people.keys() == {"New", 'Said "hi", twice', "Without id"}
    assert people["New"]["id"] == known["id"]
    assert people["New"]["userType"] is None
    assert {a["value"] for a in people["New"]["addresses"]} == {"new@example.com", "+390612345678"}
    assert {a["kind"] for a in people['Said "hi", twice']["addresses"]} == {"email", "push", "slack"}
    groups = {g["externalId"]: g["id"] for g in (await admin.get("/v1/groups")).json["data"]}
    assert len((await admin.get(f"/v1/groups/{groups['g2']}/members")).json["data"]) == 2
    topics = (await admin.get(f"/v1/people/{known['id']}/topics")).json["data"]
    assert [found["topic"] for found in topics] == ["news"]
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.import_rows") == 0


async def test_a_column_that_is_not_there_leaves_what_was(admin: Client) -> None:
    await made(admin, externalId="1", name="Old", email="old@example.com", timezone="Europe/Rome")
    assert (await sent(admin, "name,external_id\nNew,1\n")).status == 201
    [person] = (await admin.get("/v1/people")).json["data"]
    assert (person["name"], person["email"], person["timezone"]) == ("New", "old@example.com", "Europe/Rome")


async def test_one_wrong_row_and_nobody_is_changed(world: World, admin: Client) -> None:
    lines = [
        "external_id,name,email,slack_webhook",
        "1,Good,one@example.com,https://hooks.slack.example/canary",
        "2,Bad mail,nobody,",
        "3,Too,many,cells,here",
        '4,Quote"out of place,,',
        "5,Nul\x00,,",
        "1,Twice,,",
        "6,,,",
        '"7","Multi\nline is no name",,',
        '8,"never closed,,',
    ]
    answer = await sent(admin, "\n".join(lines))
    assert (answer.status, "nobody was changed" in answer.json["detail"]) == (422, True)
    faults = {fault["field"]: fault["message"] for fault in answer.json["errors"]}
    expected = {
        "line 3": "email: must be one e-mail address",
        "line 4": "has 5 cells, and the header has 4",
        "line 5": "has a quote out of place",
        "line 6": "has a NUL in it",
        "line 7": "external_id: is the same as in line 2",
        "line 8": "name: is missing",
        "line 9": "name: must not have control characters",
        "line 11": "a quote is opened and never closed",
    }
    assert faults.keys() == expected.keys()
    assert all(words in faults[line] for line, words in expected.items()), faults
    assert (await admin.get("/v1/people")).json["data"] == []
    [listed] = (await admin.get(PATH)).json["data"]
    assert (listed["status"], listed["rows"], listed["wrong"]) == ("refused", 9, 8)
    assert answer.headers["Location"] == f"{PATH}/{listed['id']}"
    errors = (await admin.get(f"{PATH}/{listed['id']}/errors?limit=5")).json
    more = await admin.get(f"{PATH}/{listed['id']}/errors?cursor={errors['pagination']['nextCursor']}")
    assert [row["line"] for row in errors["data"] + more.json["data"]] == [3, 4, 5, 6, 7, 8, 9, 11]
    kept = await world.pool.fetch("SELECT external_id, person, sealed FROM tidings.import_rows")
    assert {tuple(row) for row in kept} == {(None, None, None)}


UNREADABLE = [
    (b"", "is empty"),
    (b"name,emial\n", "did you mean email?"),
    (b"name,name\n", "comes twice"),
    (b"email\n", "no column name"),
    (b"name;email\n", "separated by commas"),
    ("name\nSomebody\n".encode("utf-16"), "UTF-16"),
    ("name\nSømebody\n".encode("latin-1"), "1 row is wrong"),
    (b"name\n" + b"x" * 70_000, "longer than"),
]


async def test_a_file_that_cannot_be_read_is_refused_with_why(admin: Client) -> None:
    for content, words in UNREADABLE:
        answer = await sent(admin, content)
        assert (answer.status, words in answer.json["detail"]) == (422, True), answer.text
    assert {listed["status"] for listed in (await admin.get(PATH)).json["data"]} == {"refused"}


async def test_a_dry_run_says_what_would_come_of_it(world: World, admin: Client) -> None:
    await made(admin, externalId="1", name="Old")
    answer = await sent(admin, "external_id,name\n1,New\n2,Other\n", "?dryRun=true&file=people.csv")
    assert answer.status == 200
    assert {name: answer.json["data"][name] for name in ("status", "file", "created", "updated", "dryRun")} == {
        "status": "done",
        "file": "people.csv",
        "created": 1,
        "updated": 1,
        "dryRun": True,
    }
    assert [person["name"] for person in (await admin.get("/v1/people")).json["data"]] == ["Old"]
    assert (await sent(admin, "name\nx\n", "?dryrun=true")).status == 422
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.import_rows") == 0


async def test_a_connection_cut_in_the_middle_changes_nobody_and_progress_shows_meanwhile(admin: Client) -> None:
    halfway, gone = asyncio.Event(), asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b"name\n" + b"Somebody\n" * 2_000
        halfway.set()
        await gone.wait()

    async def upload() -> None:
        async with aiohttp.ClientSession() as http:
            await http.post(admin.base + PATH, data=body(), headers={**admin.headers, **CSV})

    uploading = asyncio.create_task(upload())
    await halfway.wait()
    running = await _seen(admin, lambda found: found["rows"] >= 2_000)
    assert (running["status"], running["wrong"]) == ("receiving", 0)
    uploading.cancel()
    cut = await _seen(admin, lambda found: found["status"] != "receiving")
    assert (cut["status"], "broke off" in cut["error"]) == ("refused", True)
    assert (await admin.get("/v1/people")).json["data"] == []


async def test_a_file_may_be_larger_than_any_other_body_but_not_endless(database_url: str) -> None:
    limits = {"max_body": 300_000, "max_import": 400_000}
    async with world_of(api_settings(database_url, api=limits)) as world:
        admin, row = world.as_(world.admin), "Somebody," + "x" * 91 + "\n"
        assert (await sent(admin, "name,user_type\n" + row * 3_900)).status == 201
        assert (await sent(admin, "name,user_type\n" + row * 4_100)).status == 413

        async def unannounced() -> AsyncIterator[bytes]:
            yield b"name,user_type\n"
            for _ in range(100):
                yield row.encode() * 100

        streamed = await admin.call("POST", PATH, data=unannounced(), headers=CSV)
        assert streamed.status == 413
        assert [found["status"] for found in (await admin.get(PATH)).json["data"]] == ["refused", "done"]


async def test_it_must_be_csv_from_an_admin(world: World, admin: Client) -> None:
    assert (await sent(admin, "name\n", **{"Content-Type": "application/json"})).status == 415
    assert (await sent(admin, "name\n", **{"Content-Type": "text/csv; charset=latin-1"})).status == 415
    assert (await sent(admin, "name\n", **{"Content-Type": "text/csv; charset=utf-8"})).status == 201
    assert (await sent(world.as_(world.member), "name\n")).status == 403


async def test_an_import_whose_receiver_is_gone_is_refused_and_its_rows_are_forgotten(
    world: World, admin: Client
) -> None:
    left = await world.pool.fetchval(
        """INSERT INTO tidings.imports (tenant, touched_at) VALUES ('acme', now() - interval '1 hour') RETURNING id"""
    )
    await world.pool.execute(
        """INSERT INTO tidings.import_rows (import_id, tenant, line, person) VALUES ($1, 'acme', 2, '{"name": "x"}')""",
        left,
    )
    found = (await admin.get(f"{PATH}/{left}")).json["data"]
    assert (found["status"], "gone" in found["error"]) == ("refused", True)
    await sent(admin, "name\nSomebody\n")
    assert await world.pool.fetchval("SELECT count(*) FROM tidings.import_rows") == 0


async def _seen(client: Client, as_wanted: Any) -> dict[str, Any]:
    while True:
        found: list[dict[str, Any]] = (await client.get(PATH)).json["data"]
        if found and as_wanted(found[0]):
            return found[0]
        await asyncio.sleep(0.02)


async def test_a_file_that_does_not_get_its_turn_is_refused_with_why(world: World) -> None:
    """Files are applied a few at a time; what waits too long is told to come again."""
    staging = Staging(world.pool, 5.0, "acme")
    receiving = Receiving(staging, Keyring(new_key()).vault("x"), not_called, turns=asyncio.Semaphore(0), patience=0.01)

    async def file() -> AsyncIterator[bytes]:
        yield b"name\nSomebody\n"

    with pytest.raises(Unavailable, match="Other files"):
        await receiving.receive(file())
    (listed,) = (await world.as_(world.admin).get(PATH)).json["data"]
    assert (listed["status"], listed["error"]) == ("refused", "Other files are being applied; try again.")
