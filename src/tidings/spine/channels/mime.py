"""Mails as bytes. Written out by hand: always the same headers and parts, at a fraction of the library's cost."""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from urllib.parse import quote

from tidings.spine.channels.mail_headers import Mailbox, checked_subject, header_text, mailbox
from tidings.spine.channels.media_types import MEDIA_TYPE
from tidings.spine.channels.port import Attachment, Message, Rejected

_NOT_AS_IT_IS = re.compile(rb"[^\n\t\x20-\x7e]|=_")  # the latter begins our boundaries, which parts end at
_LONGEST_LINE = 900
_LINK = re.compile(r"https?://[!-;=?-~]+")
_NOT_IN_FILE_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff/\\]")
_LONGEST_FILE_NAME = 72  # encoded, one line of a header must hold it


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail with its envelope. Lines end in CRLF; nothing is escaped for transport yet."""

    sender: str
    recipient: str
    content: bytes
    message_id: str
    needs_utf8: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """What of a message goes into the headers of its mail, checked."""

    recipient: Mailbox
    subject: str


def checked_heading(message: Message) -> Heading | Rejected:
    recipient = mailbox(message.to, message.name)
    if isinstance(recipient, Rejected):
        return recipient
    subject = checked_subject(message.subject or "")
    if isinstance(subject, Rejected):
        return subject
    if message.unsubscribe_url is not None and not _LINK.fullmatch(message.unsubscribe_url):
        return Rejected("the link to unsubscribe is not valid")
    return Heading(recipient, subject)


def build_mail(message: Message, sender: Mailbox, now: datetime) -> Mail | Rejected:
    """The mail of a message. The same message makes the same mail, but for its date."""
    heading = checked_heading(message)
    if isinstance(heading, Rejected):
        return heading
    recipient = heading.recipient
    message_id = f"<{message.id}@{sender.domain}>"
    head = (
        f"From: {sender.header()}\nTo: {recipient.header()}\nSubject: {header_text(heading.subject)}\n"
        f"Date: {format_datetime(now)}\nMessage-ID: {message_id}\nMIME-Version: 1.0\n{_extra(message)}"
    )
    content = (head.encode() + _body(message) + b"\n").replace(b"\n", b"\r\n")
    return Mail(sender.address, recipient.address, content, message_id, sender.needs_utf8 or recipient.needs_utf8)


def list_headers(message: Message) -> dict[str, str]:
    """What says that a program wrote this, and how to hear no more of it (RFC 3834, RFC 8058)."""
    headers = {"Auto-Submitted": "auto-generated"}
    if message.unsubscribe_url is not None:
        headers["List-Unsubscribe"] = f"<{message.unsubscribe_url}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def _extra(message: Message) -> str:
    return "".join(f"{name}: {value}\n" for name, value in list_headers(message).items())


def _body(message: Message) -> bytes:
    readable = _part("text/plain", message.text)
    if message.html is not None:
        readable = _multipart("alternative", message, [readable, _part("text/html", message.html)])
    if not message.attachments:
        return readable
    return _multipart("mixed", message, [readable, *(_attached(one) for one in message.attachments)])


def _multipart(kind: str, message: Message, parts: list[bytes]) -> bytes:
    boundary = f"=_{kind}_{message.id.hex}"
    line = f"--{boundary}\n".encode()
    inside = b"".join(line + part + b"\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode() + inside + f"--{boundary}--".encode()


def _part(media_type: str, text: str) -> bytes:
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace")
    coding = "7bit"
    if _NOT_AS_IT_IS.search(data) or max(map(len, data.split(b"\n"))) > _LONGEST_LINE:
        coding, data = "quoted-printable", b2a_qp(data, istext=True)
    return f"Content-Type: {media_type}; charset=utf-8\nContent-Transfer-Encoding: {coding}\n\n".encode() + data


def _attached(attachment: Attachment) -> bytes:
    head = (
        f"Content-Type: {media_type(attachment)}\nContent-Transfer-Encoding: base64\n"
        f"Content-Disposition: attachment; {_file_name(attachment.name)}\n\n"
    )
    return head.encode() + encodebytes(attachment.content)


def media_type(attachment: Attachment) -> str:
    named = attachment.media_type
    return named if MEDIA_TYPE.fullmatch(named) else "application/octet-stream"


def safe_file_name(name: str) -> str:
    """A file's name without directories and without what cannot be seen, its suffix kept where it is shortened."""
    safe = _NOT_IN_FILE_NAMES.sub("_", name).strip(". ") or "attachment"
    stem, dot, suffix = safe.rpartition(".")
    return safe if len(safe) <= _LONGEST_FILE_NAME else (stem or suffix)[:60] + dot + suffix[:10]


def _file_name(name: str) -> str:
    safe = safe_file_name(name)
    if safe.isascii() and '"' not in safe:
        return f'filename="{safe}"'
    return f"filename*=utf-8''{quote(safe, safe='')}"
