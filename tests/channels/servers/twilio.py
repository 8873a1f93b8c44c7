"""Twilio's Messages resource: who may post, what must be there, and its answers."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from urllib.parse import parse_qs

from tests.channels.servers.http_server import Reply, Request

ACCOUNT = "AC00000000000000000000000000000001"
TOKEN = "a-token-of-twilio"
SID = "SM00000000000000000000000000000001"
UNSUBSCRIBED = "+15005550004"
FULL = "+15005550008"
_NUMBER = re.compile(r"(whatsapp:)?\+[1-9][0-9]{6,14}")


def form_in(request: Request) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(request.body.decode(), strict_parsing=True).items()}


def refusal(status: int, code: int, message: str, **headers: str) -> Reply:
    body = {"code": code, "message": message, "more_info": f"https://www.twilio.com/docs/errors/{code}"}
    return Reply(status, json.dumps({**body, "status": status}).encode(), headers)


def accepted(**fields: object) -> Reply:
    body = {"sid": SID, "account_sid": ACCOUNT, "status": "queued", "error_code": None, "error_message": None}
    return Reply(201, json.dumps(body | fields).encode())


def answer(request: Request) -> Reply:
    allowed = "Basic " + b64encode(f"{ACCOUNT}:{TOKEN}".encode()).decode()
    if request.headers.get("authorization") != allowed:
        return refusal(401, 20003, "Authenticate")
    if request.method != "POST" or request.target != f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json":
        return refusal(404, 20404, "The requested resource was not found")
    return _to_message(form_in(request))


def _to_message(form: dict[str, str]) -> Reply:
    to = form.get("To", "")
    if not _NUMBER.fullmatch(to):
        return refusal(400, 21211, f"Invalid 'To' Phone Number: {to}")
    if ("From" in form) == ("MessagingServiceSid" in form):
        return refusal(400, 21603, "A 'From' phone number is required")
    if ("Body" in form) == ("ContentSid" in form):
        return refusal(400, 21602, "Message body is required")
    if to.endswith(UNSUBSCRIBED):
        return refusal(400, 21610, "Attempt to send to unsubscribed recipient")
    if to.endswith(FULL):
        return refusal(429, 20429, "Too Many Requests", **{"Retry-After": "7"})
    return accepted()
