"""Only what the provider itself signed is believed, and of what carries a time, only what is new."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from tests.delivery.receipts import signing
from tidings.spine.channels.meta import MetaConfig
from tidings.spine.channels.resend import ResendConfig
from tidings.spine.channels.twilio import TwilioConfig
from tidings.spine.delivery.receipts import meta, resend, twilio
from tidings.spine.delivery.receipts.verifying import Posted, webhook_key

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
URL = "https://tidings.example/v1/receipts/1"
BODY = signing.resend_body("email.delivered", "m-1")
FIELDS = {"MessageSid": "SM1", "MessageStatus": "delivered", "To": "+390611111111"}


def by_resend(headers: dict[str, str], body: bytes = BODY, **config: Any) -> bool:
    read = ResendConfig.model_validate(signing.RESEND | config)
    return resend.is_genuine(read, Posted(URL, headers, body), NOW)


def test_resend_is_believed_by_its_signature() -> None:
    assert by_resend(signing.resend_headers(BODY, NOW))


@pytest.mark.parametrize("off", [timedelta(minutes=-6), timedelta(minutes=6)])
def test_a_request_of_another_time_is_a_replay(off: timedelta) -> None:
    assert by_resend(signing.resend_headers(BODY, NOW + off * 0.8))
    assert not by_resend(signing.resend_headers(BODY, NOW + off))


@pytest.mark.parametrize("missing", ["svix-id", "svix-timestamp", "svix-signature"])
def test_a_signature_is_nothing_without_all_of_its_headers(missing: str) -> None:
    headers = signing.resend_headers(BODY, NOW)
    assert not by_resend({name: value for name, value in headers.items() if name != missing})


@pytest.mark.parametrize("stamp", ["", "-1", "1e9", "nan", "99999999999", "１２３", "0x10", " "])
def test_a_time_that_is_none_is_refused(stamp: str) -> None:
    assert not by_resend(signing.resend_headers(BODY, NOW) | {"svix-timestamp": stamp})


def test_another_body_another_secret_and_no_secret_are_refused() -> None:
    assert not by_resend(signing.resend_headers(BODY, NOW), BODY + b" ")
    assert not by_resend(signing.resend_headers(BODY, NOW), webhookSecret="whsec_" + "bm90IGl0")
    assert not by_resend(signing.resend_headers(BODY, NOW), webhookSecret=None)
    assert not by_resend(signing.resend_headers(BODY, NOW), webhookSecret="whsec_not base64!")


def test_an_empty_key_signs_nothing() -> None:
    assert webhook_key("whsec_") is None
    assert webhook_key("no prefix") is None


def by_twilio(url: str, headers: dict[str, str], body: bytes, **config: Any) -> bool:
    read = TwilioConfig.model_validate(signing.TWILIO | config)
    return twilio.is_genuine(read, Posted(url, headers, body), NOW)


def test_twilio_is_believed_by_url_and_fields() -> None:
    headers, body = signing.twilio_headers(URL, FIELDS), signing.twilio_body(**FIELDS)
    assert by_twilio(URL, headers, body)
    assert not by_twilio("https://elsewhere.example/v1/receipts/1", headers, body)
    assert not by_twilio(URL, headers, signing.twilio_body(**FIELDS | {"MessageStatus": "failed"}))
    assert not by_twilio(URL, signing.twilio_headers(URL, FIELDS, "another"), body)
    assert not by_twilio(URL, {}, body)


def test_twilio_may_have_been_given_another_address_whose_fragment_it_does_not_sign() -> None:
    other = "https://hooks.example/in"
    headers, body = signing.twilio_headers(other, FIELDS), signing.twilio_body(**FIELDS)
    assert by_twilio(URL, headers, body, statusCallback=f"{other}#rc=5")
    assert not by_twilio(URL, headers, body)


def test_meta_is_believed_by_its_body() -> None:
    body = signing.meta_body({"id": "wamid.1", "status": "read"})
    config = MetaConfig.model_validate(signing.META)
    assert meta.is_genuine(config, Posted(URL, signing.meta_headers(body), body), NOW)
    assert not meta.is_genuine(config, Posted(URL, signing.meta_headers(body), body + b" "), NOW)
    assert not meta.is_genuine(config, Posted(URL, signing.meta_headers(body, "another"), body), NOW)
    assert not meta.is_genuine(config, Posted(URL, {"x-hub-signature-256": "é"}, body), NOW)
    without = config.model_copy(update={"app_secret": None})
    assert not meta.is_genuine(without, Posted(URL, signing.meta_headers(body), body), NOW)


@pytest.mark.parametrize(
    ("mode", "token", "challenge", "answer"),
    [
        ("subscribe", signing.VERIFY_TOKEN, "1158201444", "1158201444"),
        ("subscribe", "wrong", "1158201444", None),
        ("subscribe", "", "1158201444", None),
        ("unsubscribe", signing.VERIFY_TOKEN, "1158201444", None),
        ("subscribe", signing.VERIFY_TOKEN, "<script>", None),
        ("subscribe", signing.VERIFY_TOKEN, "", None),
    ],
)
def test_metas_challenge_is_answered_to_who_knows_the_token(
    mode: str, token: str, challenge: str, answer: str | None
) -> None:
    assert meta.answer_to(MetaConfig.model_validate(signing.META), mode, token, challenge) == answer


@pytest.mark.parametrize("name", ["appSecret", "verifyToken", "accessToken"])
def test_a_secret_that_anybody_has_is_none(name: str) -> None:
    with pytest.raises(ValidationError):
        MetaConfig.model_validate(signing.META | {name: ""})


def test_without_a_verify_token_no_challenge_is_answered() -> None:
    config = MetaConfig(phone_number_id="1", access_token=SecretStr("x"))
    assert meta.answer_to(config, "subscribe", "", "1") is None
