"""What the fields of a person and their addresses may hold."""

from __future__ import annotations

import pytest

from tidings.spine.notify.people import fields
from tidings.spine.notify.people.addresses import Kind, new_address
from tidings.spine.notify.people.urls import not_called, where_it_leads


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("EN", "en"),
        ("pt-br", "pt-BR"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("de-x-IN-house", "de-x-in-house"),
    ],
)
def test_a_locale_is_kept_in_its_usual_case(given: str, kept: str) -> None:
    assert fields.locale(given) == kept


@pytest.mark.parametrize("wrong", ["", "e", "english", "en_US", "en-", "-en", "en-US-US-US", "*", "en\n"])
def test_what_is_no_language_tag_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="language tag"):
        fields.locale(wrong)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (Kind.EMAIL, "Some.Body@example.com", "some.body@EXAMPLE.COM"),
        (Kind.PHONE, "+390612345678", "+390612345678"),
        (Kind.PUSH, "token", "token"),
        (Kind.WEBHOOK, "https://example.com/a", "https://example.com/a"),
    ],
)
def test_the_same_address_has_the_same_fingerprint(kind: Kind, one: str, other: str) -> None:
    assert new_address(kind, one, not_called).fingerprint == new_address(kind, other, not_called).fingerprint


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Kind.EMAIL, "=?utf-8?q?a=0D=0A?=@example.com\r\n"),
        (Kind.EMAIL, '"quoted"@example.com'),
        (Kind.EMAIL, "somebody@nowhere"),
        (Kind.EMAIL, "somebody@exa mple.com"),
        (Kind.EMAIL, "some..body@example.com"),
        (Kind.EMAIL, ".somebody@example.com"),
        (Kind.EMAIL, "a@b@example.com"),
        (Kind.EMAIL, "@example.com"),
        (Kind.EMAIL, "a" * 65 + "@example.com"),
        (Kind.EMAIL, "a@" + "b" * 62 + ("." + "c" * 62) * 3 + ".com"),
        (Kind.EMAIL, "somebody@example.com\n"),
        (Kind.PHONE, "+0612345678"),
        (Kind.PHONE, "+39061234567890123"),
        (Kind.SLACK, "https://example.com\\@other.example/"),
        (Kind.SLACK, "https://[::1/"),
        (Kind.SLACK, "javascript:alert(1)"),
        (Kind.WEBHOOK, "http://exa mple.com/"),
        (Kind.WEBHOOK, "https://example.com/" + "a" * 2048),
        (Kind.APPRISE, "file:///etc/passwd\n"),
    ],
)
def test_what_is_no_address_is_refused(kind: Kind, wrong: str) -> None:
    with pytest.raises(ValueError, match=r"must|is not"):
        new_address(kind, wrong, not_called)


def test_no_more_of_a_url_is_shown_than_where_it_leads() -> None:
    assert where_it_leads("slack", "https://hooks.slack.example:8443/services/T0/B0?x=canary") == (
        "https://hooks.slack.example/…"
    )
    assert where_it_leads("apprise", "discord://canary/canary") == "discord://…"
