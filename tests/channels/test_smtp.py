"""What the conformance suite does not show of mail over SMTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_address
from typing import Any
from uuid import UUID

import pytest

from tests.channels.authority import server_tls, wrong_server_tls
from tests.channels.servers.smtp_server import (
    SmtpServer,
    dripping,
    hanging_up,
    resetting,
    silent,
    smtp_server,
    starting_tls,
)
from tests.channels.smtp_case import MESSAGE, smtp_adapter
from tests.channels.times import PATIENT, SHORT
from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.network import open_network
from tidings.spine.channels.port import Adapter, Blame, Deferred, Rejected, Sent, Unknown
from tidings.spine.channels.public_addresses import Address
from tidings.spine.channels.registry import Outside

Reaching = Callable[[timedelta], Outside]


@asynccontextmanager
async def sending(
    server: SmtpServer, outside: Reaching, deadline: timedelta = PATIENT, **config: Any
) -> AsyncIterator[Adapter]:
    adapter = smtp_adapter(server.port, outside(deadline), **config)
    try:
        yield adapter
    finally:
        await adapter.close()


async def test_one_connection_carries_many_mails(outside: Reaching) -> None:
    async with smtp_server() as server, sending(server, outside) as adapter:
        for n in range(5):
            assert isinstance(await adapter.send(replace(MESSAGE, id=UUID(int=n))), Sent)
        assert (server.connections, len(server.mails)) == (1, 5)


async def test_no_more_connections_are_opened_than_configured(outside: Reaching) -> None:
    async with smtp_server() as server, sending(server, outside, connections=2) as adapter:
        outcomes = await asyncio.gather(*(adapter.send(MESSAGE) for _ in range(20)))
        assert all(isinstance(outcome, Sent) for outcome in outcomes)
        assert server.connections <= 2


async def test_lines_that_start_with_a_dot_arrive(outside: Reaching) -> None:
    message = replace(MESSAGE, text=".\n..\n.hidden", html=None)
    async with smtp_server() as server, sending(server, outside) as adapter:
        await adapter.send(message)
        assert server.mails[0].endswith(b"\r\n\r\n.\r\n..\r\n.hidden\r\n")


@pytest.mark.parametrize("ending", [hanging_up, resetting])
async def test_a_kept_connection_that_the_server_gave_up_is_replaced_by_a_new_one(
    ending: Any, outside: Reaching
) -> None:
    async with smtp_server() as server, sending(server, outside) as adapter:
        await adapter.send(MESSAGE)
        server.at = {"MAIL": _once(server, ending)}
        assert isinstance(await adapter.send(MESSAGE), Sent)
        assert (server.connections, len(server.mails)) == (2, 2)


async def test_a_kept_connection_that_the_server_closes_with_421_is_replaced_by_a_new_one(outside: Reaching) -> None:
    async def busy(writer: asyncio.StreamWriter) -> None:
        writer.write(b"421 4.4.2 idle for too long\r\n")
        writer.close()

    async with smtp_server() as server, sending(server, outside) as adapter:
        await adapter.send(MESSAGE)
        server.at = {"MAIL": _once(server, busy)}
        assert isinstance(await adapter.send(MESSAGE), Sent)


def _once(server: SmtpServer, ending: Any) -> Any:
    async def do(writer: asyncio.StreamWriter) -> None:
        server.at = {}
        await ending(writer)

    return do


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("ending", [hanging_up, resetting])
async def test_a_break_before_the_content_is_deferred(step: str, ending: Any, outside: Reaching) -> None:
    async with smtp_server(at={step: ending}) as server, sending(server, outside) as adapter:
        assert isinstance(await adapter.send(MESSAGE), Deferred)


@pytest.mark.parametrize("step", ["EHLO", "AUTH", "MAIL", "RCPT", "DATA"])
async def test_time_that_runs_out_before_the_content_is_deferred(step: str, outside: Reaching) -> None:
    async with smtp_server(at={step: silent}) as server, sending(server, outside, SHORT) as adapter:
        assert isinstance(await adapter.send(MESSAGE), Deferred)


async def test_a_drop_after_the_final_dot_is_unknown_and_is_not_sent_again_by_us(outside: Reaching) -> None:
    async with smtp_server() as server, sending(server, outside) as adapter:
        await adapter.send(MESSAGE)
        server.at = {".": hanging_up}
        assert isinstance(await adapter.send(MESSAGE), Unknown)
        assert len(server.mails) == 2


async def test_greylisting_is_a_matter_of_the_address_and_the_connection_goes_on(outside: Reaching) -> None:
    async with smtp_server({"RCPT": "451 4.7.1 greylisted"}) as server, sending(server, outside) as adapter:
        found = await adapter.send(MESSAGE)
        server.replies = {}
        assert isinstance(await adapter.send(MESSAGE), Sent)
        assert server.connections == 1
    assert isinstance(found, Deferred)
    assert found.blame is Blame.ADDRESS


async def test_one_unknown_mailbox_among_many_is_only_its_own(outside: Reaching) -> None:
    async with smtp_server() as server, sending(server, outside) as adapter:
        server.replies = {"RCPT": "550 5.1.1 no such mailbox"}
        first = await adapter.send(MESSAGE)
        server.replies = {}
        others = [await adapter.send(MESSAGE) for _ in range(3)]
    assert first == Rejected("recipient: answered 550: 5.1.1 no such mailbox", gone=True)
    assert all(isinstance(outcome, Sent) for outcome in others)


async def test_a_busy_server_is_the_providers_matter(outside: Reaching) -> None:
    async with smtp_server({"": "421 4.3.2 too busy"}) as server, sending(server, outside) as adapter:
        found = await adapter.send(MESSAGE)
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER


async def test_tls_is_checked_against_the_servers_name(outside: Reaching) -> None:
    async with smtp_server(tls=server_tls()) as server, sending(server, outside, security="tls") as adapter:
        assert isinstance(await adapter.send(MESSAGE), Sent)
    async with smtp_server(tls=server_tls("mx.example")) as server, sending(server, outside, security="tls") as adapter:
        assert isinstance(await adapter.send(MESSAGE), Deferred)
        assert server.commands == []


async def test_a_certificate_need_not_be_good_where_the_operator_says_so(outside: Reaching) -> None:
    async with (
        smtp_server(tls=wrong_server_tls()) as server,
        sending(server, outside, security="tls", verify=False) as adapter,
    ):
        assert isinstance(await adapter.send(MESSAGE), Sent)


async def test_without_starttls_nothing_is_said_in_clear(outside: Reaching) -> None:
    async with smtp_server() as server, sending(server, outside, security="starttls") as adapter:
        found = await adapter.send(MESSAGE)
        assert isinstance(found, Deferred)
        assert "STARTTLS" in found.reason
        assert not any(command.startswith(("AUTH", "MAIL")) for command in server.commands)


OFFERING = {"EHLO": "250-ready\r\n250-STARTTLS\r\n250 AUTH PLAIN"}


async def test_a_connection_is_turned_to_tls_before_anything_is_said(outside: Reaching) -> None:
    at = {"STARTTLS": starting_tls(server_tls())}
    async with smtp_server(OFFERING, at) as server, sending(server, outside, security="starttls") as adapter:
        assert isinstance(await adapter.send(MESSAGE), Sent)
        assert [command.partition(" ")[0] for command in server.commands[:4]] == ["EHLO", "STARTTLS", "EHLO", "AUTH"]


async def test_a_connection_is_not_turned_to_tls_with_a_wrong_certificate(outside: Reaching) -> None:
    for tls in (wrong_server_tls(), server_tls("mx.example")):
        at = {"STARTTLS": starting_tls(tls)}
        async with smtp_server(OFFERING, at) as server, sending(server, outside, security="starttls") as adapter:
            found = await adapter.send(MESSAGE)
            assert found == Deferred("the mail server's certificate or TLS is not acceptable")
            assert server.commands[-1] == "STARTTLS"


async def test_an_address_beyond_ascii_needs_a_server_that_can(outside: Reaching) -> None:
    message = replace(MESSAGE, to="lesér@example.com")
    async with smtp_server() as server, sending(server, outside) as adapter:
        assert isinstance(await adapter.send(message), Sent)
        assert "MAIL FROM:<news@example.org> SMTPUTF8" in server.commands
    async with smtp_server({"EHLO": "250-ready\r\n250 AUTH PLAIN"}) as server, sending(server, outside) as adapter:
        assert isinstance(await adapter.send(message), Rejected)


async def test_a_mail_server_inside_is_not_reached(outside: Reaching) -> None:
    async with smtp_server() as server:
        guarded = open_network(NetworkSettings(mail_ports=(server.port,)))
        adapter = smtp_adapter(server.port, replace(outside(PATIENT), network=guarded))
        assert await adapter.send(MESSAGE) == Deferred("the mail server: the host is not a public address")
        assert server.connections == 0


async def test_mail_goes_to_the_ports_of_mail_only(outside: Reaching) -> None:
    async def here(host: str, port: int) -> tuple[Address, ...]:
        return (ip_address("127.0.0.1"),)

    async with smtp_server() as server:
        guarded = open_network(NetworkSettings(allow=("127.0.0.0/8",), ports=(server.port,)), here)
        adapter = smtp_adapter(server.port, replace(outside(PATIENT), network=guarded), host="mx.example")
        assert await adapter.send(MESSAGE) == Deferred(f"the mail server: port {server.port} is not allowed")
        assert server.connections == 0


async def test_a_connection_on_which_time_ran_out_is_closed(outside: Reaching) -> None:
    closed = asyncio.Event()

    async def drip_until_closed(writer: asyncio.StreamWriter) -> None:
        await dripping(writer)
        closed.set()

    async with smtp_server(at={"RCPT": drip_until_closed}) as server, sending(server, outside, SHORT) as adapter:
        assert isinstance(await adapter.send(MESSAGE), Deferred)
        await closed.wait()
