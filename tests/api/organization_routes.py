"""Organisations for tests of the API: asked for, taken on without a Temporal, and their mails; their routes, for the
walk as A against what is B's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from temporalio.testing import ActivityEnvironment

from tests.api.world import Answer, Client, World
from tests.support.founding import activities
from tests.support.pipeline import kept
from tidings.modules.organizations.dns.memory import MemoryDns
from tidings.modules.organizations.process.contracts import BootstrapRef
from tidings.spine.access.data_keys import unlocked
from tidings.testing import adrain

Ids = dict[str, str]
ASK = "/v1/organizations/bootstrap"
LINK = re.compile(r"(https?://\S+)/auth/accept-invitation\?token=([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])")
FORWARD = ("create", "grant", "configure_dns", "verify_dns", "invite", "mail")
"""The steps that the process calls before it waits for the mails."""


def user(email: str, role: str = "provider_admin", first: str = "First", last: str = "Admin") -> dict[str, str]:
    return {"email": email, "firstName": first, "lastName": last, "role": role}


def a_request(subdomain: str = "north", **fields: Any) -> dict[str, Any]:
    """With an admin and a member, but for what is given."""
    users = [
        user(f"admin@{subdomain}.example.com"),
        user(f"member@{subdomain}.example.com", "member", "First", "Member"),
    ]
    return {
        "name": f"The {subdomain} clinic",
        "type": "provider",
        "contactEmail": f"contact@{subdomain}.example.com",
        "subdomain": subdomain,
        "users": users,
        **fields,
    }


async def asked(client: Client, subdomain: str = "north", **fields: Any) -> str:
    """The id of one that is on its way."""
    answer = await client.post(ASK, a_request(subdomain, **fields))
    assert answer.status == 202, answer.text
    id: str = answer.json["data"]["organizationId"]  # noqa: A001
    return id


def invitations_of(id: str) -> str:
    return f"/v1/organizations/{id}/invitations"


@dataclass(frozen=True)
class Takers:
    """What a worker's process would do for bootstraps, step by step, and what came by mail."""

    world: World
    tenant: str = "acme"
    provider: MemoryDns = field(default_factory=MemoryDns)

    async def step(self, id: str, *steps: str) -> None:
        of = activities(self.world.pool, await unlocked(self.world.settings, self.world.pool), self.provider)
        ref = BootstrapRef(tenant=self.tenant, organization_id=id)
        for step in steps:
            await ActivityEnvironment().run(getattr(of, step), ref)

    async def mails(self, *to: str) -> list[dict[str, Any]]:
        """Those that went out by now, to these addresses, where some are given."""
        await adrain(self.world.settings)
        sent: Any = await kept(self.world.pool, self.world.settings)  # type: ignore[arg-type]
        return [mail for mail in sent if mail["channel"] == "email" and (not to or mail["to"] in to)]

    async def take_on(self, id: str) -> None:
        """All eight steps."""
        await self.step(id, *FORWARD)
        await self.mails()
        await self.step(id, "complete")

    async def taken_on(self, client: Client, subdomain: str = "north", **fields: Any) -> str:
        id = await asked(client, subdomain, **fields)  # noqa: A001
        await self.take_on(id)
        return id

    async def undo(self, id: str) -> None:
        """As when somebody cancels it half-way."""
        of = activities(self.world.pool, await unlocked(self.world.settings, self.world.pool), self.provider)
        undoing, key = of._undoing, (self.tenant, UUID(id))
        await undoing.begin(*key, "cancelled", "verifyDns", "it was cancelled")
        for undo in ("revokeInvitations", "removeDns", "revokePermissions", "deactivateOrganization"):
            await undoing.undo(undo, *key)  # type: ignore[arg-type]
        await undoing.finish(*key, "cancelled", "verifyDns", "it was cancelled")

    async def token(self, email: str) -> str:
        """Of the last mail that went there."""
        return link_in((await self.mails(email))[-1])[1]

    async def member(self, email: str, password: str) -> Client:
        """Signed in, by the invitation that was sent there."""
        answer = await accept(self.world.client, await self.token(email), password)
        assert answer.status == 201, answer.text
        return in_session_of(self.world.client, answer)


def link_in(mail: dict[str, Any]) -> tuple[str, str]:
    """Where it leads to, and the token."""
    found = LINK.search(mail["text"])
    assert found, mail["text"]
    return found[1], found[2]


async def accept(client: Client, token: str, password: str | None = None, **options: Any) -> Answer:
    body = {"token": token} | ({} if password is None else {"password": password})
    return await client.post("/v1/invitations/accept", body, **options)


async def look(client: Client, token: str, **options: Any) -> Answer:
    return await client.post("/v1/invitations/look", {"token": token}, **options)


def in_session_of(client: Client, answer: Answer) -> Client:
    """With the session that accepting opened, and its token against forged requests."""
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    return Client(client.base, client.http, {"Cookie": cookie, "X-CSRF-Token": answer.json["data"]["csrfToken"]})


_ONE = "/v1/organizations/{organizationId}"
_BOOTSTRAP = f"{ASK}/{{organizationId}}"
_INVITATION = f"{_ONE}/invitations/{{invitationId}}"


def _of(method: str, path: str) -> tuple[tuple[str, str], Callable[[Ids], tuple[str, Any]]]:
    def made(ids: Ids) -> tuple[str, Any]:
        return path.format(organizationId=ids["organization"], invitationId=ids["invitation"]), None

    return (method, path), made


OF_ONE_OBJECT: dict[tuple[str, str], Callable[[Ids], tuple[str, Any]]] = dict(
    (
        _of("GET", _ONE),
        _of("GET", f"{_ONE}/facts"),
        _of("GET", f"{_BOOTSTRAP}/status"),
        _of("POST", f"{_BOOTSTRAP}/retry-dns"),
        _of("POST", f"{_BOOTSTRAP}/cancel"),
        _of("GET", f"{_ONE}/invitations"),
        _of("POST", f"{_INVITATION}/resend"),
        _of("POST", f"{_INVITATION}/revoke"),
    )
)
OF_ALL: dict[tuple[str, str], tuple[str, Any]] = {
    ("GET", "/v1/organizations"): ("/v1/organizations", None),
    ("GET", "/v1/organizations/subdomains/{subdomain}"): ("/v1/organizations/subdomains/can4ry", None),
}
ELSEWHERE = {("POST", ASK)}  # tested in organizations/test_asking, by what it writes


async def organizations_of(world: World, owner: Client, tenant: str = "globex") -> Ids:
    """One that is taken on, with an invitation that nobody has accepted yet."""
    takers = Takers(world, tenant)
    id = await takers.taken_on(owner, "can4ry", name="Canary", users=[user("canary@can4ry.example")])  # noqa: A001
    (invitation, *_) = (await owner.get(invitations_of(id))).json["data"]
    return {"organization": id, "invitation": invitation["id"]}


def shown_at(ids: Ids) -> tuple[str, ...]:
    path = f"/v1/organizations/{ids['organization']}"
    return (path, f"{path}/facts", f"{path}/invitations", f"{ASK}/{ids['organization']}/status")
