"""The providers that there are, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tidings.spine.channels import apprise_channel, fcm, meta, resend, slack, smtp, twilio, webhook
from tidings.spine.channels.registry import ProviderType

_ALL = (
    smtp.PROVIDER,
    resend.PROVIDER,
    webhook.PROVIDER,
    twilio.PROVIDER,
    meta.PROVIDER,
    fcm.PROVIDER,
    slack.PROVIDER,
    apprise_channel.PROVIDER,
)

PROVIDERS: Mapping[str, ProviderType] = MappingProxyType({provider.name: provider for provider in _ALL})
