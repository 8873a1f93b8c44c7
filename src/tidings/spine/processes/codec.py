"""What Temporal keeps of ours: sealed. Arguments, results, signals, queries, heartbeats, and the words of failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from temporalio.api.common.v1 import Payload
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes, PayloadCodec

from tidings.kit.crypto import Vault

ENCODING = b"binary/tidings-sealed"


@dataclass(frozen=True)
class SealingCodec(PayloadCodec):
    vault: Vault

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [
            Payload(metadata={"encoding": ENCODING}, data=self.vault.seal(payload.SerializeToString()))
            for payload in payloads
        ]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """`Unsealable` for what no key here opens; what was never sealed stays as it is."""
        return [
            Payload.FromString(self.vault.open(payload.data))
            if payload.metadata.get("encoding") == ENCODING
            else payload
            for payload in payloads
        ]


def sealing_converter(vault: Vault) -> DataConverter:
    """Models in, models out; nothing in between can be read."""
    return replace(
        pydantic_data_converter,
        payload_codec=SealingCodec(vault),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )
