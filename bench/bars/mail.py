"""Bar 7: mail to a local server, beside aiosmtplib alone building and sending the same mail."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from bench.figures import Claim, Result, share
from bench.plan import Bar, Plan
from bench.processes import output_of
from bench.senders import Senders, add_people, add_provider, add_rule, mailbox, senders
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.standard import standard

_MAILS, _CONNECTIONS = 10_000, 16
_OURS, _ALONE = "ours, one worker, fact to settled", "aiosmtplib alone"


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    mails = plan.size(_MAILS)
    url = await stack.enter_async_context(plan.server.database("bench_mail"))
    port = await stack.enter_async_context(mailbox())
    await add_people(url, mails, "email")
    config = {"host": "127.0.0.1", "port": port, "security": "none", "fromAddress": "tidings@example.com"}
    await add_provider(url, "email", "smtp", config | {"connections": _CONNECTIONS})
    await add_rule(url, "email", {"by": "everyone"})
    ours = await stack.enter_async_context(senders(url, 1, TIDINGS_NETWORK_ALLOW=f"127.0.0.1:{port}"))
    _write_mail(plan.home)
    found = await plan.take_turns({_OURS: partial(_rate, ours, mails), _ALONE: partial(_alone, port, mails, plan.home)})
    claim = Claim("mails a second beside aiosmtplib alone", share(found[_OURS], found[_ALONE]), 70, " %")
    how = [
        f"{mails:,} mails over {_CONNECTIONS} connections kept open, to a local server that takes everything.",
        "Alone: one process, EmailMessage with text and HTML already rendered, `send_message`, and no record of it.",
        "Ours: one worker, one fact for all; each mail is rendered (MJML), sent, and its attempt and receipt recorded.",
    ]
    return Result(how, list(found.values()), [claim])


async def _rate(ours: Senders, people: int) -> float:
    return await ours.told(1) * people


async def _alone(port: int, mails: int, folder: Path) -> float:
    command = (sys.executable, "-m", "bench.plain_mail", str(port), str(mails), str(_CONNECTIONS), str(folder))
    return float(await output_of(command))


def _write_mail(folder: Path) -> None:
    """The same mail that our default template makes."""
    context = {
        "fact": {"id": "1", "type": "order.paid", "occurredAt": "2026-01-01T00:00:00Z"},
        "data": {"orderId": 1},
        "notice": {"title": "Order 1 is paid", "body": "Thank you.", "level": "info", "category": "general"},
        "tenant": {"id": "default", "name": "Default"},
        "person": {"name": "Person 1"},
    }
    mail = Renderer().render("email", standard("email"), context)
    (folder / "mail.html").write_text(mail.html or "", "utf-8")
    (folder / "mail.txt").write_text(mail.text, "utf-8")


BAR = Bar("mail", "7. Mail over SMTP", _measure)
