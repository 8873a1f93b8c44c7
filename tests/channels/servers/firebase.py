"""Google's token endpoint and Firebase's send: assertions are verified, tokens handed out and asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.channels.servers.http_server import Reply, Request

PROJECT = "tidings-test"
CLIENT = "push@tidings-test.iam.example.com"
NAME = f"projects/{PROJECT}/messages/0:1500415314455276"
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_SCOPE = "https://www.googleapis.com/auth/firebase.messaging"


@cache
def key() -> RSAPrivateKey:
    return generate_private_key(65537, 2048)


def service_account(base_url: str, **changed: str) -> str:
    pem = key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    account = {"type": "service_account", "project_id": PROJECT, "private_key_id": "1", "private_key": pem}
    return json.dumps(account | {"client_email": CLIENT, "token_uri": f"{base_url}/token"} | changed)


def token_reply(token: str = "access-1", expires_in: int = 3600) -> Reply:
    return Reply(200, json.dumps({"access_token": token, "expires_in": expires_in, "token_type": "Bearer"}).encode())


def accepted() -> Reply:
    return Reply(200, json.dumps({"name": NAME}).encode())


def refusal(status: int, general: str, code: str | None = None, message: str = "No.", **headers: str) -> Reply:
    kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    error: dict[str, Any] = {"code": status, "message": message, "status": general}
    if code is not None:
        error["details"] = [{"@type": kind, "errorCode": code}]
    return Reply(status, json.dumps({"error": error}).encode(), headers)


@dataclass
class Firebase:
    """`valid` is the token that is taken just now; every exchange makes a new one, unless told not to."""

    exchanges: int = 0
    revoked: set[str] = field(default_factory=set)
    expires_in: int = 3600
    on_exchange: Callable[[], Reply | None] = lambda: None
    sent: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, request: Request) -> Reply:
        match request.target:
            case "/token":
                return self._exchange(request)
            case target if target == f"/v1/projects/{PROJECT}/messages:send":
                return self._send(request)
            case _:
                return refusal(404, "NOT_FOUND")

    def _exchange(self, request: Request) -> Reply:
        form = parse_qs(request.body.decode(), strict_parsing=True)
        audience = f"http://{request.headers['host']}/token"
        try:
            assertion = form["assertion"][0]
            options: Any = {"require": ["iss", "exp", "iat"], "verify_iat": False, "verify_exp": False}
            claims = jwt.decode(assertion, key().public_key(), ["RS256"], audience=audience, options=options)
        except jwt.InvalidTokenError as error:
            return Reply(400, json.dumps({"error": "invalid_grant", "error_description": str(error)}).encode())
        if form["grant_type"] != [_GRANT] or claims["scope"] != _SCOPE or claims["iss"] != CLIENT:
            return Reply(400, json.dumps({"error": "invalid_grant"}).encode())
        if (said := self.on_exchange()) is not None:
            return said
        self.exchanges += 1
        return token_reply(f"access-{self.exchanges}", self.expires_in)

    def _send(self, request: Request) -> Reply:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token in self.revoked or not token.startswith("access-"):
            return refusal(401, "UNAUTHENTICATED", message="Request had invalid authentication credentials.")
        message = json.loads(request.body)["message"]
        if not all(isinstance(value, str) for value in message.get("data", {}).values()):
            return refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "Invalid value at 'message.data'")
        if message["token"] == "gone":
            return refusal(404, "NOT_FOUND", "UNREGISTERED", "Requested entity was not found.")
        self.sent.append(message)
        return accepted()
