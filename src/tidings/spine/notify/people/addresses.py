"""Addresses: what each kind may hold, what is shown of it, and what tells two of them apart."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import assert_never
from uuid import UUID

from email_validator import EmailNotValidError, validate_email

from tidings.kit.json_output import dump
from tidings.spine.notify.people.fields import PHONE, one_line
from tidings.spine.notify.people.urls import Refusal, checked_url, where_it_leads

SECRET_PREFIX = "whsec_"  # noqa: S105
_SECRET_BYTES = 32
_LONGEST_TOKEN = 4096
_LONGEST_EMAIL = 254
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_PLAIN_LOCAL = re.compile(rf"(?=.{{1,64}}\Z){_ATOM}(\.{_ATOM})*")


class Kind(StrEnum):
    """How an address is used. `SEALED` lets whoever holds it send: it is kept encrypted and never shown again."""

    EMAIL = "email"
    PHONE = "phone"
    PUSH = "push"
    SLACK = "slack"
    WEBHOOK = "webhook"
    APPRISE = "apprise"


SEALED = frozenset({Kind.SLACK, Kind.WEBHOOK, Kind.APPRISE})


@dataclass(frozen=True)
class Address:
    """Where a person can be reached, as it may be shown. One with a name is an integration of theirs."""

    id: UUID
    person_id: UUID
    kind: Kind
    value: str
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str | None
    created_at: datetime
    name: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class NewAddress:
    """An address to be kept. `content` is what is sealed; `made` a webhook's secret that was not given but made."""

    kind: Kind
    value: str
    fingerprint: str
    content: bytes | None = None
    made: str | None = None

    @property
    def secret_given(self) -> bool:
        return self.kind is Kind.WEBHOOK and self.made is None


def new_address(kind: Kind, text: str, refusal: Refusal, secret: str | None = None) -> NewAddress:
    """The address that a text stands for, or ValueError with what is wrong; also where a URL must not be called."""
    match kind:
        case Kind.EMAIL:
            return of_email(text)
        case Kind.PHONE:
            return of_phone(text)
        case Kind.PUSH:
            return of_push(text)
        case Kind.WEBHOOK:
            return of_webhook(text, refusal, secret)
        case Kind.SLACK | Kind.APPRISE:
            return _of_url(kind, text, refusal)
        case _:
            assert_never(kind)


def of_email(text: str) -> NewAddress:
    """One mailbox, of a domain that can be one; whether mail arrives there is not asked."""
    local, _, domain = text.rpartition("@")
    if _PLAIN_LOCAL.fullmatch(local) and len(text) <= _LONGEST_EMAIL:
        address = f"{local}@{_mailbox('a@' + domain).removeprefix('a@')}"
    else:
        address = _mailbox(one_line(text))
    return NewAddress(Kind.EMAIL, address, address.lower())


@lru_cache(maxsize=1_000)  # most of a file's domains are the same few, and theirs is the work
def _mailbox(text: str) -> str:
    try:
        return validate_email(text, check_deliverability=False, strict=True).normalized
    except EmailNotValidError:
        raise ValueError("must be one e-mail address") from None


def of_phone(text: str) -> NewAddress:
    if not re.fullmatch(PHONE, text):
        raise ValueError("must be a number in E.164, such as +390612345678")
    return NewAddress(Kind.PHONE, text, text.removeprefix("+"))


def of_push(text: str) -> NewAddress:
    if not 1 <= len(text) <= _LONGEST_TOKEN or not re.fullmatch(r"[!-~]+", text):
        raise ValueError(f"must be 1 to {_LONGEST_TOKEN} visible ASCII characters")
    return NewAddress(Kind.PUSH, text, _sha256(text))


def of_webhook(text: str, refusal: Refusal, secret: str | None = None) -> NewAddress:
    """Without a secret it gets one; what we send there is signed with it."""
    if secret is not None:
        return _of_url(Kind.WEBHOOK, text, refusal, signing_secret(secret))
    made = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
    address = _of_url(Kind.WEBHOOK, text, refusal, made)
    return NewAddress(address.kind, address.value, address.fingerprint, address.content, made)


def signing_secret(text: str) -> str:
    """A secret as Standard Webhooks has it, or ValueError."""
    try:
        size = len(base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True))
    except (binascii.Error, ValueError):
        size = 0
    if not text.startswith(SECRET_PREFIX) or not 24 <= size <= 64:
        raise ValueError(f"must be {SECRET_PREFIX} and 24 to 64 bytes in base64")
    return text


def _of_url(kind: Kind, text: str, refusal: Refusal, secret: str | None = None) -> NewAddress:
    url = checked_url(kind.value, text, refusal)
    content = {"url": url} if secret is None else {"url": url, "secret": secret}
    return NewAddress(kind, where_it_leads(kind.value, url), _sha256(url), dump(content))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
