"""Apprise URLs: which may be used, and how they are shown. Nothing here needs Apprise, whose import is slow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from tidings.spine.channels.apprise_schemes import SCHEMES, Kind, Scheme
from tidings.spine.channels.network import Network
from tidings.spine.channels.places import ascii_host
from tidings.spine.channels.port import Rejected

MOST_URLS = 10
_LONGEST_URL = 2_048
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9]*)://(?P<authority>[^/?#]+)(?P<path>/[^?#]*)?(\?(?P<query>[^#]*))?")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_HIDDEN = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]|=\?")  # when decoded: new lines, and words that hide them
_SERVER = re.compile(r"([^@]*@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^@:\[\]]+)(:(?P<port>[0-9]{1,5}))?")
_FREE_NAME = re.compile(r"[+:-][A-Za-z0-9_.-]{1,64}")
_KEPT_HEADERS = frozenset(
    {"connection", "content-length", "content-type", "expect", "host", "proxy-authorization", "te"}
    | {"trailer", "transfer-encoding", "upgrade"}
)


@dataclass(frozen=True, slots=True)
class AppriseUrl:
    """A URL that may be used. `host` is None where Apprise knows the place itself."""

    text: str = field(repr=False)
    scheme: str
    kind: Kind
    host: str | None = field(default=None, repr=False)


def checked_apprise_url(url: str, network: Network) -> AppriseUrl | Rejected:
    """The URL, if it may be used, as far as can be said without looking its host up or asking Apprise."""
    if len(url) > _LONGEST_URL:
        return Rejected(f"the URL is longer than {_LONGEST_URL} characters")
    if _UNSAFE.search(url) or _HIDDEN.search(unquote(url)):
        return Rejected("the URL has a space, a backslash, an invisible character or an encoded word in it")
    parts = _parts(url)
    if parts is None:
        return Rejected("this is not an Apprise URL")
    name = parts["scheme"].lower()
    scheme = SCHEMES.get(name)
    if scheme is None:
        return Rejected(f"{name}:// is not allowed")
    if refused := _refused_query(scheme, name, parts["query"] or ""):
        return refused
    if scheme.kind is Kind.SERVICE:
        return AppriseUrl(url, name, scheme.kind)
    return _on_server(AppriseUrl(url, name, scheme.kind), parts["authority"], parts["query"] or "", network)


def checked_apprise_urls(text: str, network: Network) -> tuple[AppriseUrl, ...] | Rejected:
    """An address may be several URLs with spaces between them: each gets the message."""
    words = text.split()
    if not 0 < len(words) <= MOST_URLS:
        return Rejected(f"an Apprise address has 1 to {MOST_URLS} URLs")
    checked = [checked_apprise_url(word, network) for word in words]
    refused = next((each for each in checked if isinstance(each, Rejected)), None)
    return refused or tuple(each for each in checked if isinstance(each, AppriseUrl))


def shown(text: str) -> str:
    """The address without its secrets: the scheme, and the host where that is none."""
    return " ".join(_shown(word) for word in text.split())


def _parts(url: str) -> re.Match[str] | None:
    """Channels are written `/#name`, which Apprise takes for what it means."""
    return _URL.fullmatch(url.replace("/#", "/%23"))


def _shown(url: str) -> str:
    parts = _parts(url)
    scheme = SCHEMES.get(parts["scheme"].lower()) if parts else None
    if parts is None or scheme is None:
        return "…"
    server = _SERVER.fullmatch(parts["authority"]) if scheme.kind is not Kind.SERVICE else None
    host = ascii_host(server["host"].strip("[]")) if server else None
    # A name without a dot may be a topic of ntfy.sh, which is all that keeps it private.
    return f"{parts['scheme'].lower()}://{host}/…" if host and "." in host else f"{parts['scheme'].lower()}://…"


def _refused_query(scheme: Scheme, name: str, query: str) -> Rejected | None:
    """Apprise takes `;` for `&`, and decodes names: a name that would have to be decoded is refused."""
    for pair in re.split("[&;]", query) if query else ():
        raw = pair.partition("=")[0]
        if raw.lower() not in scheme.parameters and not _is_free(scheme, raw):
            known = re.fullmatch(r"[A-Za-z0-9_.+:-]{1,64}", raw)
            return Rejected(f"{f'the parameter {raw}' if known else 'a parameter'} is not allowed in {name}://")
    return None


def _is_free(scheme: Scheme, raw: str) -> bool:
    if not scheme.free or not _FREE_NAME.fullmatch(raw):
        return False
    return raw[0] != "+" or raw[1:].lower() not in _KEPT_HEADERS


def _on_server(url: AppriseUrl, authority: str, query: str, network: Network) -> AppriseUrl | Rejected:
    server = _SERVER.fullmatch(authority)
    host = ascii_host(unquote(server["host"]).strip("[]")) if server else None
    if server is None or host is None or "%" in server["host"]:
        return Rejected("the URL's host is not valid")
    hosts = {host, *(ascii_host(unquote(each)) for each in re.findall(r"(?:^|[&;])smtp=([^&;]*)", query, re.I))}
    mail = url.kind is Kind.MAIL
    ports = network.settings.mail_ports if mail else network.settings.ports
    port = int(server["port"]) if server["port"] else _default_port(url, mail)
    for each in hosts:
        if each is None:
            return Rejected("the URL's host is not valid")
        if refused := network.refused_host(each, port, ports):
            return refused
    return AppriseUrl(url.text, url.scheme, url.kind, host)


def _default_port(url: AppriseUrl, mail: bool) -> int:
    return 587 if mail else 443 if url.scheme.endswith("s") else 80
