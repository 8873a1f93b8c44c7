"""Mails read back by Python's own parser."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from uuid import UUID

import pytest

from tests.channels.times import NOW
from tidings.spine.channels.mail_headers import Mailbox
from tidings.spine.channels.mime import Mail, build_mail, safe_file_name
from tidings.spine.channels.port import Attachment, Channel, Message, Rejected

SENDER = Mailbox("news", "example.org", "Example News")
MESSAGE = Message(
    id=UUID("0199d0f0-0000-7000-8000-000000000003"),
    channel=Channel.EMAIL,
    to="reader@example.com",
    name="Ann Example",
    subject="Your order was paid",
    text="Your order was paid.",
)


def built(message: Message) -> Mail:
    mail = build_mail(message, SENDER, NOW)
    assert isinstance(mail, Mail)
    return mail


def read(message: Message) -> EmailMessage:
    parsed = message_from_bytes(built(message).content, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert [part.defects for part in parsed.walk() if part.defects] == []
    return parsed


def text_of(parsed: EmailMessage, kind: str) -> str:
    part = parsed.get_body((kind,))
    assert isinstance(part, EmailMessage)
    content: str = part.get_content()
    return content.replace("\r\n", "\n")


def test_a_mail_says_from_whom_to_whom_and_when() -> None:
    headers = dict(read(MESSAGE).items())
    assert headers == {
        "From": "Example News <news@example.org>",
        "To": "Ann Example <reader@example.com>",
        "Subject": "Your order was paid",
        "Date": "Mon, 16 Nov 2026 12:00:00 +0000",
        "Message-ID": "<0199d0f0-0000-7000-8000-000000000003@example.org>",
        "MIME-Version": "1.0",
        "Auto-Submitted": "auto-generated",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "7bit",
    }


def test_every_attempt_makes_the_same_mail() -> None:
    assert built(MESSAGE) == built(MESSAGE)


def test_one_click_takes_the_reader_off_the_list() -> None:
    parsed = read(replace(MESSAGE, unsubscribe_url="https://example.org/u/abc?d=e"))
    assert parsed["List-Unsubscribe"] == "<https://example.org/u/abc?d=e>"
    assert parsed["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("url", ["https://example.org/>, <mailto:x@example.org", "a\r\nBcc: x", "javascript:1", ""])
def test_a_link_to_unsubscribe_that_is_none_is_rejected(url: str) -> None:
    assert isinstance(build_mail(replace(MESSAGE, unsubscribe_url=url), SENDER, NOW), Rejected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "two\nlines\n",
        "Windows\r\nlines\r\n",
        ".\n..\n.dot",
        "From here",
        "trailing  \n",
        "Grüße, 日本語, 🎉",
        "x" * 5_000,
        "ü" * 5_000,
        "--=_alternative_0199d0f0000070008000000000000003--",
        "a\x00b\x1b",
        "= =3D =?utf-8?q?x?=",
    ],
)
def test_texts_arrive_as_they_were(text: str) -> None:
    parsed = read(replace(MESSAGE, text=text, html=f"<p>{text}</p>"))
    expected = text.replace("\r\n", "\n")
    assert text_of(parsed, "plain").removesuffix("\n") == expected.removesuffix("\n")
    assert text_of(parsed, "html").removesuffix("\n") == f"<p>{expected}</p>"


def test_no_line_is_too_long_and_every_line_ends_in_crlf() -> None:
    mail = built(replace(MESSAGE, text="ü" * 9_000, html="x" * 9_000, name="Zoë" * 60, subject="ö" * 500))
    lines = mail.content.split(b"\r\n")
    assert max(len(line) for line in lines) <= 998
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert mail.content.isascii()


def test_attachments_arrive_as_they_were() -> None:
    files = (Attachment("report.pdf", "application/pdf", bytes(range(256)) * 9), Attachment("Übersicht.csv", "x", b""))
    parsed = read(replace(MESSAGE, html="<p>See inside.</p>", attachments=files))
    found = [(part.get_filename(), part.get_content_type(), part.get_content()) for part in parsed.iter_attachments()]
    assert found == [
        ("report.pdf", "application/pdf", files[0].content),
        ("Übersicht.csv", "application/octet-stream", b""),
    ]
    assert text_of(parsed, "html") == "<p>See inside.</p>"


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        ("text/calendar; method=REQUEST; charset=utf-8", "text/calendar; method=REQUEST; charset=utf-8"),
        ("text/calendar;method=CANCEL", "text/calendar;method=CANCEL"),
        ('text/calendar; method="REQUEST"', "application/octet-stream"),
        ("text/calendar; method=REQUEST\r\nBcc: a@example.com", "application/octet-stream"),
        ("text/calendar; method=", "application/octet-stream"),
        ("text/calendar" + "; a=b" * 5, "application/octet-stream"),
    ],
)
def test_a_media_type_keeps_parameters_that_are_plain_words(named: str, kept: str) -> None:
    content = built(replace(MESSAGE, attachments=(Attachment("a.ics", named, b"1"),))).content
    assert f"\r\nContent-Type: {kept}\r\nContent-Transfer-Encoding: base64\r\n".encode() in content


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\x.txt", "C:_x.txt"),
        ('a"; filename="b.exe', 'a"; filename="b.exe'),
        ("a\r\nX: y.txt", "a__X: y.txt"),
        ("invoice\u202efdp.exe", "invoice_fdp.exe"),
        ("", "attachment"),
        ("..", "attachment"),
        ("x" * 200 + ".pdf", "x" * 60 + ".pdf"),
    ],
)
def test_a_file_is_only_a_name(name: str, safe: str) -> None:
    assert safe_file_name(name) == safe
    attached = next(read(replace(MESSAGE, attachments=(Attachment(name, "text/csv", b"1"),))).iter_attachments())
    assert attached.get_filename() == safe


@pytest.mark.parametrize(
    "message",
    [
        replace(MESSAGE, subject="hi\r\nBcc: x@example.org"),
        replace(MESSAGE, subject="=?utf-8?q?hi=0D=0ABcc=3A_x=40example.org?="),
        replace(MESSAGE, to="a@example.com, b@example.com"),
        replace(MESSAGE, to="a@example.com\r\nRCPT TO:<b@example.com>"),
    ],
)
def test_what_would_break_out_of_its_header_is_rejected(message: Message) -> None:
    assert isinstance(build_mail(message, SENDER, NOW), Rejected)


@pytest.mark.parametrize(
    "name",
    [
        "Ann\r\nBcc: x@example.org",
        "=?utf-8?q?hi=0D=0ABcc=3A_x=40example.org?=",
        "x@example.org>, <y@example.org",
        "<script>alert(1)</script>",
        "\u202egro.elpmaxe@ssob\u202c",
    ],
)
def test_no_name_adds_a_header_or_a_recipient(name: str) -> None:
    parsed = read(replace(MESSAGE, name=name))
    assert len(parsed.items()) == 9
    assert [address.addr_spec for address in parsed["To"].addresses] == ["reader@example.com"]


def test_an_address_beyond_ascii_is_written_as_it_is_for_servers_that_can() -> None:
    mail = built(replace(MESSAGE, to="lesér@example.com", name=None))
    assert mail.needs_utf8
    assert "To: lesér@example.com\r\n".encode() in mail.content


def test_a_text_that_cannot_be_encoded_does_not_raise() -> None:
    assert "?" in text_of(read(replace(MESSAGE, text="lone \ud800")), "plain")
