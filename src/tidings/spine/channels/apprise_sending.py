"""One send through Apprise, as it runs in a thread. Apprise is imported here, where it is used: that takes a second."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from tidings.spine.channels.apprise_urls import AppriseUrl
from tidings.spine.channels.port import Level, Message

_STATUS = re.compile(r"\berror=([1-5][0-9]{2})\b|\(([45][0-9]{2}), b['\"]")  # of HTTP, as plugins log it; of SMTP
_NOT_CONNECTED = "Max retries exceeded"  # so says `requests` of connections and certificates
_LEVELS = {Level.INFO: "info", Level.WARNING: "warning", Level.CRITICAL: "failure"}


@dataclass(frozen=True, slots=True)
class Report:
    """What Apprise says about one send. `status` is of HTTP or SMTP."""

    delivered: bool
    status: int | None = None
    not_connected: bool = False


def notify(url: AppriseUrl, message: Message, seconds: float) -> Report | None:
    """Sends it, and reports. None: Apprise cannot make anything of the URL."""
    service = service_of(url, seconds)
    if service is None:
        return None
    apprise = loaded()
    sender = apprise.Apprise(asset=service.asset)
    sender.add(service)
    with sender.notify(
        body=message.text,
        title=" ".join((message.subject or "").split()),
        notify_type=_LEVELS[message.level],
        body_format=apprise.NotifyFormat.TEXT,
        log_level=logging.DEBUG,
    ) as result:
        return report_of(bool(result), [entry.message for entry in result.logs()])


def report_of(delivered: bool, lines: list[str]) -> Report:
    """From what Apprise logged. It goes no further: there are bodies and addresses in it."""
    text = "\n".join(lines)
    status = _STATUS.search(text)
    return Report(delivered, int(status[1] or status[2]) if status else None, _NOT_CONNECTED in text)


def service_of(url: AppriseUrl, seconds: float) -> Any:
    """Apprise's own object for the URL, or None. One for each send: it paces its own sends, and so do we."""
    apprise = loaded()
    service = apprise.Apprise.instantiate(url.text, asset=_asset(apprise))
    if service is None or service.redirects or service.verify_certificate is not True:
        return None
    service.socket_connect_timeout = seconds
    service.socket_read_timeout = seconds
    return service


def _asset(apprise: Any) -> Any:
    return apprise.AppriseAsset(
        app_id="Tidings",
        app_desc="Tidings",
        async_mode=False,  # in this thread, and no other
        http_redirects=False,
        storage_mode="memory",
        service_timeout=0,
    )


@cache
def loaded() -> Any:
    """Apprise with all its plugins."""
    import apprise

    # Reports are made of what it logs, down to the last detail. None of that may reach our own logs.
    logger = logging.getLogger("apprise")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(logging.NullHandler())
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # it logs paths, which may be secrets
    apprise.Apprise.instantiate("json://localhost")  # plugins come with the first URL
    return apprise
