"""What is secret is in no repr: errors, logs and debuggers show those of whatever they come across."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import tidings
from tests.channels.provider_cases import PUSH_MESSAGE
from tidings.kit.settings import Settings
from tidings.spine.access.admission import Question
from tidings.spine.access.identity import KeyCredential, SessionCredential

SECRET = re.compile(
    r"secret|passw|token|author|credential|cookie|headers|^key$|sealed|unsubscribe_url|database_url|master"
)
HARMLESS = {  # that are called so, and are none
    ("IntentRecord", "key"),
    ("NewFact", "key"),
    ("NewIntent", "key"),
    ("Target", "key"),
    ("Template", "key"),
    ("Run", "token"),  # of a lease
    ("Record", "token"),  # of the processes of a stack
    ("Question", "credential"),  # which shows nothing of itself
    ("SignIn", "passwords"),  # what checks them
    ("Links", "tokens"),
    ("EventLinks", "tokens"),
    ("ActionLinks", "tokens"),
    ("InvitationLinks", "tokens"),
    ("Invitations", "tokens"),  # what makes them, and shows nothing of itself
    ("Inviting", "tokens"),
    ("BootstrapActivities", "tokens"),
    ("ApiParts", "invitation_tokens"),
    ("Projection", "key"),
    ("_Fact", "key"),
    ("Fcm", "tokens"),
    ("Letter", "key"),  # by which the broker finds queues
    ("Letter", "headers"),
    ("Composer", "unsubscribe_url"),
    ("Answer", "headers"),  # of a provider
    ("Row", "sealed"),
    ("Resealed", "resealed"),
    ("Postgres", "password_file"),
    ("StackInfo", "master_key_file"),
}
_NOT_TO_BE_IMPORTED = re.compile(r"__main__|migrations\.(env|versions)")


def shown() -> Iterator[tuple[str, str]]:
    """Every field of a dataclass of ours that its repr shows."""
    for module in pkgutil.walk_packages(tidings.__path__, "tidings."):
        if not _NOT_TO_BE_IMPORTED.search(module.name):
            for value in vars(importlib.import_module(module.name)).values():
                yield from _shown(value)


def _shown(value: Any) -> Iterator[tuple[str, str]]:
    ours = isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__.startswith("tidings")
    if ours and "__repr__" in vars(value) and hasattr(value.__repr__, "__wrapped__"):
        yield from ((value.__name__, field.name) for field in dataclasses.fields(value) if field.repr)


def test_no_field_that_sounds_secret_is_shown() -> None:
    found = set(shown())
    assert ("Person", "id") in found
    assert {(name, field) for name, field in found if SECRET.search(field)} - HARMLESS == set()
    assert found >= HARMLESS  # what is no more is not to be listed


def test_a_credential_is_not_in_its_repr() -> None:
    for credential in (KeyCredential("canary"), SessionCredential("canary")):
        assert "canary" not in f"{credential!r} {Question(credential, None)!r}"


def test_settings_show_no_password() -> None:
    given = {"url": "postgresql://us:canary@db.example.com/x", "direct_url": "postgresql://us:canary@db.example.com/x"}
    settings = Settings.model_validate(
        {"master_key": "canary", "database": given, "auth": {"jwt_secret": "canary"}, "data_dir": "."}
    )
    assert "canary" not in f"{settings!r} {settings} {settings.database}"


def test_a_message_shows_neither_where_it_goes_nor_what_it_says() -> None:
    said: dict[str, Any] = dict.fromkeys(("to", "text", "html", "secret", "unsubscribe_url"), "canary") | {
        "data": {"x": "canary"}
    }
    assert "canary" not in repr(dataclasses.replace(PUSH_MESSAGE, **said))
