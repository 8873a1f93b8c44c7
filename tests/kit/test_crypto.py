"""The master key: sealing, hashing, rotation, and what a wrong one says."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from tidings.kit.crypto import Keyring, MasterKey, Unsealable, open_keyring
from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

OLD, NEW = MasterKey(b"o" * 32), MasterKey(b"n" * 32)
GOOD = base64.urlsafe_b64encode(bytes(range(224, 256))).decode()


@given(st.binary(max_size=200), st.text(max_size=20).filter(lambda text: text.isprintable()))
def test_what_was_sealed_is_opened_again(value: bytes, context: str) -> None:
    vault = Keyring((NEW,)).vault("test")
    sealed = vault.seal(value, context)
    assert vault.open(sealed, context) == value
    assert len(value) < 8 or value not in sealed


def test_the_same_value_is_never_sealed_the_same() -> None:
    vault = Keyring((NEW,)).vault("test")
    assert len({vault.seal(b"value") for _ in range(100)}) == 100


@given(st.data())
def test_a_change_of_any_bit_is_noticed(data: st.DataObject) -> None:
    vault = Keyring((NEW,)).vault("test")
    sealed = bytearray(vault.seal(b"value", "here"))
    at = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[at // 8] ^= 1 << at % 8
    with pytest.raises(Unsealable):
        vault.open(bytes(sealed), "here")


def test_another_context_purpose_or_key_opens_nothing() -> None:
    sealed = Keyring((NEW,)).vault("test").seal(b"value", "here")
    for vault, context in (
        (Keyring((NEW,)).vault("test"), "there"),
        (Keyring((NEW,)).vault("another"), "here"),
        (Keyring((OLD,)).vault("test"), "here"),
    ):
        with pytest.raises(Unsealable):
            vault.open(sealed, context)
    for broken in (b"", b"\x01", sealed[:10], b"\x02" + sealed[1:]):
        with pytest.raises(Unsealable):
            Keyring((NEW,)).vault("test").open(broken, "here")


def test_after_a_rotation_the_old_is_still_read_and_the_new_is_written() -> None:
    before, during, after = Keyring((OLD,)), Keyring((NEW, OLD)), Keyring((NEW,))
    assert during.vault("test").open(before.vault("test").seal(b"value")) == b"value"
    assert after.vault("test").open(during.vault("test").seal(b"value")) == b"value"
    assert before.hasher("keys").hash("token") in during.hasher("keys").hashes("token")
    assert during.hasher("keys").hash("token") == after.hasher("keys").hash("token")


def test_hashes_differ_by_purpose() -> None:
    ring = Keyring((NEW,))
    assert ring.hasher("a").hash("token") != ring.hasher("b").hash("token")


def test_keys_do_not_show_in_their_representation() -> None:
    assert "nnnn" not in repr(NEW) + repr(Keyring((NEW,)))


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
