"""The types of providers that there are, as a client sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tidings.spine.channels.port import Channel
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.delivery.configuring import PLAIN_TYPES


def shown_types() -> list[dict[str, Any]]:
    """The types of providers that there are. None of them is a secret."""
    everywhere = [channel for channel in Channel if channel is not Channel.WEBSOCKET]
    plain = [_type(name, everywhere, {"type": "object", "properties": {}}, True) for name in PLAIN_TYPES]
    own = [
        _type(name, sorted(provider.channels), provider.config.model_json_schema(), provider.safe_to_resend)
        for name, provider in PROVIDERS.items()
    ]
    return own + plain


def _type(name: str, channels: Sequence[str], config: Mapping[str, Any], safe_to_resend: bool) -> dict[str, Any]:
    on_unknown = "resend" if safe_to_resend else "hold"
    return {"type": name, "channels": channels, "config": config, "onUnknown": on_unknown}
