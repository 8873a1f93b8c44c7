"""Tokens: nobody reads, changes or makes one without the key, and a rotation takes none away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.kit.crypto import DataKeys, Key, Keyring, Unsealable
from tidings.kit.tokens import LONGEST, Tokens


def ring(hashing: bytes, sealing: bytes = b"s", master: bytes = b"m") -> Keyring:
    return Keyring(Key(master * 32), DataKeys(Key(hashing * 32), (Key(sealing * 32),)))


TOKENS = Tokens(ring(b"h"), "a purpose")


@given(st.binary(max_size=200))
def test_a_token_gives_back_its_value_and_is_the_same_every_time(value: bytes) -> None:
    token = TOKENS.write(value)
    assert TOKENS.read(token) == value
    assert TOKENS.write(value) == token


@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda some: some.hex()))
def test_nothing_else_is_a_token(text: str) -> None:
    with pytest.raises(Unsealable):
        TOKENS.read(text)


def test_every_change_of_a_token_is_seen() -> None:
    token = TOKENS.write(b"person and category")
    for place in range(len(token)):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        with pytest.raises(Unsealable):
            TOKENS.read(changed)
    for changed in (token[:-1], token + "A", token + "=", f" {token}", token.upper(), "A" * (LONGEST + 1)):
        with pytest.raises(Unsealable):
            TOKENS.read(changed)


def test_it_says_nothing_of_what_is_in_it() -> None:
    assert "acme" not in TOKENS.write(b"acme")
    assert TOKENS.write(b"acme")[2:] != TOKENS.write(b"acmf")[2:]


def test_another_purpose_and_another_key_read_nothing() -> None:
    token = TOKENS.write(b"value")
    for others in (Tokens(ring(b"h"), "another purpose"), Tokens(ring(b"o"), "a purpose")):
        with pytest.raises(Unsealable):
            others.read(token)


def test_a_token_stays_good_under_another_master_key_and_other_keys_that_seal() -> None:
    rotated = Tokens(ring(b"h", sealing=b"t", master=b"n"), "a purpose")
    assert rotated.read(TOKENS.write(b"value")) == b"value"
