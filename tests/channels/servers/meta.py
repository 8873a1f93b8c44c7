"""Messages of WhatsApp's Cloud API: who may post, what must be there, and its answers."""

from __future__ import annotations

import json
from typing import Any

from tests.channels.servers.http_server import Reply, Request

NUMBER_ID = "106540352242922"
TOKEN = "a-token-of-meta"
WAMID = "wamid.HBgLMTU1NTAwMDAwMDEVAgARGBI0"
NOT_ON_WHATSAPP = "15005550002"


def refusal(status: int, code: int, message: str, **headers: str) -> Reply:
    error = {"message": f"(#{code}) {message}", "type": "OAuthException", "code": code, "fbtrace_id": "A1"}
    return Reply(status, json.dumps({"error": error}).encode(), headers)


def accepted(to: str = "15005550006") -> Reply:
    contact = {"input": to, "wa_id": to}
    body = {"messaging_product": "whatsapp", "contacts": [contact], "messages": [{"id": WAMID}]}
    return Reply(200, json.dumps(body).encode())


def answer(request: Request) -> Reply:
    if request.headers.get("authorization") != f"Bearer {TOKEN}":
        return refusal(401, 190, "Invalid OAuth access token")
    if request.target != f"/v21.0/{NUMBER_ID}/messages":
        return refusal(400, 100, "Unsupported post request")
    body = json.loads(request.body)
    if body.get("messaging_product") != "whatsapp" or not _is_whole(body):
        return refusal(400, 131008, "Required parameter is missing")
    if body["to"] == NOT_ON_WHATSAPP:
        return refusal(400, 131026, "Message undeliverable")
    return accepted(body["to"])


def _is_whole(body: dict[str, Any]) -> bool:
    match body:
        case {"type": "text", "text": {"body": str()}}:
            return True
        case {"type": "template", "template": {"name": str(), "language": {"code": str()}}}:
            return True
        case _:
            return False
