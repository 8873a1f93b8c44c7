"""Bearer tokens: signed by a secret we share, or by an issuer whose keys we fetch."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import jwt

from tidings.kit.errors import Misconfigured, Unauthenticated, Unavailable
from tidings.kit.settings import AuthSettings
from tidings.spine.access.identity import Claims, Role

SHARED = "HS256"
ISSUED = ("RS256", "ES256", "EdDSA")
_ASYMMETRIC = {"RSA", "EC", "OKP"}
_LEEWAY = timedelta(seconds=5)
_REQUIRED = ["sub", "tenant", "role", "exp"]
_SUBJECT = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True, repr=False)
class Verifier:
    """Turns a token into claims, or raises `Unauthenticated` without saying why.

    The algorithm comes from the settings, never from the token alone: the secret verifies HS256 and nothing else,
    the issuer's keys verify RS256, ES256 and EdDSA and nothing else.
    """

    secret: str | None
    issuer_keys: jwt.PyJWKClient | None
    issuer: str | None
    audience: str | None

    async def verify(self, token: str) -> Claims:
        try:
            algorithm = jwt.get_unverified_header(token).get("alg")
            if algorithm == SHARED and self.secret is not None:
                return _claims(self._decoded(token, self.secret, [SHARED]))
            if algorithm in ISSUED and self.issuer_keys is not None:
                key = await asyncio.to_thread(_signing_key, self.issuer_keys, token)
                return _claims(self._decoded(token, key, [algorithm]))
        except jwt.PyJWKClientConnectionError as error:
            raise Unavailable("The issuer's keys cannot be fetched; try again.") from error
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            raise Unauthenticated from None
        raise Unauthenticated

    def _decoded(self, token: str, key: Any, algorithms: list[str]) -> dict[str, Any]:
        return jwt.decode(
            token,
            key,
            algorithms=algorithms,
            issuer=self.issuer,
            audience=self.audience,
            leeway=_LEEWAY,
            options={"require": _REQUIRED, "verify_aud": self.audience is not None},
        )


def _signing_key(issuer_keys: jwt.PyJWKClient, token: str) -> jwt.PyJWK:
    key = issuer_keys.get_signing_key_from_jwt(token)
    if key.key_type not in _ASYMMETRIC:
        raise jwt.InvalidKeyError("the issuer's key is not a public one")
    return key


def _claims(payload: dict[str, Any]) -> Claims:
    subject, tenant = payload["sub"], payload["tenant"]
    if not isinstance(tenant, str) or not _SUBJECT.fullmatch(tenant) or not _SUBJECT.fullmatch(subject):
        raise Unauthenticated
    return Claims(subject, tenant, Role(payload["role"]))


def expiry_of(token: str) -> float:
    """When a token that was verified stops being good, in seconds since the epoch."""
    payload = jwt.decode(token, options={"verify_signature": False})
    return float(payload["exp"]) + _LEEWAY.total_seconds()


def build_verifier(settings: AuthSettings) -> Verifier:
    secret = settings.jwt_secret.get_secret_value() if settings.jwt_secret else None
    if secret is not None and len(secret) < 32:
        raise Misconfigured("TIDINGS_AUTH_JWT_SECRET: is shorter than 32 characters; use a longer random one")
    try:
        issuer_keys = jwt.PyJWKClient(settings.jwks_url, timeout=5) if settings.jwks_url else None
    except jwt.PyJWKClientError as error:
        raise Misconfigured(f"TIDINGS_AUTH_JWKS_URL: {error}") from None
    return Verifier(secret, issuer_keys, settings.jwt_issuer, settings.jwt_audience)
