"""aiosmtplib alone: `python -m bench.plain_mail PORT MAILS CONNECTIONS FOLDER`, where the mail's parts are.

Builds and sends the same mail, and prints how many a second.
"""

from __future__ import annotations

import asyncio
import sys
import time
from email.message import EmailMessage
from pathlib import Path

import uvloop
from aiosmtplib import SMTP


def _mail(number: int, html: str, text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Tidings <tidings@example.com>"
    mail["To"] = f"Person {number} <{number}@example.com>"
    mail["Subject"] = f"Order {number} is paid"
    mail["Message-ID"] = f"<{number}@example.com>"
    mail.set_content(text)
    mail.add_alternative(html, subtype="html")
    return mail


async def _send(port: int, numbers: range, html: str, text: str) -> None:
    async with SMTP(hostname="127.0.0.1", port=port, use_tls=False, start_tls=False) as connection:
        for number in numbers:
            await connection.send_message(_mail(number, html, text))


async def _measure(port: int, mails: int, connections: int, folder: Path) -> None:
    html, text = (folder / "mail.html").read_text("utf-8"), (folder / "mail.txt").read_text("utf-8")
    began = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        for first in range(connections):
            tasks.create_task(_send(port, range(first, mails, connections), html, text))
    print(mails / (time.monotonic() - began), flush=True)


if __name__ == "__main__":
    uvloop.run(_measure(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
