"""Secrets of every kind, put in the way in which they come in: over the API. Each is used, and used wrongly too."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import jwt

from tests.api.world import Answer, Client
from tests.channels.servers import firebase
from tests.delivery.receipts import signing
from tests.support.canaries import canary
from tests.support.pipeline import Owner
from tidings.kit.settings import load_settings
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link

JWT_SECRET = "jwt-secret-of-more-than-32-characters"
EMAIL = "jo@example.com"
_LINK = re.compile(rb"List-Unsubscribe:\s*<[^>]*/unsubscribe/([^>]+)>")


@dataclass
class Secrets:
    """Every secret that goes in, by name."""

    all: dict[str, str] = field(default_factory=dict)

    def new(self, name: str) -> str:
        return self.keep(name, canary(name))

    def keep(self, name: str, secret: str) -> str:
        self.all[name] = secret
        return secret

    def signing(self, name: str) -> str:
        return self.keep(name, "whsec_" + base64.b64encode(os.urandom(32)).decode())


@dataclass
class Recorder:
    """A client that keeps every answer, but for those that show a new secret, once."""

    client: Client
    answers: list[str] = field(default_factory=list)

    async def call(
        self, method: str, path: str, status: int | None = None, *, shows_secret: bool = False, **options: Any
    ) -> Answer:
        answer = await self.client.call(method, path, **options)
        assert status in (None, answer.status), (method, path, answer.text)
        if not shows_secret:
            self.answers.append(f"{answer.status} {dict(answer.headers)} {answer.text}")
        return answer

    def as_(self, headers: Mapping[str, str]) -> Recorder:
        return Recorder(Client(self.client.base, self.client.http, headers), self.answers)


def operator(kept: Secrets, client: Recorder) -> Recorder:
    claims = {"sub": "somebody", "tenant": "default", "role": "operator", "exp": 4_000_000_000}
    token = kept.keep("bearer token", jwt.encode(claims, kept.all[JWT_SECRET], algorithm="HS256"))
    return client.as_({"Authorization": f"Bearer {token}"})


async def access(kept: Secrets, client: Recorder, owner: Owner) -> None:
    """Sessions, keys, links."""
    password = kept.all["password"]
    for wrong in ({"password": password + "!"}, {"password": [password]}, {"passwort": password}, {"token": password}):
        await client.call("POST", "/v1/session", json={"email": EMAIL, **wrong})
    right = {"email": EMAIL, "password": password}
    signed_in = await client.call("POST", "/v1/session", 201, json=right, shows_secret=True)
    cookie = signed_in.headers["Set-Cookie"].split(";")[0]
    kept.keep("session", cookie.partition("=")[2])
    csrf = kept.keep("csrf token", signed_in.json["data"]["csrfToken"])
    own = client.as_({"Cookie": cookie, "X-CSRF-Token": csrf, "Idempotency-Key": "once"})
    new = {"name": "new", "scopes": ["facts:read"]}
    for _ in range(2):
        key = await own.call("POST", "/v1/keys", 201, json=new, shows_secret=True)
    secret = kept.keep("key by API", key.json["data"]["secret"])
    await client.as_({"Authorization": f"Bearer {secret}"}).call("GET", "/v1/people", 403)
    await client.as_({"Authorization": f"Bearer {kept.new('no key at all')}"}).call("GET", "/v1/facts", 401)
    await _link(kept, client, owner)


async def _link(kept: Secrets, client: Recorder, owner: Owner) -> None:
    hasher = (await unlocked(load_settings(), owner)).hasher(SIGN_IN_LINKS)
    user = await owner.fetchval("SELECT id FROM tidings.users WHERE email = $1", EMAIL)
    link = kept.keep("link", await make_sign_in_link(owner, hasher, user, "default", timedelta(minutes=5)))
    await client.call("GET", f"/sign-in?token={link}")
    await client.call("POST", "/v1/session", 201, json={"token": link}, shows_secret=True)
    await client.call("POST", "/v1/session", 401, json={"token": link})


async def providers(kept: Secrets, client: Recorder, port: int, smtp_port: int) -> dict[str, str]:
    """One of every type that has a configuration; their ids."""
    base = f"http://127.0.0.1:{port}"
    account = firebase.service_account(base)
    kept.keep("private key", json.loads(account)["private_key"].splitlines()[5])
    sender = {"fromAddress": "us@example.com"}
    smtp = {"host": "127.0.0.1", "port": smtp_port, "security": "none", "username": "us"}
    resend = {"apiKey": kept.new("resend key"), "webhookSecret": kept.signing("resend receipts"), "baseUrl": base}
    receipts = {"appSecret": kept.new("meta receipts"), "verifyToken": kept.new("meta verify token")}
    configs: dict[str, tuple[str, dict[str, Any]]] = {
        "smtp": ("email", {**sender, **smtp, "password": kept.all["smtp password"]}),
        "resend": ("email", {**sender, **resend}),
        "twilio": ("sms", {"accountSid": "AC1", "authToken": kept.new("twilio"), "from": "+15550006", "baseUrl": base}),
        "meta": (
            "whatsapp",
            {"phoneNumberId": "1", "accessToken": kept.new("meta token"), "baseUrl": base, **receipts},
        ),
        "fcm": ("push", {"serviceAccount": account, "baseUrl": base}),
    }
    ids = {}
    for order, (type_, (channel, config)) in enumerate(configs.items()):
        body = {"channel": channel, "type": type_, "name": type_, "config": config, "priority": order}
        once = client.as_({**client.client.headers, "Idempotency-Key": type_})
        made = [await once.call("POST", "/v1/providers", 201, json=body) for _ in range(2)]
        ids[type_] = made[0].json["data"]["id"]
        await _wrongly(client, body, config, ids[type_])
    return ids


async def _wrongly(client: Recorder, body: dict[str, Any], config: dict[str, Any], id: str) -> None:
    """The same secrets where they must not be, of a kind that they are not, or on the way to elsewhere."""
    listed = {name: [value] for name, value in config.items()}
    for wrong in (body | {"config": listed}, body | {"config": json.dumps(config)}, body | {"type": "sandbox"}, body):
        assert (await client.call("POST", "/v1/providers", json=wrong)).status in {409, 422}
    elsewhere = {"baseUrl": "https://example.com"} if "baseUrl" in config else {"host": "mail.example.com"}
    kept = {name: config[name] for name in ("fromAddress", "accountSid", "from", "phoneNumberId") if name in config}
    await client.call("PATCH", f"/v1/providers/{id}", 422, json={"config": kept | elsewhere})
    await client.call("PATCH", f"/v1/providers/{id}", 200, json={"priority": body["priority"]})


async def people(kept: Secrets, client: Recorder, port: int) -> None:
    """Somebody with every kind of address; and the same, wrong in some way."""
    whsec = kept.signing("webhook secret")
    urls = {
        "slackWebhook": f"http://127.0.0.1:{port}/services/{kept.new('slack')}",
        "webhooks": [{"url": f"http://127.0.0.1:{port}/{kept.new('hook')}", "secret": whsec}],
        "appriseUrls": [f"json://us:{kept.new('apprise password')}@127.0.0.1:{port}/{kept.new('apprise path')}"],
    }
    whole = {"name": "Jo", "email": EMAIL, "phone": "+390612345678", "pushTokens": ["device-1"], **urls}
    person = (await client.call("POST", "/v1/people", 201, json=whole)).json["data"]["id"]
    for wrong in (
        {"slackWebhook": f"ftp://{kept.all['slack']}"},
        {"slackWebhook": f"http://10.0.0.1/{kept.all['slack']}"},
        {"webhooks": [{"url": f"https://x:{kept.all['hook']}@example.com", "secret": whsec}]},
        {"webhooks": [{"url": "https://example.com", "secret": whsec + "!"}]},
        {"webhooks": [{"url": "https://example.com", "sekret": whsec}]},
        {"webhooks": kept.all["hook"]},
        {"appriseUrls": [f"not a url {kept.all['apprise path']}"]},
        {"appriseUrls": [f"json://10.0.0.1/{kept.all['apprise path']}"]},
        {"appriseUrls": {kept.all["apprise path"]: 1}},
    ):
        await client.call("POST", "/v1/people", 422, json={"name": "Jo", **wrong})
    table = f"name,slack_webhook\nJo,{urls['slackWebhook']}\nJo,ftp://{kept.all['slack']}\n"
    await client.call("POST", "/v1/people/imports", 422, data=table.encode(), headers={"Content-Type": "text/csv"})
    await client.call("GET", f"/v1/people/{person}", 200)
    await client.call("GET", f"/v1/people/{person}/addresses", 200)


async def receipts(kept: Secrets, client: Recorder, ids: Mapping[str, str]) -> None:
    """What providers tell: signed with the secret, with the secret in place of the signature, and the secret itself."""
    mail = signing.resend_body("email.delivered", "4ef2")
    status = signing.meta_body({"id": "wamid.1", "status": "read"})
    resend, meta = kept.all["resend receipts"], kept.all["meta receipts"]
    signed = signing.resend_headers(mail, secret=resend)
    for path, body, headers, expected in (
        (ids["resend"], mail, signed, 200),
        (ids["resend"], mail, signed | {"svix-signature": f"v1,{resend}"}, 404),
        (ids["meta"], status, signing.meta_headers(status, meta), 200),
        (ids["meta"], status, {"x-hub-signature-256": meta}, 404),
        (ids["twilio"], b"MessageSid=SM1", {"x-twilio-signature": kept.all["twilio"]}, 404),
    ):
        await client.call("POST", f"/v1/receipts/{path}", expected, data=body, headers=headers)
    asked = "?hub.mode=subscribe&hub.challenge=1&hub.verify_token="
    verify = kept.all["meta verify token"]
    await client.call("GET", f"/v1/receipts/{ids['meta']}{asked}{verify}", 200)
    await client.call("GET", f"/v1/receipts/{ids['twilio']}{asked}{verify}", 404)


async def unsubscribing(kept: Secrets, client: Recorder, mails: Sequence[bytes]) -> None:
    """The link of a mail that went out: opened, used, cut, lengthened, and sent where it does not belong."""
    found = next(link for mail in mails if (link := _LINK.search(mail)))
    token = kept.keep("unsubscribe token", found[1].decode())
    await client.call("GET", f"/unsubscribe/{token}", 200)
    for method, path in (("GET", f"/unsubscribe/{token[:-4]}"), ("GET", f"/unsubscribe/{token}/more")):
        await client.call(method, path, 404, shows_secret=True)  # a problem names the address that was asked for
    await client.call("POST", f"/unsubscribe/{token}", 400, data={"choice": token})
    await client.call("POST", f"/unsubscribe/{token}", 200, data={"List-Unsubscribe": "One-Click"})
