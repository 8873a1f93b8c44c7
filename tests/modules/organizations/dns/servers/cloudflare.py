"""Cloudflare's API for zones and their DNS records, as far as it is used, and as badly behaved as a test wants.

In a test: `async with cloudflare() as server`, then `server.url` and `server.token`; set `server.faults`, `server.lag`
and `server.records` as you like, and read `server.ledger`. As a program of its own:

    python -m tests.modules.organizations.dns.servers.cloudflare --port 0 --zone example.com

prints its URL on a line. Then, without a token: GET /_ledger, GET and POST /_records (by zone), POST /_faults, each
with the fields of the dataclass below, POST /_lag with a number, POST /_land.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import count
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from tests.channels.servers.http_server import Reply, Request, _read, listening, orderly, resetting, silent

BASE = "/client/v4"
TOKEN = "a-token-of-cloudflare-that-nobody-may-see"
_ADDRESSES = {"A", "AAAA", "CNAME"}
_IDS = count(1)


@dataclass
class Fault:
    """What happens to the next `times` requests of a method, to a path and for a record that it names, or to all.

    `takes_effect`: what was asked for is done all the same, and only its answer is lost; `later` is at `land`.
    """

    ends: Literal["answers", "hangs", "resets"] = "answers"
    status: int = 500
    code: int = 10_000
    message: str = "Something is wrong here."
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None  # instead of an error as Cloudflare writes it
    method: str | None = None
    path: str = ""
    record: str | None = None  # that is to be made
    takes_effect: Literal["never", "now", "later"] = "never"
    times: int = 1

    def concerns(self, asked: Asked) -> bool:
        named = self.record in (None, (asked.body or {}).get("name"))
        return self.times > 0 and named and self.method in (None, asked.method) and self.path in asked.path


@dataclass
class Asked:
    """A request as it came. `status` is what it was answered with; none, if it was not."""

    at: float
    method: str
    path: str
    query: dict[str, str]
    body: Any
    status: int | None = None


@dataclass
class Cloudflare:
    """`zones` are names by their ids, `records` those of each zone by their ids.

    A record that is made now is missing from the next `lag` listings, and excludes others all the same.
    """

    token: str = TOKEN
    zones: dict[str, str] = field(default_factory=dict)
    records: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    lag: int = 0
    largest_page: int = 5_000
    tells_pages: bool = True
    ledger: list[Asked] = field(default_factory=list)
    port: int = 0
    _under_way: list[Callable[[], Reply]] = field(default_factory=list)
    _unlisted: dict[str, int] = field(default_factory=dict)  # records, and from how many listings they are missing yet

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{BASE}"

    def add_zone(self, name: str) -> str:
        zone = f"{next(_IDS):032x}"
        self.zones[zone] = name
        self.records[zone] = {}
        return zone

    def add_record(self, zone: str, **fields: Any) -> dict[str, Any]:
        """Puts a record there, as somebody else might have."""
        record = {"type": "CNAME", "proxied": False, "comment": None, "ttl": 1, **fields, "id": f"{next(_IDS):032x}"}
        self.records[zone][record["id"]] = record
        return record

    def names(self, zone: str) -> list[str]:
        return sorted(record["name"] for record in self.records[zone].values())

    def land(self) -> None:
        """What was under way when nobody waited for its answer any more happens now."""
        while self._under_way:
            self._under_way.pop(0)()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                await self._one(request, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, request: Request, writer: asyncio.StreamWriter) -> None:
        target = urlsplit(request.target)
        body = json.loads(request.body) if request.body else None
        if target.path.startswith("/_"):
            return await orderly(self._told(request.method, target.path, body))(writer)
        query = dict(parse_qsl(target.query, keep_blank_values=True))
        asked = Asked(time.time(), request.method, target.path.removeprefix(BASE), query, body)
        self.ledger.append(asked)
        fault = next((each for each in self.faults if each.concerns(asked)), None)
        if fault is None:
            return await self._send(asked, self._answer(asked, request), writer)
        fault.times -= 1
        match fault.takes_effect:
            case "now":
                self._answer(asked, request)
            case "later":
                self._under_way.append(partial(self._answer, asked, request))
            case "never":
                pass
        match fault.ends:
            case "hangs":
                await silent(writer)
            case "resets":
                await resetting(writer)
            case "answers":
                await self._send(asked, _of_fault(fault), writer)
        return None

    async def _send(self, asked: Asked, reply: Reply, writer: asyncio.StreamWriter) -> None:
        asked.status = reply.status
        await orderly(reply)(writer)

    def _answer(self, asked: Asked, request: Request) -> Reply:
        given = request.headers.get("authorization")
        if given is None:
            return refusal(400, 9106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers")
        if given != f"Bearer {self.token}":
            return refusal(403, 9109, "Invalid access token")
        match [asked.method, *asked.path.strip("/").split("/")]:
            case ["GET", "zones"]:
                return self._zones(asked)
            case [_, "zones", zone, "dns_records", *_] if zone not in self.zones:
                return refusal(404, 7003, f"Could not route to /zones/{zone}/dns_records, perhaps your object identifier is invalid?")  # fmt: skip  # noqa: E501
            case ["GET", "zones", zone, "dns_records"]:
                return self._list(zone, asked)
            case ["POST", "zones", zone, "dns_records"]:
                return self._create(zone, asked.body)
            case ["DELETE", "zones", zone, "dns_records", record]:
                return self._delete(zone, record)
            case _:
                return refusal(404, 7000, "No route for that URI")

    def _zones(self, asked: Asked) -> Reply:
        rows = [
            {"id": zone, "name": name, "status": "active"}
            for zone, name in self.zones.items()
            if asked.query.get("name") in (None, name)
        ]
        return self._paged(rows, asked)

    def _list(self, zone: str, asked: Asked) -> Reply:
        rows = []
        for record in self.records[zone].values():
            answer = _passes(record, asked.query)
            if answer is None:
                return refusal(400, 9000, "There is a filter that is not known here")
            if answer and self._unlisted.get(record["id"], 0) <= 0:
                rows.append(record)
        if asked.query.get("page", "1") == "1":
            for record_id in self.records[zone].keys() & self._unlisted.keys():
                self._unlisted[record_id] -= 1
        return self._paged(rows, asked)

    def _paged(self, rows: list[dict[str, Any]], asked: Asked) -> Reply:
        page = int(float(asked.query.get("page", "1")))
        size = min(int(float(asked.query.get("per_page", "100"))), self.largest_page)
        shown = rows[(page - 1) * size : page * size]
        info = {"page": page, "per_page": size, "count": len(shown), "total_count": len(rows)}
        if self.tells_pages:
            info["total_pages"] = -(-len(rows) // size)
        return _reply(200, {"success": True, "errors": [], "messages": [], "result": shown, "result_info": info})

    def _create(self, zone: str, body: Any) -> Reply:
        if not {"type", "name", "content", "ttl"} <= body.keys():
            return refusal(400, 9000, "DNS name is invalid.")
        for there in self.records[zone].values():
            if there["name"] != body["name"].lower():
                continue
            if (there["type"], there["content"]) == (body["type"], body["content"]):
                return refusal(400, 81058, "An identical record already exists.")
            if "CNAME" in {there["type"], body["type"]} and {there["type"], body["type"]} <= _ADDRESSES:
                return refusal(400, 81053, "An A, AAAA, or CNAME record with that host already exists.")
        record = self.add_record(zone, **{**body, "name": body["name"].lower()})
        self._unlisted[record["id"]] = self.lag
        return _reply(200, {"success": True, "errors": [], "messages": [], "result": record})

    def _delete(self, zone: str, record: str) -> Reply:
        if self.records[zone].pop(record, None) is None:
            return refusal(404, 81044, "Record does not exist.")
        return _reply(200, {"result": {"id": record}})

    def _told(self, method: str, path: str, body: Any) -> Reply:
        """What a test in another process says and asks."""
        match method, path:
            case "GET", "/_ledger":
                return _reply(200, [asdict(each) for each in self.ledger])
            case "GET", "/_records":
                return _reply(200, {name: list(self.records[zone].values()) for zone, name in self.zones.items()})
            case "POST", "/_records":
                zones = {name: zone for zone, name in self.zones.items()}
                return _reply(200, self.add_record(zones[body.pop("zone")], **body))
            case "POST", "/_faults":
                self.faults.append(Fault(**body))
            case "POST", "/_lag":
                self.lag = int(body)
            case "POST", "/_land":
                self.land()
            case _:
                return _reply(404, None)
        return _reply(200, None)


def refusal(status: int, code: int, message: str, **headers: str) -> Reply:
    return _reply(
        status,
        {"success": False, "errors": [{"code": code, "message": message}], "messages": [], "result": None},
        **headers,
    )


def _of_fault(fault: Fault) -> Reply:
    if fault.body is not None:
        return Reply(fault.status, fault.body.encode(), {"Content-Type": "application/json", **fault.headers})
    return refusal(fault.status, fault.code, fault.message, **fault.headers)


def _reply(status: int, body: Any, **headers: str) -> Reply:
    return Reply(status, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})


def _passes(record: dict[str, Any], query: dict[str, str]) -> bool | None:
    """Whether a record passes the filters, which know no case. None: one of them is not known."""
    for asked, wanted in query.items():
        if asked in ("page", "per_page"):
            continue
        name, _, how = asked.partition(".")
        value = str(record.get(name) or "").lower()
        tests = {
            "": value == wanted.lower(),
            "exact": value == wanted.lower(),
            "startswith": value.startswith(wanted.lower()),
            "contains": wanted.lower() in value,
        }
        if name not in ("name", "type", "content", "comment") or how not in tests:
            return None
        if not tests[how]:
            return False
    return True


@asynccontextmanager
async def cloudflare(zones: Iterable[str] = ("example.com",), port: int = 0) -> AsyncIterator[Cloudflare]:
    server = Cloudflare()
    for zone in zones:
        server.add_zone(zone)
    async with listening(server.serve, port=port) as server.port:
        yield server


async def _run(zones: list[str], port: int) -> None:
    async with cloudflare(zones, port) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--zone", action="append", default=[])
    given = arguments.parse_args()
    asyncio.run(_run(given.zone or ["example.com"], given.port))
