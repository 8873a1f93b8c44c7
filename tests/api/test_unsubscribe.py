"""The link in a mail: one click, a page that changes nothing by being opened, and a way back."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.world import Answer, Client, running
from tests.support.pipeline import Owner, add_person, add_rule, drain, emit, kept, sending_settings
from tidings.api.forms import fields_of
from tidings.api.routes.unsubscribe import chosen
from tidings.api.secret_paths import without_secrets
from tidings.api.unsubscribe_words import language_of
from tidings.kit import logging as our_logging
from tidings.kit.crypto import DataKeys, Keyring, new_key
from tidings.kit.settings import LogSettings, Settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.notify.unsubscribing import Choice, Link, Links, open_links

ONE_CLICK = "List-Unsubscribe=One-Click"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
IN_PARTS = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
STOPPED = ("*", "email", False)


@dataclass(frozen=True)
class Mailed:
    """A person who got a mail of the category `orders`."""

    client: Client
    owner: Owner
    links: Links
    person: UUID

    def path(self, **other: Any) -> str:
        link = replace(Link("default", self.person, "orders"), **other)
        return f"/unsubscribe/{self.links.token(link)}"

    async def post(self, body: str = ONE_CLICK, path: str | None = None, **headers: str) -> Answer:
        return await self.client.call("POST", path or self.path(), data=body, headers=FORM | headers)

    async def preferences(self) -> set[tuple[str, str, bool]]:
        rows = await self.owner.fetch("SELECT category, channel, wanted FROM tidings.preferences")
        return {(row["category"], row["channel"], row["wanted"]) for row in rows}

    async def prefers(self, category: str, channel: str, wanted: bool) -> None:
        await self.owner.execute(
            """INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted)
               VALUES ('default', $1, $2, $3, $4)""",
            self.person,
            category,
            channel,
            wanted,
        )

    async def require(self) -> None:
        await self.owner.execute(
            "INSERT INTO tidings.categories (tenant, id, name, required) VALUES ('default', 'orders', 'Orders', true)"
        )


@pytest.fixture
def settings(database_url: str) -> Settings:
    return sending_settings(database_url)


@pytest.fixture
async def mailed(owner: Owner, settings: Settings) -> AsyncIterator[Mailed]:
    person = await add_person(owner, email="somebody@example.com")
    async with running(settings) as client:
        yield Mailed(client, owner, open_links(await unlocked(settings, owner), "https://tidings.example"), person)


async def test_from_a_rule_to_a_mail_to_one_click_to_silence(mailed: Mailed, settings: Settings) -> None:
    await add_rule(mailed.owner, channels=["email"], category="orders")
    await add_rule(mailed.owner, channels=["email"], category="news")
    await emit(mailed.owner)
    await drain(settings)
    first = [mail for mail in await kept(mailed.owner, settings) if mail["data"]["category"] == "orders"]
    assert first[0]["unsubscribeUrl"].startswith("http://127.0.0.1:8400/unsubscribe/")
    assert (await mailed.post(path=urlsplit(first[0]["unsubscribeUrl"]).path)).status == 200
    await emit(mailed.owner)
    await drain(settings)
    categories = [mail["data"]["category"] for mail in await kept(mailed.owner, settings)]
    assert sorted(categories) == ["news", "news", "orders"]
    reason = await mailed.owner.fetchval("SELECT reason FROM tidings.delivery_attempts WHERE outcome = 'skipped'")
    assert reason == "the person does not want 'orders' by email"


async def test_only_mails_that_may_be_refused_carry_a_link_and_always_the_same(
    mailed: Mailed, settings: Settings
) -> None:
    await mailed.require()
    await mailed.owner.execute(
        """INSERT INTO tidings.addresses (tenant, person_id, kind, value, fingerprint)
           VALUES ('default', $1, 'push', 'token-1', 'token-1')""",
        mailed.person,
    )
    for category in ("orders", "news"):
        await add_rule(mailed.owner, channels=["email", "push"], category=category)
    await emit(mailed.owner)
    await emit(mailed.owner)
    await drain(settings)
    urls = {
        (message["channel"], message["data"]["category"], message["unsubscribeUrl"])
        for message in await kept(mailed.owner, settings)
    }
    url = f"http://127.0.0.1:8400{mailed.path(category='news')}"
    refusable = {("email", "news", url), ("push", "news", None)}
    assert urls == refusable | {("email", "orders", None), ("push", "orders", None)}


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/x-www-form-urlencoded", ONE_CLICK),
        ("application/x-www-form-urlencoded; charset=utf-8", f"a=b&{ONE_CLICK}"),
        ("multipart/form-data; boundary=x", IN_PARTS),
    ],
)
async def test_one_click_is_taken_in_either_form_and_done_once(mailed: Mailed, media_type: str, body: str) -> None:
    for _ in range(2):
        answer = await mailed.post(body, **{"Content-Type": media_type})
        assert answer.status == 200
        assert await mailed.preferences() == {("orders", "email", False)}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_opening_the_link_changes_nothing(mailed: Mailed, method: str) -> None:
    answer = await mailed.client.call(method, mailed.path())
    assert answer.status == 200
    assert await mailed.preferences() == set()


async def test_the_page_is_closed_to_everything_and_leaves_nothing_behind(mailed: Mailed) -> None:
    answer = await mailed.client.get(mailed.path())
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'none'" in policy
    assert "style-src 'sha256-" in policy
    assert "form-action 'self'" in policy
    assert "<script" not in answer.text
    assert "http" not in answer.text
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "Set-Cookie" not in answer.headers
    assert answer.text.count("<button") == 1
    assert "somebody@example.com" not in answer.text


async def test_everything_can_be_stopped_and_had_again(mailed: Mailed) -> None:
    await mailed.prefers("news", "*", True)
    await mailed.prefers("news", "push", False)
    await mailed.prefers("orders", "email", True)
    answer = await mailed.post("choice=stop-all")
    assert "no more e-mails from Default" in answer.text
    others = {("news", "*", True), ("news", "push", False)}
    assert await mailed.preferences() == {STOPPED, ("orders", "email", False), ("news", "email", False)} | others
    assert 'value="all-again"' in answer.text
    answer = await mailed.post("choice=all-again")
    again = {("*", "email", True), ("orders", "email", True), ("news", "email", True)}
    assert await mailed.preferences() == again | others
    assert 'value="stop-all"' in answer.text


async def test_one_category_can_be_had_again_alone(mailed: Mailed) -> None:
    await mailed.post("choice=stop-all")
    await mailed.post("choice=again")
    assert await mailed.preferences() == {STOPPED, ("orders", "email", True)}
    await mailed.post("choice=stop")
    assert await mailed.preferences() == {STOPPED, ("orders", "email", False)}


async def test_a_category_that_has_become_required_stays_and_says_so(mailed: Mailed) -> None:
    await mailed.require()
    assert "are required" in (await mailed.client.get(mailed.path())).text
    answer = await mailed.post()
    assert (answer.status, "are required" in answer.text) == (409, True)
    assert await mailed.preferences() == set()
    assert (await mailed.post("choice=stop-all")).status == 200
    assert await mailed.preferences() == {STOPPED}


@pytest.mark.parametrize("body", ["", "choice=", "choice=other", "List-Unsubscribe=no", "List-Unsubscribe", "\x00=%ff"])
async def test_a_post_that_asks_for_nothing_changes_nothing(mailed: Mailed, body: str) -> None:
    assert (await mailed.post(body)).status == 400
    assert await mailed.preferences() == set()


async def test_every_wrong_link_gets_the_same_page(mailed: Mailed, settings: Settings) -> None:
    token = mailed.path().rpartition("/")[2]
    gone, nowhere = mailed.path(person_id=uuid4()), mailed.path(tenant="nowhere")
    other = open_links(Keyring(new_key(), DataKeys(new_key(), (new_key(),))), "")
    foreign = f"/unsubscribe/{other.token(Link('default', mailed.person, 'orders'))}"
    tokens = ["x", token[:-1], token + "A", token[:9] + "A" + token[10:], "%00", "A" * 2_000, "%F0%9F%92%A9"]
    answers = [
        await mailed.client.call(method, path, data=None if method == "GET" else ONE_CLICK, headers=FORM)
        for path in [gone, nowhere, foreign, *(f"/unsubscribe/{wrong}" for wrong in tokens)]
        for method in ("GET", "POST")
    ]
    assert {(answer.status, answer.text) for answer in answers} == {(404, answers[0].text)}
    assert await mailed.preferences() == set()


async def test_a_link_of_one_tenant_reaches_nobody_of_another(mailed: Mailed) -> None:
    await mailed.owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('other', 'Other')")
    assert (await mailed.post(path=mailed.path(tenant="other"))).status == 404
    assert await mailed.preferences() == set()


async def test_names_are_shown_as_they_are_and_never_as_markup(mailed: Mailed) -> None:
    await mailed.owner.execute("UPDATE tidings.tenants SET name = '<b>{0} & $x</b>' WHERE id = 'default'")
    answer = await mailed.client.get(mailed.path(category="<i>{tenant}</i>"))
    assert answer.status == 200
    assert "&lt;b&gt;{0} &amp; $x&lt;/b&gt;" in answer.text
    assert "&lt;i&gt;{tenant}&lt;/i&gt;" in answer.text


async def test_the_page_speaks_the_persons_language(mailed: Mailed) -> None:
    german = {"Accept-Language": "fr, de;q=0.9, en;q=0.8"}
    assert "Abbestellen" in (await mailed.client.get(mailed.path(), headers=german)).text
    await mailed.owner.execute("UPDATE tidings.people SET locale = 'it-IT'")
    answer = await mailed.client.get(mailed.path(), headers=german)
    assert "Annulla l’iscrizione" in answer.text
    assert '<html lang="it">' in answer.text
    assert "funktioniert nicht" in (await mailed.client.get("/unsubscribe/x", headers=german)).text


@pytest.mark.parametrize(
    ("locale", "accepted", "language"),
    [
        (None, None, "en"),
        ("de_AT", "it", "de"),
        ("fr", "it-CH;q=0.5, de;q=0.7", "de"),
        ("fr", "fr", "en"),
        (None, "it;q=x, de;q=2", "de"),
        (None, ";;,=,q", "en"),
    ],
)
def test_the_language_is_the_persons_then_the_browsers(locale: str | None, accepted: str | None, language: str) -> None:
    assert language_of(locale, accepted) == language


@given(st.text(), st.text())
def test_no_header_breaks_the_choice_of_a_language(locale: str, accepted: str) -> None:
    assert language_of(locale, accepted) in {"en", "it", "de"}


@given(st.text() | st.sampled_from(["multipart/form-data", "multipart/form-data; boundary=x"]), st.binary())
def test_no_form_breaks_the_reader(media_type: str, body: bytes) -> None:
    assert chosen(fields_of(media_type, body)) in {None, *Choice}


async def test_a_link_is_in_no_log(mailed: Mailed, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    our_logging.configure(LogSettings(level="debug", format="json"))
    token = mailed.path().rpartition("/")[2]
    try:
        await mailed.client.get(mailed.path())
        await mailed.post()
        for cut in (f"/unsubscribe/{token}/", f"/unsubscribe//{token}", f"/Unsubscribe/{token}"):
            await mailed.client.get(cut)
        await mailed.client.call("PUT", mailed.path())
        logged = capsys.readouterr().err
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    assert logged.count("tidings.access") == 6
    assert token[:20] not in logged


def test_only_the_secret_of_a_path_is_left_out() -> None:
    assert without_secrets("/v1/facts") == "/v1/facts"
    assert without_secrets("/unsubscribe") == "/unsubscribe"
    assert without_secrets("/prefix/unsubscribe/abc/def") == "/prefix/unsubscribe/{token}"


async def test_a_body_that_is_too_large_is_not_read(mailed: Mailed) -> None:
    assert (await mailed.post("x" * 10_000)).status == 413
