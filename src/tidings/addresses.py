"""Where the servers are: your own, or those of the embedded stack that runs on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tidings.embedded.info import StackInfo, find_stack
from tidings.kit.errors import Unavailable
from tidings.kit.settings import Section, Settings, load_settings


def located(settings: Settings) -> Settings | None:
    """The settings, completed from the running stack where they leave something open; None without a database."""
    stack = find_stack(settings.data_dir)
    if stack is not None:
        settings = settings.model_copy(update=_missing(settings, stack))
    return settings if settings.database.url else None


def _missing(settings: Settings, stack: StackInfo) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if settings.database.url in {None, "", stack.database_url}:
        found |= _same(settings, stack)
    if not settings.database.url:
        found["database"] = settings.database.model_copy(update={"url": stack.database_url})
    if settings.database.url in {None, "", stack.database_url} and not (
        settings.master_key or settings.master_key_file
    ):
        found["master_key_file"] = Path(stack.master_key_file) if stack.master_key_file else None
    if not settings.temporal.address:
        there = {"address": stack.temporal_address, "namespace": stack.temporal_namespace}
        found["temporal"] = settings.temporal.model_copy(update=there)
    return found


def _same(settings: Settings, stack: StackInfo) -> dict[str, Any]:
    """What must be the same for all who work on one database, unless it is set here: a worker in another terminal sends
    too, and would send elsewhere."""
    api = {"port": urlsplit(stack.api_url).port or settings.api.port, "public_url": stack.public_url}
    delivery = {"default_provider": stack.default_provider}
    network = {"allow": tuple(stack.network_allow)}
    dns = {"provider": stack.dns_provider}
    given: dict[str, Mapping[str, Any]] = {"api": api, "delivery": delivery, "network": network, "dns": dns}
    return {name: _completed(getattr(settings, name), values) for name, values in given.items()}


def _completed(section: Section, values: Mapping[str, Any]) -> Section:
    missing = {name: value for name, value in values.items() if name not in section.model_fields_set}
    return section.model_copy(update=missing)


def database_url() -> str:
    """`TIDINGS_DATABASE_URL`, or where it is not set, that of the embedded stack that runs on this machine.

    Raises `Unavailable` where there is neither.
    """
    settings = located(load_settings())
    if settings is None or settings.database.url is None:
        raise Unavailable("no database: run `tidings up`, or set TIDINGS_DATABASE_URL")
    return settings.database.url
