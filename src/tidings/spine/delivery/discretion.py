"""What a provider answers is kept and shown; our secrets, if it repeats them, are not."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never
from urllib.parse import quote, unquote, urlsplit

from pydantic import BaseModel, SecretStr

from tidings.spine.channels.port import Adapter, Channel, Deferred, Message, Outcome, Rejected, Sent, Unknown

_HIDDEN = "…"
_SHORTEST = 6  # a shorter one would be found in every other word
_AUTHORIZATION = re.compile(r"\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]+", re.IGNORECASE)
_BY_URL = frozenset({Channel.SLACK, Channel.WEBHOOK, Channel.APPRISE})


@dataclass(frozen=True, repr=False)
class Discreet:
    """An adapter that repeats neither the secrets of its configuration, nor those of an address or a message."""

    adapter: Adapter
    secrets: tuple[str, ...]

    async def send(self, message: Message) -> Outcome:
        outcome = await self.adapter.send(message)
        if isinstance(outcome, Sent) and outcome.receipt is None and outcome.detail is None:
            return outcome
        return _discreet(outcome, [*self.secrets, *_of_address(message), *_of_links(message)])

    async def close(self) -> None:
        await self.adapter.close()


def secrets_of(config: BaseModel) -> tuple[str, ...]:
    """Whatever in a configuration is secret, and what is in that where it is JSON."""
    return tuple(_found(config.model_dump(mode="python")))


def hidden(text: str, secrets: Iterable[str]) -> str:
    """The text without any of the secrets, however they are written; also without the beginning of one at its end,
    where it was cut."""
    text = _AUTHORIZATION.sub(rf"\1 {_HIDDEN}", text)
    for written in sorted({w for secret in secrets for w in _ways(secret)}, key=len, reverse=True):
        text = _without_beginning(text.replace(written, _HIDDEN), written)
    return text


def _discreet(outcome: Outcome, secrets: list[str]) -> Outcome:
    match outcome:
        case Sent(receipt, detail):
            return replace(outcome, receipt=_maybe(receipt, secrets), detail=_maybe(detail, secrets))
        case Deferred(reason) | Rejected(reason) | Unknown(reason):
            return replace(outcome, reason=hidden(reason, secrets))
        case _:
            assert_never(outcome)


def _maybe(text: str | None, secrets: list[str]) -> str | None:
    return None if text is None else hidden(text, secrets)


def _of_address(message: Message) -> Iterator[str]:
    if message.secret is not None:
        yield message.secret
        yield message.secret.removeprefix("whsec_")
    if message.channel in _BY_URL:
        yield message.to
        parts = urlsplit(message.to)
        yield from (part for part in (parts.username, parts.password, parts.path, parts.query) if part)
        yield from re.split(r"[/?&=:@#]", message.to.partition("://")[2].removeprefix(parts.hostname or ""))


def _of_links(message: Message) -> Iterator[str]:
    """The end of each link: a provider that refuses a mail for what it links to may quote it."""
    for url in [*(button.url for button in message.buttons), *([message.link] if message.link else ())]:
        yield re.split(r"[/=]", url)[-1]


def _found(value: Any) -> Iterator[str]:
    match value:
        case SecretStr():
            secret = value.get_secret_value()
            yield secret
            yield from _in_json(secret)
        case dict():
            for inner in value.values():
                yield from _found(inner)
        case list() | tuple():
            for inner in value:
                yield from _found(inner)


def _in_json(secret: str) -> Iterator[str]:
    try:
        inner = json.loads(secret)
    except ValueError:
        return
    if isinstance(inner, dict) and isinstance(key := inner.get("private_key"), str):
        yield key
        yield from key.splitlines()


def _ways(secret: str) -> Iterator[str]:
    """How a secret may be written by whoever repeats it."""
    if len(secret) >= _SHORTEST:
        yield secret
        yield " ".join(secret.split())
        yield quote(secret, safe="")
        yield unquote(secret)
        yield json.dumps(secret)[1:-1]
        yield b64encode(secret.encode()).decode().rstrip("=")


def _without_beginning(text: str, written: str) -> str:
    longest = min(len(text), len(written) - 1)
    cut = next((n for n in range(longest, _SHORTEST - 1, -1) if text.endswith(written[:n])), 0)
    return text[: len(text) - cut] + _HIDDEN if cut else text
