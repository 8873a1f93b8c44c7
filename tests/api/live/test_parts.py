"""Decisions of the live part that need no server."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.api.sockets import open_socket
from tidings.api.live.bounds import Bounds
from tidings.api.live.entrance import origin_of
from tidings.api.live.hub import Hub
from tidings.api.live.pace import Pace
from tidings.api.live.seen import Seen, Sight
from tidings.api.live.socket import TRY_LATER, Room
from tidings.kit.errors import RateLimited, Unavailable

AT = 1_700_000_000_000  # milliseconds


def version_7(milliseconds: int, rest: int = 5) -> UUID:
    return UUID(int=milliseconds << 80 | 7 << 76 | rest)


def test_an_id_is_new_once_and_of_those_long_forgotten_nobody_can_say() -> None:
    seen = Seen()
    ids = [version_7(AT + n) for n in range(1500)]
    assert {seen.note(each) for each in ids} == {Sight.FIRST}
    assert seen.note(ids[-1]) is Sight.AGAIN
    assert seen.note(ids[0]) is Sight.UNSURE
    assert len(seen.ids) <= 1000
    assert seen.note(version_7(AT + 1400, 6)) is Sight.FIRST


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Tidings.example:443/base/", "https://tidings.example"),
        ("http://127.0.0.1:8400", "http://127.0.0.1:8400"),
        ("http://[::1]:80/", "http://[::1]"),
        ("https://tidings.example:80", "https://tidings.example:80"),
    ],
)
def test_an_origin_is_what_a_browser_says(url: str, origin: str) -> None:
    assert origin_of(url) == origin


def test_a_process_and_a_person_have_so_many_sockets_and_room_again_when_one_leaves() -> None:
    hub = Hub(Bounds(per_person=2, per_process=3))
    somebody, another = uuid4(), uuid4()
    first, second = (open_socket(hub.bounds, somebody) for _ in range(2))
    hub.join(first)
    hub.join(second)
    with pytest.raises(RateLimited):
        hub.join(open_socket(hub.bounds, somebody))
    hub.join(open_socket(hub.bounds, another))
    with pytest.raises(Unavailable):
        hub.join(open_socket(hub.bounds, uuid4()))
    for _ in range(2):
        hub.leave(first)
    hub.leave(second)
    assert (hub.amount, set(hub.rooms)) == (1, {Room("acme", another)})


def test_one_tenant_does_not_take_all_the_sockets() -> None:
    hub = Hub(Bounds(per_tenant=1, per_process=3))
    first, other = open_socket(hub.bounds, uuid4()), open_socket(hub.bounds, uuid4())
    hub.join(first)
    with pytest.raises(RateLimited):
        hub.join(other)
    hub.join(open_socket(hub.bounds, uuid4(), tenant="globex"))
    hub.leave(first)
    hub.join(other)
    assert hub.amount == 2


def test_a_pace_is_kept_over_a_minute_however_it_is_spread() -> None:
    now = [1000.0]
    pace = Pace(3, lambda: now[0])
    assert [pace.keeps() for _ in range(3)] == [True] * 3
    assert not pace.keeps()
    now[0] += 60
    assert pace.keeps()


def test_a_socket_that_does_not_keep_up_is_closed_once_and_keeps_nothing() -> None:
    closed: list[int] = []
    socket = open_socket(Bounds(queue_bytes=10), uuid4(), closed)
    socket.tell("one frame may be longer than all that may wait")
    socket.tell("x")
    socket.tell("x")
    assert closed == [TRY_LATER]
    assert not socket.waiting
