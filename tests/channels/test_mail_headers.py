from __future__ import annotations

from base64 import b64encode
from email.header import decode_header, make_header

import pytest

from tidings.spine.channels.mail_headers import Mailbox, checked_subject, clean_name, header_text, mailbox
from tidings.spine.channels.port import Rejected

HIDDEN = "=?utf-8?q?hi=0D=0ABcc=3A_x=40example.org?="


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("reader@example.com", "reader@example.com"),
        (" reader@example.com ", "reader@example.com"),
        ("first.last+tag@EXAMPLE.com", "first.last+tag@example.com"),
        ("o'neil@example.com", "o'neil@example.com"),
        ("reader@bücher.example", "reader@xn--bcher-kva.example"),
        ("lesér@example.com", "lesér@example.com"),
    ],
)
def test_one_address_is_one_mailbox(text: str, address: str) -> None:
    found = mailbox(text)
    assert isinstance(found, Mailbox)
    assert found.address == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "reader",
        "@example.com",
        "reader@",
        "reader@localhost",
        "a@example.com,b@example.com",
        "a@example.com;b@example.com",
        "a@example.com b@example.com",
        "a@example.com\r\nBcc: b@example.com",
        "a@example.com\nb",
        "a\x00@example.com",
        "<a@example.com>",
        "Name <a@example.com>",
        '"a b"@example.com',
        '"a@evil.example>,<b"@example.com',
        "a(comment)@example.com",
        "a@b@example.com",
        "@relay.example:a@example.com",
        "a%b@[127.0.0.1]",
        "a..b@example.com",
        ".a@example.com",
        "a@example..com",
        "a@-example.com",
        "a@exam ple.com",
        "a\u202e@example.com",
        "a\ud800@example.com",
        "a" * 65 + "@example.com",
        "a@" + "b" * 250 + ".com",
        HIDDEN + "@example.com, b@example.com",
    ],
)
def test_what_is_not_one_address_is_rejected(text: str) -> None:
    assert isinstance(mailbox(text), Rejected)


def test_an_address_beyond_ascii_says_that_it_needs_a_server_that_can() -> None:
    beyond, within = mailbox("lesér@example.com"), mailbox("reader@bücher.example")
    assert isinstance(beyond, Mailbox)
    assert isinstance(within, Mailbox)
    assert (beyond.needs_utf8, within.needs_utf8) == (True, False)


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ann Example", "Ann Example"),
        ("Ann\r\nBcc: x@example.org", "AnnBcc: x@example.org"),
        ("Ann\x00\x1b[31m", "Ann[31m"),
        ("Ann \u202egro.elpmaxe\u202c", "Ann gro.elpmaxe"),
        ("\u2066Ann\u2069\u200b\ufeff", "Ann"),
        ("  Ann \t  Example ", "Ann Example"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("عائشة", "عائشة"),
        (HIDDEN, ""),
        ("a" * 300, "a" * 200),
    ],
)
def test_what_does_not_belong_in_a_name_is_left_out(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("", "reader@example.com"),
        ("Ann Example", "Ann Example <reader@example.com>"),
        ("Example, Ann", '"Example, Ann" <reader@example.com>'),
        ('Ann "The" \\ Ex', '"Ann \\"The\\" \\\\ Ex" <reader@example.com>'),
        ("<b@example.org>", '"<b@example.org>" <reader@example.com>'),
        ("Zoë", "=?utf-8?b?Wm/Dqw==?= <reader@example.com>"),
    ],
)
def test_a_name_cannot_become_an_address(name: str, header: str) -> None:
    assert Mailbox("reader", "example.com", name).header() == header


@pytest.mark.parametrize(
    "subject",
    [
        "hi\r\nBcc: x@example.org",
        "hi\nthere",
        "hi\rthere",
        "hi\x00",
        "hi\x85there",
        "hi\u2028there",
        "hi\ud800",
        HIDDEN,
        f"before {HIDDEN} after",
        HIDDEN.upper(),
        "=?utf-8?b?" + b64encode(b"hi\r\nBcc: x@example.org").decode() + "?=",
        "=?iso-8859-1?q?hi=0ABcc?=",
        "=?utf-8?b?" + b64encode(HIDDEN.encode()).decode() + "?=",
        "=?no-such-charset?q?hi=0D=0ABcc?=",
        "=?no-such-charset?b?" + b64encode(b"hi\r\nBcc: x@example.org").decode() + "?=",
        "=?utf-7?q?hi+AA0ACg-Bcc?=",
        "=?utf-8?b?a?=",
        "a" * 999,
    ],
)
def test_a_subject_that_could_break_out_of_its_header_is_rejected(subject: str) -> None:
    assert isinstance(checked_subject(subject), Rejected)


@pytest.mark.parametrize(
    ("subject", "kept"),
    [
        ("", ""),
        ("Your order was paid", "Your order was paid"),
        ("Grüße 🎉", "Grüße 🎉"),
        ("=?utf-8?q?harmless?=", "=?utf-8?q?harmless?="),
        ("invoice \u202efdp.exe", "invoice fdp.exe"),
        ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
    ],
)
def test_other_subjects_are_kept(subject: str, kept: str) -> None:
    assert checked_subject(subject) == kept


@pytest.mark.parametrize(
    "text",
    [
        "Your order was paid",
        "Grüße aus der Ferne, die länger sind als eine Zeile, und noch ein wenig länger, mit 🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉",
        "=?utf-8?q?read_as_it_stands?=",
        "long " * 40 + "end",
    ],
)
def test_a_header_is_read_as_it_was_meant_and_its_lines_are_short(text: str) -> None:
    written = header_text(text)
    assert str(make_header(decode_header(written.replace("\n", "\r\n")))) == text
    assert all(len(line) <= 76 for line in written.split("\n"))
