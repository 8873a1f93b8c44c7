"""The address under which this installation is known."""

from __future__ import annotations

from tidings.kit.settings import Settings


def public_url(settings: Settings) -> str:
    """As configured, never as a request says; without a slash at its end."""
    host = f"[{settings.api.host}]" if ":" in settings.api.host else settings.api.host
    return (settings.api.public_url or f"http://{host}:{settings.api.port}").rstrip("/")
