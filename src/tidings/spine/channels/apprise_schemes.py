"""The kinds of Apprise URL that may be used, and what each may say. What is not listed is refused.

Left out on purpose: whatever acts on this machine (`syslog`, `dbus`, `file`), reads its files (`template`, `keyfile`,
`pgppub`), weakens the connection (`verify`, `redirect`), takes its time (`rto`, `cto`, `retry`, `wait`) or opens
connections of its own beside the send (MQTT, XMPP; Matrix and Twist, which log out whenever Python tidies up).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType


class Kind(Enum):
    SERVICE = auto()  # at a place that Apprise knows: what stands where a host would is a secret
    SERVER = auto()  # on a server of somebody's own, named in the URL
    MAIL = auto()  # the same, by SMTP


@dataclass(frozen=True, slots=True)
class Scheme:
    kind: Kind
    parameters: frozenset[str] = frozenset()
    free: bool = False  # takes headers (`+name`), query (`-name`) and fields (`:name`) of the user's own


def _service(*parameters: str) -> Scheme:
    return Scheme(Kind.SERVICE, frozenset({"format", *parameters}))


def _server(*parameters: str) -> Scheme:
    return Scheme(Kind.SERVER, frozenset({"format", *parameters}))


_PLAIN = Scheme(Kind.SERVER, frozenset({"method"}), free=True)
_MAIL = Scheme(Kind.MAIL, frozenset({"bcc", "cc", "format", "from", "mode", "name", "reply", "smtp", "to"}))
_SERVERS: Mapping[str, Scheme] = {  # each also with an `s` for TLS
    "apprise": _server("tags"),
    "bark": _server("group", "level", "sound", "to"),
    "form": _PLAIN,
    "gotify": _server("priority"),
    "hassio": _server("nid"),
    "json": _PLAIN,
    "mailto": _MAIL,
    "mmost": _server("channel", "channels", "to"),
    "ntfy": _server("click", "priority", "to", "xtags"),
    "rocket": _server("mode", "to"),
    "signal": _server("to"),
    "xml": _PLAIN,
}
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        **_SERVERS,
        **{f"{name}s": scheme for name, scheme in _SERVERS.items()},
        "discord": _service("avatar", "footer", "href", "thread", "tts"),
        "gchat": _service("key", "thread", "token", "workspace"),
        "ifttt": _service("to"),
        "line": _service("to"),
        "opsgenie": _service("action", "alias", "entity", "priority", "region", "tags", "to"),
        "pagerduty": _service("action", "class", "dedup", "group", "region", "severity"),
        "pbul": _service("to"),
        "pover": _service("priority", "sound", "to", "url", "url_title"),
        "prowl": _service("priority"),
        "pushy": _service("sound", "to"),
        "slack": _service("footer", "to"),
        "tgram": _service("mdv", "preview", "silent", "thread", "to", "topic"),
        "webex": _service("to"),
        "wxteams": _service("to"),
        "zulip": _service("to"),
    }
)
