from __future__ import annotations

import json

import pytest
from pydantic import SecretStr, ValidationError

from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.channels.registry import Config, redacted, to_seal


class Example(Config):
    api_key: SecretStr
    pin: SecretStr | None = None
    base_url: str = "https://example.com"


EXAMPLE = Example(api_key=SecretStr("sk_0123456789abcdef"), pin=SecretStr("1234"))


def test_of_a_secret_only_its_end_is_shown_and_of_a_short_one_nothing() -> None:
    assert redacted(EXAMPLE) == {"apiKey": "…cdef", "pin": "set", "baseUrl": "https://example.com"}


def test_what_is_not_set_is_shown_as_such() -> None:
    assert redacted(Example(api_key=SecretStr("short")))["pin"] is None


def test_the_form_to_be_sealed_can_be_read_again() -> None:
    sealed = to_seal(EXAMPLE)
    assert json.loads(sealed)["apiKey"] == "sk_0123456789abcdef"
    assert Example.model_validate_json(sealed) == EXAMPLE


def test_nothing_else_writes_secrets_in_clear() -> None:
    shown = EXAMPLE.model_dump_json() + repr(EXAMPLE) + str(EXAMPLE.model_dump()) + str(EXAMPLE.model_dump(mode="json"))
    assert "0123456789abcdef" not in shown


def test_a_setting_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValidationError):
        Example.model_validate({"apiKey": "x", "apikey": "y"})


def test_every_provider_is_listed_under_its_name() -> None:
    assert {"smtp", "resend", "webhook"} <= set(PROVIDERS)
    assert all(name == provider.name and provider.channels for name, provider in PROVIDERS.items())
