"""Access tokens of a Google service account: asked for with a signed assertion (RFC 7523), kept until they expire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from tidings.spine.channels.answers import json_object, retry_after
from tidings.spine.channels.port import Answer, Deferred, Http
from tidings.spine.channels.verdicts import number_in, reason_of, text_in

_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTED_FOR = timedelta(hours=1)  # the longest that Google takes
_MARGIN = timedelta(minutes=1)
_LONGEST_KEY = 2_500  # characters: Google's have 1,700; reading one takes eight times as long when it is twice as long
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def _key(pem: SecretStr) -> RSAPrivateKey:
    try:
        key = load_pem_private_key(pem.get_secret_value().encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError("is not a private key") from None
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("is not an RSA key")
    return key


def _with_key(pem: SecretStr) -> SecretStr:
    _key(pem)
    return pem


class ServiceAccount(BaseModel):
    """What is used of the file that Google gives out."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    project_id: Annotated[str, Field(pattern="^[a-z0-9.:-]{1,128}$")]
    client_email: Annotated[str, Field(min_length=3, max_length=320)]
    private_key: Annotated[SecretStr, Field(max_length=_LONGEST_KEY), AfterValidator(_with_key)]
    private_key_id: str | None = None
    token_uri: str = "https://oauth2.googleapis.com/token"  # noqa: S105 -- a place


def _account(text: SecretStr) -> SecretStr:
    try:
        ServiceAccount.model_validate_json(text.get_secret_value())
    except ValidationError as error:
        places = ", ".join(sorted({str(each["loc"][0]) for each in error.errors() if each["loc"]}))
        raise ValueError(f"not the JSON of a service account{f': look at {places}' if places else ''}") from None
    return text


def _text(given: Any) -> Any:
    return json.dumps(given) if isinstance(given, dict) else given


ServiceAccountJson: TypeAlias = Annotated[SecretStr, BeforeValidator(_text), AfterValidator(_account)]
"""The file, as an object or as its text. It is checked when it is set, and said to be wrong without being shown."""


class AccessTokens:
    """One access token for all sends. Whoever needs a new one while it is being asked for waits for the same answer."""

    def __init__(self, account: ServiceAccount, scope: str, http: Http, now: Callable[[], datetime]) -> None:
        self._account = account
        self._key = _key(account.private_key)  # once: reading it takes longer than signing with it
        self._scope = scope
        self._http = http
        self._now = now
        self._kept: tuple[str, datetime] | None = None
        self._exchange: asyncio.Task[str | Deferred] | None = None

    async def current(self) -> str | Deferred:
        """A token that is good for some time yet, or why there is none."""
        if self._kept is not None and self._now() < self._kept[1]:
            return self._kept[0]
        if self._exchange is None or self._exchange.done():
            self._exchange = asyncio.create_task(self._ask())
        return await asyncio.shield(self._exchange)

    def refused(self, token: str) -> None:
        """This token was not taken. A newer one stays."""
        if self._kept is not None and self._kept[0] == token:
            self._kept = None

    async def close(self) -> None:
        if self._exchange is not None:
            self._exchange.cancel()
            await asyncio.gather(self._exchange, return_exceptions=True)

    async def _ask(self) -> str | Deferred:
        asked = self._now()
        form = urlencode({"grant_type": _GRANT, "assertion": self._assertion(asked)}).encode()
        answer = await self._http.request("POST", self._account.token_uri, headers=_FORM, body=form)
        if not isinstance(answer, Answer):
            return Deferred(f"no access token: {answer.reason}")
        token = text_in(json_object(answer), "access_token") if answer.status == 200 else None
        if token is None:
            return _refusal(answer, asked)
        self._kept = (token, asked + _good_for(answer))
        return token

    def _assertion(self, asked: datetime) -> str:
        account = self._account
        claims = {"iss": account.client_email, "scope": self._scope, "aud": account.token_uri}
        times = {"iat": asked, "exp": asked + _ASSERTED_FOR}
        key_id = {"kid": account.private_key_id} if account.private_key_id else None
        return jwt.encode({**claims, **times}, self._key, "RS256", headers=key_id)


def _good_for(answer: Answer) -> timedelta:
    """Until shortly before it expires; a short one for nine tenths of its time."""
    life = timedelta(seconds=min(number_in(json_object(answer), "expires_in") or 3600, 86_400))
    return life - min(_MARGIN, life / 10)


def _refusal(answer: Answer, now: datetime) -> Deferred:
    """Whatever is wrong with the account is the provider's set-up: it waits for somebody to put it right."""
    body = json_object(answer)
    said = text_in(body, "error_description") or text_in(body, "error")
    return Deferred(reason_of("no access token", answer.status, said), retry_after(answer.headers, now))
