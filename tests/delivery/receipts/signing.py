"""What providers would send, signed as they sign."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

WEBHOOK_SECRET = "whsec_" + base64.b64encode(b"a secret of the webhook's own").decode()
AUTH_TOKEN, APP_SECRET, VERIFY_TOKEN = "twilio's token", "meta's secret", "asked for by meta"
RESEND = {
    "apiKey": "not a real one",
    "fromAddress": "news@example.org",
    "webhookSecret": WEBHOOK_SECRET,
}
TWILIO = {"accountSid": "AC1", "authToken": AUTH_TOKEN, "from": "+390600000000"}
META = {"phoneNumberId": "1", "accessToken": "x", "appSecret": APP_SECRET, "verifyToken": VERIFY_TOKEN}


def resend_body(type: str, receipt: str, delivery: object = None, **more: Any) -> bytes:
    tags = {} if delivery is None else {"delivery": str(delivery)}
    return json.dumps({"type": type, "created_at": "x", "data": {"email_id": receipt, "tags": tags, **more}}).encode()


def resend_headers(body: bytes, at: datetime | None = None, secret: str = WEBHOOK_SECRET) -> dict[str, str]:
    stamp = str(int((at or datetime.now(UTC)).timestamp()))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"msg_1.{stamp}.".encode() + body, hashlib.sha256)
    signature = f"v1,bm90IHRoaXMgb25l v1,{base64.b64encode(digest).decode()}"
    return {
        "svix-id": "msg_1",
        "svix-timestamp": stamp,
        "svix-signature": signature,
        "content-type": "application/json",
    }


def twilio_body(**fields: str) -> bytes:
    return urlencode(fields).encode()


def twilio_headers(url: str, fields: dict[str, str], token: str = AUTH_TOKEN) -> dict[str, str]:
    text = url + "".join(name + fields[name] for name in sorted(fields))
    digest = hmac.digest(token.encode(), text.encode(), hashlib.sha1)
    return {
        "x-twilio-signature": base64.b64encode(digest).decode(),
        "content-type": "application/x-www-form-urlencoded",
    }


def meta_body(*statuses: dict[str, Any]) -> bytes:
    change = {"field": "messages", "value": {"messaging_product": "whatsapp", "statuses": list(statuses)}}
    return json.dumps({"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]}).encode()


def meta_headers(body: bytes, secret: str = APP_SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={digest}", "content-type": "application/json"}
