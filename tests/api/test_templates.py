"""Templates over HTTP: saved in versions, previewed, retired."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from tests.api.world import Client, World

MAIL: dict[str, Any] = {
    "subject": "{{ notice.title }}",
    "markup": "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ person.name }}: {{ data.total }}</mj-text>"
    "</mj-column></mj-section></mj-body></mjml>",
    "text": None,
}
MAIL_PATH = "/v1/templates/order.paid/email"


async def test_a_template_is_shown_as_it_was_saved(world: World) -> None:
    admin = world.as_(world.admin)
    saved = await save(admin, MAIL_PATH, MAIL)
    assert saved == MAIL | {
        "name": "order.paid",
        "channel": "email",
        "locale": "",
        "builtIn": False,
        "version": 1,
        "retired": False,
        "changedBy": f"user:{world.admin.id}",
        "createdAt": saved["createdAt"],
    }
    assert (await admin.get(MAIL_PATH)).json["data"] == saved


async def test_saving_makes_versions_and_retiring_falls_back(world: World) -> None:
    admin, path = world.as_(world.admin), "/v1/templates/notice/push"
    ours = (await admin.get(path)).json["data"]
    assert (ours["builtIn"], ours["version"]) == (True, None)
    for text, version in (("one", 1), ("one", 1), ("two", 2)):
        assert (await save(admin, path, {"text": text}))["version"] == version
    assert (await admin.get(f"{path}?version=1")).json["data"]["text"] == "one"
    assert (await admin.call("DELETE", path)).status == 204
    assert (await admin.call("DELETE", path)).status == 404
    assert (await admin.get(path)).json["data"] == ours
    versions = (await admin.get(f"{path}/versions")).json["data"]
    assert [(each["version"], each["retired"]) for each in versions] == [(3, True), (2, False), (1, False)]


async def test_languages_are_apart_and_spelt_one_way(world: World) -> None:
    admin, path = world.as_(world.admin), "/v1/templates/order.paid/sms"
    await save(admin, f"{path}?locale=PT-br", {"text": "pago"})
    assert (await admin.get(f"{path}?locale=pt-BR")).json["data"]["locale"] == "pt-BR"
    assert (await admin.get(path)).status == 404
    assert (await admin.get(f"{path}?locale=p")).status == 422


async def test_a_rule_may_use_a_template_that_is_there(world: World) -> None:
    admin = world.as_(world.admin)
    rule = {
        "name": "Paid",
        "factType": "order.paid",
        "audience": [{"by": "everyone"}],
        "title": "Paid",
        "body": "Paid",
        "channels": ["email"],
        "template": "order.paid",
    }
    assert (await admin.post("/v1/rules", rule)).status == 422
    await save(admin, MAIL_PATH, MAIL)
    assert (await admin.post("/v1/rules", rule)).status == 201


async def test_what_is_wrong_with_a_template_is_named(world: World) -> None:
    admin = world.as_(world.admin)
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("email", {"text": "x"}, "subject"),
        ("email", {"subject": "x"}, "markup"),
        ("email", {"subject": "x", "markup": "<mjml><mj-body><mj-bogus></mj-body></mjml>"}, "markup"),
        ("sms", {}, "text"),
        ("sms", {"text": "x", "markup": "<mjml/>"}, "markup"),
        ("sms", {"text": "one\n{{ nobody.name }}"}, "text"),
        ("sms", {"text": "{% include 'x' %}"}, "text"),
        ("sms", {"text": "x" * 70_000}, "text"),
        ("sms", {"text": 7}, "text"),
        ("sms", {"text": "x", "colour": "red"}, "colour"),
    ]
    for channel, body, named in cases:
        answer = await admin.call("PUT", f"/v1/templates/order.paid/{channel}", json=body)
        assert answer.status == 422, answer.text
        assert {error["field"] for error in answer.json["errors"]} == {named}
    for path in ("/v1/templates/order.paid/pigeon", "/v1/templates/No%20Slug/sms"):
        assert (await admin.call("PUT", path, json={"text": "x"})).status == 404


async def test_the_list_has_ours_and_theirs(world: World) -> None:
    admin = world.as_(world.admin)
    await save(admin, MAIL_PATH, MAIL)
    await save(admin, "/v1/templates/notice/sms", {"text": "own"})
    listed = (await admin.get("/v1/templates?limit=100")).json["data"]
    assert {(each["name"], each["channel"]) for each in listed if not each["builtIn"]} == {
        ("order.paid", "email"),
        ("notice", "sms"),
    }
    assert len([each for each in listed if each["builtIn"]]) == 7
    first = (await admin.get("/v1/templates?limit=3")).json
    second = (await admin.get(f"/v1/templates?limit=100&cursor={first['pagination']['nextCursor']}")).json
    assert first["data"] + second["data"] == listed


async def test_a_preview_is_what_one_person_would_get(world: World) -> None:
    admin = world.as_(world.admin)
    await save(admin, MAIL_PATH, MAIL)
    fact = await admin.emit("order.paid", data={"total": 42})
    person = await world.pool.fetchval(
        "INSERT INTO tidings.people (tenant, name, locale) VALUES ('acme', '<b>Cook</b>', 'it') RETURNING id"
    )
    about = {"factId": fact["id"], "personId": str(person), "notice": {"title": "It is paid"}}
    shown = await preview(admin, channel="email", name="order.paid", **about)
    assert shown["subject"] == "It is paid"
    assert "Dear &lt;b&gt;Cook&lt;/b&gt;: 42" in shown["html"]
    assert "Dear <b>Cook</b>: 42" in shown["text"]
    unsaved = await preview(admin, channel="sms", source={"text": "{{ data.total }}"}, data={"total": 1}, **about)
    assert unsaved == {"subject": None, "text": "1", "html": None}
    ours = await preview(admin, channel="push")
    assert ours["subject"] == "A sample title"
    assert "https://example.com/unsubscribe/" in (await preview(admin, channel="email"))["html"]


async def test_a_preview_says_what_cannot_be_rendered(world: World) -> None:
    admin = world.as_(world.admin)
    for source, field in (({"text": "{{ data.x.y }}"}, "source.text"), ({"text": "{{"}, "source.text")):
        answer = await admin.post("/v1/templates/preview", {"channel": "sms", "source": source})
        assert (answer.status, answer.json["errors"][0]["field"]) == (422, field)
    for wrong in (
        {"timezone": "Mars/Olympus"},
        {"timezone": "../etc"},
        {"factId": "x"},
        {"locale": "!"},
        {"name": "nothing"},
    ):
        assert (await admin.post("/v1/templates/preview", {"channel": "sms", **wrong})).status == 422, wrong
    for absent in ({"factId": str(uuid4())}, {"personId": str(uuid4())}):
        assert (await admin.post("/v1/templates/preview", {"channel": "sms", **absent})).status == 404


async def save(client: Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = await client.call("PUT", path, json=body)
    assert answer.status == 200, answer.text
    saved: dict[str, Any] = answer.json["data"]
    return saved


async def preview(client: Client, **body: Any) -> dict[str, Any]:
    answer = await client.post("/v1/templates/preview", body)
    assert answer.status == 200, answer.text
    shown: dict[str, Any] = answer.json["data"]
    return shown
