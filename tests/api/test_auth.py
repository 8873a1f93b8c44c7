"""Who is let in, and what they may do."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.api.world import ALL_SCOPES, SECRET, Client, World, api_settings, bearer, running, token
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Users

ISSUER, AUDIENCE = "https://issuer.example", "tidings"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
ED_KEY = ed25519.Ed25519PrivateKey.generate()


def claims(**changed: Any) -> dict[str, Any]:
    made = {"sub": "s", "tenant": "acme", "role": "member", "exp": int(time.time()) + 600, **changed}
    return {name: value for name, value in made.items() if value is not None}


def unsigned(payload: dict[str, Any], header: dict[str, Any]) -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, payload)]
    return ".".join([*parts, ""])


def signed_with_secret(**changed: Any) -> str:
    return jwt.encode(claims(**changed), SECRET, algorithm="HS256")


FORGED = {
    "alg none": unsigned(claims(), {"alg": "none", "typ": "JWT"}),
    "alg None": unsigned(claims(), {"alg": "None", "typ": "JWT"}),
    "no alg": unsigned(claims(), {"typ": "JWT"}),
    "another secret": jwt.encode(claims(), "x" * 43, algorithm="HS256"),
    "HS512": jwt.encode(claims(), SECRET + "x" * 64, algorithm="HS512"),
    "HS512 with the secret": jwt.encode(claims(), SECRET * 2, algorithm="HS512"),
    "RS256 without an issuer": jwt.encode(claims(), RSA_KEY, algorithm="RS256"),
    "expired": signed_with_secret(exp=int(time.time()) - 60),
    "never expires": signed_with_secret(exp=None),
    "not yet": signed_with_secret(nbf=int(time.time()) + 600),
    "no subject": signed_with_secret(sub=None),
    "no tenant": signed_with_secret(tenant=None),
    "no role": signed_with_secret(role=None),
    "unknown role": signed_with_secret(role="root"),
    "tenant is a list": signed_with_secret(tenant=["acme"]),
    "role is a list": signed_with_secret(role=["operator"]),
    "unknown tenant": signed_with_secret(tenant="nowhere"),
    "empty subject": signed_with_secret(sub=""),
    "subject with NUL": signed_with_secret(sub="a\x00b"),
    "megabyte": "a" * 60_000,
    "garbage": "a.b.c",
    "dots": "..",
}


async def test_a_token_that_is_not_good_lets_nobody_in(world: World) -> None:
    for name, forged in FORGED.items():
        answer = await world.client.acting(forged).get("/v1/facts")
        assert answer.status == 401, (name, answer.text)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


async def test_a_header_that_is_not_good_lets_nobody_in(world: World) -> None:
    for header in ("", "Bearer", "Bearer ", "Basic YTpi", "tdk_x", "Bearer tdk_", "Bearer tdk_\xff"):
        assert (await world.client.get("/v1/facts", headers={"Authorization": header})).status == 401, header


async def test_a_good_token_lets_in(world: World) -> None:
    me = (await world.client.acting(token(sub="jo", role="admin")).get("/v1/session")).json["data"]
    assert (me["actor"], me["tenant"], me["role"], me["csrfToken"]) == ("subject:jo", "acme", "admin", None)


async def test_issuer_and_audience_are_checked_when_set(database_url: str, world: World) -> None:
    settings = api_settings(database_url, auth={"jwt_issuer": ISSUER, "jwt_audience": AUDIENCE})
    async with running(settings) as client:

        async def status(**more: Any) -> int:
            return (await client.acting(token(**more)).get("/v1/facts")).status

        assert await status(iss=ISSUER, aud=AUDIENCE) == 200
        assert await status(iss=ISSUER, aud=["other", AUDIENCE]) == 200
        assert await status(iss=ISSUER, aud="other") == 401
        assert await status(iss=ISSUER) == 401
        assert await status(iss="https://elsewhere.example", aud=AUDIENCE) == 401
        assert await status(aud=AUDIENCE) == 401


@pytest.fixture(scope="module")
def jwks_url() -> Iterator[str]:
    """An issuer on loopback: three public keys, and one symmetric key that must never be used."""
    keys = [
        RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True) | {"kid": "rsa", "alg": "RS256"},
        ECAlgorithm.to_jwk(EC_KEY.public_key(), as_dict=True) | {"kid": "ec", "alg": "ES256"},
        OKPAlgorithm.to_jwk(ED_KEY.public_key(), as_dict=True) | {"kid": "ed", "alg": "EdDSA"},
        {"kty": "oct", "kid": "oct", "alg": "HS256", "k": base64.urlsafe_b64encode(b"k" * 32).rstrip(b"=").decode()},
    ]

    class Issuer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"keys": keys}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Issuer)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/keys"
    server.shutdown()
    server.server_close()


async def test_an_issuers_keys_verify_their_own_algorithm_and_no_other(
    database_url: str, world: World, jwks_url: str
) -> None:
    settings = api_settings(database_url, auth={"jwks_url": jwks_url, "jwt_issuer": ISSUER, "jwt_secret": None})
    public = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    confused = jwt.api_jws.PyJWS()
    confused._algorithms["HS256"].prepare_key = lambda key: key  # type: ignore[method-assign]
    forged = confused.encode(json.dumps(claims(iss=ISSUER)).encode(), public, "HS256", {"kid": "rsa"})
    async with running(settings) as client:

        async def status(key: Any, algorithm: str, kid: str) -> int:
            made = jwt.encode(claims(iss=ISSUER), key, algorithm=algorithm, headers={"kid": kid})
            return (await client.acting(made).get("/v1/facts")).status

        assert await status(RSA_KEY, "RS256", "rsa") == 200
        assert await status(EC_KEY, "ES256", "ec") == 200
        assert await status(ED_KEY, "EdDSA", "ed") == 200
        assert await status(RSA_KEY, "RS256", "ec") == 401
        assert await status(RSA_KEY, "RS512", "rsa") == 401
        assert await status(EC_KEY, "ES256", "unknown") == 401
        assert await status(b"k" * 32, "HS256", "oct") == 401
        assert (await client.acting(forged).get("/v1/facts")).status == 401


async def test_an_issuer_that_is_away_is_503(database_url: str, world: World) -> None:
    settings = api_settings(database_url, auth={"jwks_url": "http://127.0.0.1:9/keys", "jwt_issuer": ISSUER})
    made = jwt.encode(claims(iss=ISSUER), RSA_KEY, algorithm="RS256", headers={"kid": "rsa"})
    async with running(settings) as client:
        answer = await client.acting(made).get("/v1/facts")
    assert answer.status == 503
    assert "Retry-After" in answer.headers


async def test_a_revoked_or_expired_key_is_refused_at_once(world: World) -> None:
    admin = world.as_(world.admin)
    made = (await admin.post("/v1/keys", {"name": "ci", "scopes": ["facts:read"]})).json["data"]
    keyed = world.client.acting(made["secret"])
    assert (await keyed.get("/v1/facts")).status == 200
    assert (await admin.call("DELETE", f"/v1/keys/{made['id']}")).status == 204
    assert (await keyed.get("/v1/facts")).status == 401
    assert (await admin.call("DELETE", f"/v1/keys/{made['id']}")).status == 204
    await world.pool.execute("UPDATE tidings.api_keys SET expires_at = now() WHERE user_id = $1", world.member.id)
    assert (await world.as_(world.member).get("/v1/facts")).status == 401


async def test_a_disabled_user_has_no_key_and_no_token(world: World) -> None:
    async with world.pool.acquire() as connection:
        await Users(connection).disable(world.member.id)
    assert (await world.as_(world.member).get("/v1/facts")).status == 401
    assert (await world.client.acting(token(sub=str(world.member.id))).get("/v1/facts")).status == 401


async def test_a_demoted_user_has_their_new_role_everywhere(world: World) -> None:
    claimed = world.client.acting(token(sub=str(world.admin.id), role="admin"))
    for client in (world.as_(world.admin), claimed):
        assert (await client.post("/v1/outbox/redrive", {})).status == 200
    async with world.pool.acquire() as connection:
        await Users(connection).join(world.admin.id, "acme", Role.MEMBER)
    for client in (world.as_(world.admin), claimed):
        assert (await client.post("/v1/outbox/redrive", {})).status == 403
    async with world.pool.acquire() as connection:
        await Users(connection).leave(world.admin.id, "acme")
    for client in (world.as_(world.admin), claimed):
        assert (await client.get("/v1/facts")).status == 401


async def test_a_token_cannot_raise_a_user_of_ours_above_their_role(world: World) -> None:
    raised = world.client.acting(token(sub=str(world.member.id), role="operator"))
    assert (await raised.get("/v1/session")).json["data"]["role"] == "member"
    lowered = world.client.acting(token(sub=str(world.admin.id), role="member"))
    assert (await lowered.get("/v1/session")).json["data"]["role"] == "member"
    elsewhere = world.client.acting(token(sub=str(world.member.id), tenant="globex"))
    assert (await elsewhere.get("/v1/session")).status == 401


async def test_a_key_can_be_made_for_every_scope(world: World) -> None:
    made = await world.as_(world.admin).post("/v1/keys", {"name": "all", "scopes": ALL_SCOPES})
    assert (made.status, made.json["data"]["scopes"]) == (201, sorted(ALL_SCOPES))


async def test_a_key_does_what_its_scopes_say_and_no_more(world: World) -> None:
    admin = world.as_(world.admin)
    routes: dict[str, tuple[str, str, Any]] = {
        "facts:read": ("GET", "/v1/facts", None),
        "facts:write": ("POST", "/v1/facts", {"type": "lead.created"}),
        "outbox:read": ("GET", "/v1/outbox", None),
        "outbox:write": ("POST", "/v1/outbox/redrive", {}),
        "keys:write": ("GET", "/v1/keys", None),
    }
    for scope in routes:
        made = await admin.post("/v1/keys", {"name": scope, "scopes": [scope]})
        keyed = world.client.acting(made.json["data"]["secret"])
        for other, (method, path, body) in routes.items():
            answer = await keyed.call(method, path, json=body)
            assert (answer.status in {200, 201}) == (other == scope), (scope, other, answer.text)
            assert answer.status in {200, 201, 403}
            if answer.status == 403:
                assert answer.json["detail"] == f"This API key lacks the scope {other}."


async def test_a_key_cannot_make_a_stronger_one(world: World) -> None:
    made = await world.as_(world.admin).post("/v1/keys", {"name": "weak", "scopes": ["keys:write"]})
    weak = world.client.acting(made.json["data"]["secret"])
    assert (await weak.post("/v1/keys", {"name": "x", "scopes": ["facts:read"]})).status == 403
    assert (await weak.post("/v1/keys", {"name": "x", "scopes": ["keys:write"]})).status == 201


async def test_a_member_sees_and_revokes_their_own_keys_only(world: World) -> None:
    member, admin = world.as_(world.member), world.as_(world.admin)
    own = (await member.get("/v1/keys")).json["data"]
    assert {key["userId"] for key in own} == {str(world.member.id)}
    every = (await admin.get("/v1/keys")).json["data"]
    assert len(every) == 3
    of_admin = next(key for key in every if key["userId"] == str(world.admin.id))
    assert (await member.call("DELETE", f"/v1/keys/{of_admin['id']}")).status == 404
    assert (await admin.call("DELETE", f"/v1/keys/{own[0]['id']}")).status == 204


async def test_members_may_not_change_the_outbox(world: World) -> None:
    member = world.as_(world.member)
    fact = await member.emit()
    for action, body in (("retry", None), ("cancel", None), ("reschedule", {"runAt": "2027-01-01T00:00:00Z"})):
        assert (await member.post(f"/v1/outbox/{fact['id']}/{action}", body)).status == 403
    refused = await member.post("/v1/outbox/redrive", {})
    assert (refused.status, refused.json["detail"]) == (403, "This needs the role admin or above; yours is member.")


async def test_a_key_shows_its_secret_once(world: World) -> None:
    admin = world.as_(world.admin)
    made = (await admin.post("/v1/keys", {"name": "ci", "scopes": ["facts:read"]})).json["data"]
    assert made["secret"].startswith("tdk_")
    listed = await admin.get("/v1/keys")
    assert made["id"] in listed.text
    assert made["secret"] not in listed.text
    stored = await world.pool.fetch("SELECT k::text AS row FROM tidings.api_keys k")
    assert not any(made["secret"][4:] in row["row"] for row in stored)


async def test_development_headers_are_off_unless_switched_on(database_url: str, world: World) -> None:
    headers = {"X-Tidings-User": "dev", "X-Tidings-Tenant": "acme", "X-Tidings-Role": "operator"}
    assert (await world.client.get("/v1/facts", headers=headers)).status == 401
    async with running(api_settings(database_url, auth={"development_headers": True})) as client:
        assert (await client.get("/v1/session", headers=headers)).json["data"]["role"] == "operator"
        forwarded = {**headers, "X-Forwarded-For": "203.0.113.9"}
        assert (await client.get("/v1/facts", headers=forwarded)).status == 401
        for wrong in ({"X-Tidings-Role": "root"}, {"X-Tidings-Tenant": "nowhere"}, {"X-Tidings-User": ""}):
            assert (await client.get("/v1/facts", headers={**headers, **wrong})).status == 401


async def test_many_at_once_with_one_credential_get_each_their_own_answer(world: World) -> None:
    answers = await asyncio.gather(*(world.as_(world.member).get("/v1/session") for _ in range(30)))
    assert {answer.status for answer in answers} == {200}
    bad = Client(world.client.base, world.client.http, bearer("tdk_wrong"))
    answers = await asyncio.gather(*(bad.get("/v1/session") for _ in range(30)))
    assert {answer.status for answer in answers} == {401}
    assert len({answer.headers["X-Request-Id"] for answer in answers}) == 30
