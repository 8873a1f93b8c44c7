"""Whatever comes in, nothing raises, and nothing adds a header, a recipient or a place to connect to."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from ipaddress import IPv6Address

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.channels.test_mime import MESSAGE, SENDER
from tests.channels.times import NOW
from tidings.spine.channels.answers import in_short, retry_after
from tidings.spine.channels.mail_headers import Mailbox, mailbox
from tidings.spine.channels.mime import build_mail
from tidings.spine.channels.network import WEB
from tidings.spine.channels.places import Place, place_of
from tidings.spine.channels.port import Attachment, Rejected
from tidings.spine.channels.public_addresses import is_public
from tidings.spine.channels.smtp_replies import Step, outcome_of_reply

ANY = st.text(st.characters(categories=None), max_size=80)
PIECES = ["=?utf-8?q?", "=?utf-8?b?", "?=", "=0D=0A", "\r", "\n", "Bcc: ", "x@example.org", "<", ">", ",", '"']
TRICKY = st.lists(st.sampled_from(PIECES)).map("".join)
HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Auto-Submitted", "Content-Type"}


@settings(deadline=None)
@given(subject=ANY | TRICKY, name=ANY | TRICKY, text=ANY, file=ANY | TRICKY)
@example(subject="=?utf-8?q?hi=0D=0ABcc=3A_x?=", name="", text="", file="")
def test_no_input_changes_the_shape_of_a_mail(subject: str, name: str, text: str, file: str) -> None:
    message = replace(
        MESSAGE, subject=subject, name=name, text=text, html=text, attachments=(Attachment(file, file, b"1"),)
    )
    mail = build_mail(message, SENDER, NOW)
    if isinstance(mail, Rejected):
        return
    parsed = message_from_bytes(mail.content, policy=policy.default)
    assert set(parsed.keys()) == HEADERS
    assert [address.addr_spec for address in parsed["To"].addresses] == ["reader@example.com"]
    assert [part.get_content_maintype() for part in parsed.walk()][:4] == ["multipart", "multipart", "text", "text"]
    assert len(list(parsed.walk())) == 5


@settings(deadline=None)
@given(ANY | TRICKY)
def test_no_input_makes_two_addresses_of_one(text: str) -> None:
    found = mailbox(text)
    if isinstance(found, Mailbox):
        assert found.address.count("@") == 1
        assert not set(found.address) & set('\r\n\t <>,;"')


@settings(deadline=None)
@given(ANY | st.from_regex(r"https?://[^/]{0,40}(/.{0,20})?", fullmatch=True))
def test_no_url_raises_and_what_is_left_of_it_is_plain(url: str) -> None:
    found = place_of(url, WEB)
    if isinstance(found, Place):
        assert (found.host + found.target).isascii()
        assert found.target.startswith("/")
        assert not set(found.host) & set("@/\\#?%[] ")


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_an_ipv4_address_is_judged_alike_inside_of_ipv6(number: int) -> None:
    mapped, translated = IPv6Address(0xFFFF << 32 | number), IPv6Address(0x64FF9B << 96 | number)
    assert mapped.ipv4_mapped is not None
    assert is_public(mapped) == is_public(translated) == is_public(mapped.ipv4_mapped)


@settings(deadline=None)
@given(ANY, st.integers())
def test_no_answer_raises(said: str, code: int) -> None:
    retry_after({"retry-after": said}, NOW)
    assert in_short("reason", said).isprintable()
    for step in Step:
        outcome_of_reply(step, code, said)
