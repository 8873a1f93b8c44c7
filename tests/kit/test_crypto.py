"""Keys: sealing, hashing, wrapping, and what a wrong one says."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from tidings.kit.crypto import DataKeys, Key, Keyring, Locked, Unsealable, new_key, open_keyring, unwrap, wrap
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

MASTER, HASHING, OLD, NEW = (Key(letter * 32) for letter in (b"m", b"h", b"o", b"n"))
GOOD = base64.urlsafe_b64encode(bytes(range(224, 256))).decode()


def ring(*sealing: Key) -> Keyring:
    return Keyring(MASTER, DataKeys(HASHING, sealing))


@given(st.binary(max_size=200), st.text(max_size=20).filter(lambda text: text.isprintable()))
def test_what_was_sealed_is_opened_again(value: bytes, context: str) -> None:
    vault = ring(NEW).vault("test")
    sealed = vault.seal(value, context)
    assert vault.open(sealed, context) == value
    assert len(value) < 8 or value not in sealed


def test_the_same_value_is_never_sealed_the_same() -> None:
    vault = ring(NEW).vault("test")
    assert len({vault.seal(b"value") for _ in range(100)}) == 100


@given(st.data())
def test_a_change_of_any_bit_is_noticed(data: st.DataObject) -> None:
    vault = ring(NEW).vault("test")
    sealed = bytearray(vault.seal(b"value", "here"))
    at = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[at // 8] ^= 1 << at % 8
    with pytest.raises(Unsealable):
        vault.open(bytes(sealed), "here")


def test_another_context_purpose_or_key_opens_nothing() -> None:
    sealed = ring(NEW).vault("test").seal(b"value", "here")
    for vault, context in (
        (ring(NEW).vault("test"), "there"),
        (ring(NEW).vault("another"), "here"),
        (ring(OLD).vault("test"), "here"),
    ):
        with pytest.raises(Unsealable):
            vault.open(sealed, context)
    for broken in (b"", b"\x01", sealed[:10], b"\x02" + sealed[1:]):
        with pytest.raises(Unsealable):
            ring(NEW).vault("test").open(broken, "here")


def test_after_a_new_key_the_old_is_still_read_and_the_new_is_written() -> None:
    before, during, after = ring(OLD), ring(NEW, OLD), ring(NEW)
    assert during.vault("test").open(before.vault("test").seal(b"value")) == b"value"
    assert after.vault("test").open(during.vault("test").seal(b"value")) == b"value"
    assert before.hasher("keys").hash("token") == after.hasher("keys").hash("token")


def test_a_key_that_comes_later_opens_in_vaults_that_were_there_before() -> None:
    keyring = ring(OLD)
    vault = keyring.vault("test")
    assert vault.open(vault.seal(b"value")) == b"value"
    keyring.held = DataKeys(HASHING, (NEW, OLD))
    assert ring(NEW).vault("test").open(vault.seal(b"value")) == b"value"
    assert vault.open(ring(OLD).vault("test").seal(b"value")) == b"value"


def test_without_data_keys_nothing_is_sealed_opened_or_hashed() -> None:
    keyring = Keyring(MASTER)
    vault, hasher = keyring.vault("test"), keyring.hasher("test")
    with pytest.raises(Locked):
        vault.seal(b"value")
    with pytest.raises(Locked):
        vault.open(b"value")
    with pytest.raises(Locked):
        hasher.hash("token")
    keyring.held = DataKeys(HASHING, (NEW,))
    assert vault.open(vault.seal(b"value")) == b"value"
    assert hasher.hash("token") == ring(OLD).hasher("test").hash("token")


def test_a_wrapped_key_is_opened_by_its_master_key_for_its_use_and_by_nothing_else() -> None:
    wrapped = wrap(MASTER, NEW, "sealing")
    assert unwrap(MASTER, wrapped, "sealing") == NEW
    assert NEW.secret not in wrapped
    for master, text, use in (
        (OLD, wrapped, "sealing"),
        (MASTER, wrapped, "hashing"),
        (MASTER, wrapped[:-1], "sealing"),
        (MASTER, b"", "sealing"),
    ):
        with pytest.raises(Unsealable):
            unwrap(master, text, use)


def test_a_new_key_is_read_as_it_is_written() -> None:
    made = new_key()
    assert open_keyring(Settings(master_key=SecretStr(made.text()))).master == made
    assert made != new_key()


def test_hashes_differ_by_purpose() -> None:
    keyring = ring(NEW)
    assert keyring.hasher("a").hash("token") != keyring.hasher("b").hash("token")


def test_keys_do_not_show_in_their_representation() -> None:
    keyring = ring(NEW)
    shown = f"{NEW!r} {keyring!r} {keyring.held!r} {keyring.vault('a')!r} {keyring.hasher('a')!r}"
    assert not any(letter * 4 in shown for letter in "mhon")


@pytest.mark.parametrize("text", [GOOD, GOOD.rstrip("="), f"\n{GOOD}\n"])
def test_the_key_comes_from_the_setting_or_a_file(text: str, tmp_path: Path) -> None:
    file = tmp_path / "master.key"
    file.write_text(text, encoding="ascii")
    by_file = open_keyring(Settings(master_key_file=file))
    by_setting = open_keyring(Settings(master_key=SecretStr(text)))
    assert by_file == by_setting


@pytest.mark.parametrize("text", ["", "short", "x" * 40, GOOD + "AAAA", "!" * 44, "ü" * 43])
def test_a_key_that_is_none_is_refused_with_the_setting_named(text: str) -> None:
    with pytest.raises(Misconfigured, match="TIDINGS_MASTER_KEY: must be 32 bytes"):
        open_keyring(Settings(master_key=SecretStr(text)))


def test_no_key_and_no_file_say_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="TIDINGS_MASTER_KEY: is not set"):
        open_keyring(Settings())
    with pytest.raises(Misconfigured, match="TIDINGS_MASTER_KEY_FILE: cannot be read"):
        open_keyring(Settings(master_key_file=tmp_path / "nothing"))
