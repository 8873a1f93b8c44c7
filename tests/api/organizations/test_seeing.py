"""Who sees which organisation, and what their role allows there: those who came in by an invitation, and others."""

from __future__ import annotations

from uuid import uuid4

from tests.api.belongings import without_instance
from tests.api.invited import ADMIN, MEMBER, NEW, path_of, refused
from tests.api.organization_routes import ASK, Takers, asked, invitations_of, user
from tests.api.world import Client, World

BELOW = "admin@south.example.com"


async def ids_seen(client: Client) -> set[str]:
    return {each["id"] for each in (await client.get("/v1/organizations")).json["data"]}


def addresses(id: str, invitation: str) -> list[tuple[str, str]]:
    """All that there is of one organisation."""
    one, bootstrap = f"/v1/organizations/{id}", f"{ASK}/{id}"
    reading = [one, f"{one}/facts", f"{one}/invitations", f"{bootstrap}/status"]
    writing = [f"{bootstrap}/cancel", f"{bootstrap}/retry-dns"]
    writing += [f"{one}/invitations/{invitation}/{change}" for change in ("resend", "revoke")]
    return [("GET", path) for path in reading] + [("POST", path) for path in writing]


async def south_of(takers: Takers, client: Client, north: str) -> str:
    """A partner below it, with an admin of its own."""
    users = [user(BELOW), user(BELOW.replace("admin", "leader"), "partner_admin")]
    return await takers.taken_on(client, "south", type="partner", parentId=north, users=users)


async def require_nothing_seen(client: Client, id: str, invitation: str) -> None:
    """As if there were no such organisation, at every address."""
    nobodys = addresses(str(uuid4()), invitation)
    for (method, path), (_, absent) in zip(addresses(id, invitation), nobodys, strict=True):
        answers = [await client.call(method, each) for each in (path, absent)]
        assert [answer.status for answer in answers] == [404, 404], (method, path)
        assert without_instance(answers[0]) == without_instance(answers[1]), (method, path)


async def test_who_was_not_invited_sees_nothing_of_it(world: World, takers: Takers, north: str) -> None:
    """Though they are of the same tenant; nor does somebody whose invitation waits."""
    outsider = world.as_(world.member)
    path = await path_of(world.as_(world.admin), north, MEMBER)
    assert await ids_seen(outsider) == set()
    await require_nothing_seen(outsider, north, path.rpartition("/")[2])
    assert (await world.as_(world.admin).get(invitations_of(north))).json["data"][0]["status"] == "pending"


async def test_a_member_looks_and_changes_nothing(world: World, takers: Takers, north: str) -> None:
    other = await takers.taken_on(world.as_(world.admin), "west")
    member = await takers.member(MEMBER, NEW)
    waiting = (await path_of(world.as_(world.admin), north, ADMIN)).rpartition("/")[2]
    assert await ids_seen(member) == {north}
    assert (await member.get(f"/v1/organizations/{north}")).json["data"]["mayManage"] is False
    for method, path in addresses(north, waiting):
        answer = await member.call(method, path)
        what = "invitations.manage" if "/invitations" in path else "organization.manage"
        if method == "GET" and "/invitations" not in path:
            assert answer.status == 200, path
        else:
            expected = f"This needs the permission {what} in this organisation, or in one above it."
            assert refused(answer) == (403, expected), path
    theirs = (await path_of(world.as_(world.admin), other, "admin@west.example.com")).rpartition("/")[2]
    await require_nothing_seen(member, other, theirs)
    await require_nothing_seen(member, other, waiting)


async def test_an_admin_of_one_does_what_there_is_to_do_there_and_below(
    world: World, takers: Takers, north: str
) -> None:
    south = await south_of(takers, world.as_(world.admin), north)
    admin = await takers.member(ADMIN, NEW)
    assert await ids_seen(admin) == {north, south}
    assert (await admin.get(f"/v1/organizations/{south}")).json["data"]["mayManage"] is True
    path = await path_of(admin, south, BELOW)
    assert (await admin.post(f"{path}/resend")).json["data"]["issue"] == 2
    assert (await admin.post(f"{path}/revoke")).json["data"]["status"] == "revoked"
    complete = "The organisation is complete, and its bootstrap cannot be cancelled any more."
    assert refused(await admin.post(f"{ASK}/{south}/cancel")) == (409, complete)


async def test_an_admin_below_sees_nothing_of_what_is_above_or_beside(world: World, takers: Takers, north: str) -> None:
    operator = world.as_(world.admin)
    south = await south_of(takers, operator, north)
    beside = await takers.taken_on(operator, "north-2")
    admin = await takers.member(BELOW, NEW)
    assert await ids_seen(admin) == {south}
    for id in (north, beside):  # noqa: A001
        theirs = (await operator.get(invitations_of(id))).json["data"][0]["id"]
        await require_nothing_seen(admin, id, theirs)


async def test_an_invitation_is_reached_through_its_own_organization_alone(
    world: World, takers: Takers, north: str
) -> None:
    """An admin of one could else take back, or send again, what belongs to one that they do not see."""
    operator = world.as_(world.admin)
    south = await south_of(takers, operator, north)
    admin = await takers.member(BELOW, NEW)
    theirs = (await operator.get(invitations_of(north))).json["data"][0]["id"]
    for change in ("resend", "revoke"):
        answer = await admin.post(f"{invitations_of(south)}/{theirs}/{change}")
        assert refused(answer) == (404, "There is no such invitation.")
    assert {each["issue"] for each in (await operator.get(invitations_of(north))).json["data"]} == {1}


async def test_who_lost_their_place_in_the_tenant_has_lost_the_organization_too(
    world: World, takers: Takers, north: str
) -> None:
    admin = await takers.member(ADMIN, NEW)
    await world.pool.execute(
        "DELETE FROM tidings.memberships m USING tidings.users u WHERE u.id = m.user_id AND u.email = $1", ADMIN
    )
    for method, path in addresses(north, str(uuid4())):
        assert (await admin.call(method, path)).status == 401, path


async def test_what_is_under_way_is_cancelled_and_hurried_by_who_may(world: World, takers: Takers, north: str) -> None:
    """One below, by an admin of the one above; nobody has anything to do with it twice."""
    admin = await takers.member(ADMIN, NEW)
    south = await asked(world.as_(world.admin), "south", type="partner", parentId=north)
    assert refused(await admin.post(f"{ASK}/{south}/retry-dns"))[0] == 404  # it is not below it yet
    await takers.step(south, "create", "grant")
    waits = "The bootstrap does not wait for DNS."
    assert refused(await admin.post(f"{ASK}/{south}/retry-dns")) == (409, waits)
    await takers.step(south, "configure_dns")
    assert (await admin.post(f"{ASK}/{south}/retry-dns")).status == 202
    for _ in range(2):
        answer = await admin.post(f"{ASK}/{south}/cancel")
        assert (answer.status, answer.json["data"]["status"]) == (202, "running")
    signals = await world.pool.fetch(
        "SELECT payload ->> 'signal' FROM tidings.outbox WHERE payload ->> 'process' = $1 AND kind = 'process.signal'",
        f"org-bootstrap-{south}",
    )
    assert sorted(row[0] for row in signals) == ["cancel", "cancel", "retry_dns_verification"]
    await takers.undo(south)
    assert (await admin.post(f"{ASK}/{south}/cancel")).json["data"]["status"] == "cancelled"
    assert refused(await admin.post(f"{ASK}/{south}/retry-dns")) == (409, waits)
