"""Providers: checked when they are saved, their secrets never shown, and removed without losing anything."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.delivery.post_office import MAIL, TENANT, Mailer, PostOffice
from tests.outbox.engines import add_tenants, eventually
from tidings.kit.errors import Conflict, NotFound, Outdated, ValidationFailed
from tidings.spine.channels.port import Channel
from tidings.spine.delivery.failing_over import kinds
from tidings.spine.delivery.providers import NewProvider
from tidings.testing import adrain_outbox

CANARY = "re_canary_of_the_provider"
SMTP = {**MAIL, "host": "mail.example.com", "username": "post", "password": CANARY}


def faults(raised: pytest.ExceptionInfo[ValidationFailed]) -> dict[str, str]:
    return {fault.field: fault.message for fault in raised.value.faults}


async def opened(office: PostOffice) -> dict[str, Any]:
    sealed = await office.owner.fetchval("SELECT config FROM tidings.providers")
    config: dict[str, Any] = json.loads(office.configurations.vault.open(sealed, TENANT))
    return config


async def test_a_secret_is_sealed_and_never_shown(office: PostOffice) -> None:
    made = await office.provider(SMTP, type="smtp")
    assert CANARY not in repr(made)
    (row,) = await office.owner.fetch("SELECT * FROM tidings.providers")
    assert CANARY not in repr(row)
    assert CANARY.encode() not in row["config"]
    assert (await opened(office))["password"] == CANARY
    assert json.loads(made.shown)["host"] == "mail.example.com"


async def test_every_fault_of_a_configuration_is_named(office: PostOffice) -> None:
    wrong = {"fromAddress": "nobody", "port": 70000, "password": 7, "colour": "red"}
    with pytest.raises(ValidationFailed) as raised:
        await office.provider(wrong, type="smtp")
    named = {"config.fromAddress", "config.port", "config.password", "config.colour", "config.host"}
    assert set(faults(raised)) == named
    assert "7" not in str(faults(raised)["config.password"])


@pytest.mark.parametrize(
    ("type", "config", "field"),
    [
        ("smtp", {**SMTP, "host": "10.0.0.1"}, "config.host"),
        ("smtp", {**SMTP, "port": 6379}, "config.port"),
        ("resend", {**MAIL, "apiKey": "x", "baseUrl": "http://169.254.169.254"}, "config.baseUrl"),
        ("resend", {**MAIL, "apiKey": "x", "baseUrl": "file:///etc/passwd"}, "config.baseUrl"),
        ("resend", {**MAIL, "apiKey": "", "baseUrl": "https://api.example.com"}, "config.apiKey"),
        ("nosuch", {}, "type"),
        ("webhook", {}, "type"),
        ("sandbox", {"colour": "red"}, "config.colour"),
    ],
)
async def test_what_could_not_work_or_must_not_be_reached_is_refused(
    office: PostOffice, type: str, config: dict[str, Any], field: str
) -> None:
    with pytest.raises(ValidationFailed) as raised:
        await office.provider(config, type=type)
    assert set(faults(raised)) <= {field, "config.host"}
    assert faults(raised)


async def test_a_secret_that_is_not_given_again_is_kept(office: PostOffice) -> None:
    made = await office.provider(SMTP, type="smtp")
    given = {name: value for name, value in SMTP.items() if name != "password"} | {"username": "other"}
    changed = await office.providers().change(made.id, {}, given, None)
    assert changed.version == made.version + 1
    config = await opened(office)
    assert (config["username"], config["password"]) == ("other", CANARY)


@pytest.mark.parametrize(
    "change", [{"host": "mail.example.org"}, {"port": 25}, {"security": "none"}, {"verify": False}]
)
async def test_a_secret_is_not_kept_where_it_would_go_elsewhere(office: PostOffice, change: dict[str, Any]) -> None:
    made = await office.provider(SMTP, type="smtp")
    given = {name: value for name, value in SMTP.items() if name != "password"} | change
    with pytest.raises(ValidationFailed) as raised:
        await office.providers().change(made.id, {}, given, None)
    assert "must be given again" in faults(raised)["config.password"]
    await office.providers().change(made.id, {}, given | {"password": CANARY}, None)


async def test_a_change_of_a_version_that_is_over_is_refused(office: PostOffice) -> None:
    made = await office.provider(SMTP, type="smtp")
    await office.providers().change(made.id, {"priority": 1}, None, made.version)
    with pytest.raises(Outdated):
        await office.providers().change(made.id, {"priority": 2}, None, made.version)
    assert (await office.providers().get(made.id)).priority == 1


async def test_names_are_unique_in_a_channel_until_removed(office: PostOffice) -> None:
    made = await office.provider(SMTP, type="smtp")
    with pytest.raises(Conflict):
        await office.provider(SMTP, type="smtp")
    await office.providers().remove(made.id)
    with pytest.raises(NotFound):
        await office.providers().get(made.id)
    assert await office.owner.fetchval("SELECT config FROM tidings.providers WHERE id = $1", made.id) is None
    await office.provider(SMTP, type="smtp")


async def test_what_waits_for_it_keeps_a_provider_unless_another_takes_it(
    office: PostOffice, first: Mailer, second: Mailer
) -> None:
    made = await office.provider(first.config)
    await office.people(3)
    notice = await office.notice()
    with pytest.raises(Conflict):
        await office.providers().remove(made.id)
    other = await office.provider(second.config, "second", priority=200)
    await office.providers().remove(made.id)
    await adrain_outbox(office.settings, *kinds())
    assert await office.owner.fetchval("SELECT array_agg(DISTINCT provider) FROM tidings.deliveries") == [other.id]
    assert await office.tally(notice) == await office.counted(notice) == {"open": 3}


async def test_disabled_what_is_meant_for_it_waits_and_is_not_refused_by_the_default(
    office: PostOffice, first: Mailer
) -> None:
    await office.people(2)
    await office.notice()  # nobody has set a provider: the default one is made, and refuses
    async with office.worker():

        async def refused() -> bool:
            return bool(await office.owner.fetchval("SELECT count(*) = 2 FROM tidings.deliveries_finished"))

        await eventually(refused)
    made = await office.provider(first.config, enabled=False)
    notice = await office.notice()
    assert await office.owner.fetchval("SELECT array_agg(DISTINCT provider) FROM tidings.deliveries") == [made.id]
    async with office.worker():
        await office.providers().change(made.id, {"enabled": True}, None, None)

        async def sent() -> bool:
            return await office.tally(notice) == {"sent": 2}

        await eventually(sent)


async def test_when_one_is_turned_off_or_set_up_what_waits_goes_to_one_that_works(
    office: PostOffice, first: Mailer, second: Mailer
) -> None:
    made = await office.provider(first.config, enabled=False)
    await office.people(2)
    notice = await office.notice()
    other = await office.provider(second.config, "second")
    async with office.worker():

        async def sent() -> bool:
            return await office.tally(notice) == {"sent": 2}

        await eventually(sent)
    assert (len(first.keys), len(second.keys)) == (0, 2)
    assert other.id != made.id


async def test_a_change_reaches_workers_that_run(office: PostOffice, first: Mailer, second: Mailer) -> None:
    made = await office.provider(first.config)
    await office.people(1)
    async with office.worker():
        for server in (first, second):
            await office.providers().change(made.id, {}, server.config, None)
            notice = await office.notice()

            async def sent(notice: Any = notice) -> bool:
                return await office.tally(notice) == {"sent": 1}

            await eventually(sent)
    assert (len(first.keys), len(second.keys)) == (1, 1)


async def test_one_tenants_provider_is_not_anothers(office: PostOffice) -> None:
    await add_tenants(office.owner, ["elsewhere"])
    made = await office.provider(SMTP, type="smtp")
    theirs = office.providers("elsewhere")
    for act in (
        theirs.get(made.id),
        theirs.remove(made.id),
        theirs.close(made.id),
        theirs.change(made.id, {}, {}, None),
    ):
        with pytest.raises(NotFound):
            await act
    assert await theirs.list() == []
    await theirs.create(NewProvider(Channel.EMAIL, "smtp", "first", SMTP, {}))
