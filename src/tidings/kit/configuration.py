"""Configurations that are well formed and still cannot work, each named with what to do about it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from tidings.kit.errors import Misconfigured
from tidings.kit.settings import Settings

MISSING_KEY = "TIDINGS_MASTER_KEY: is not set; give it, or TIDINGS_MASTER_KEY_FILE (32 bytes, base64url)"
MAKE_KEY = "python3 -c 'import base64, secrets; print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())'"
_HOST_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):\d{1,5}")
_LEADS = "provider_admin"
_ROLES = (_LEADS, "partner_admin", "member")
LONGEST_POLL = timedelta(seconds=10)
"""`tidings.emit` and `schedule` wake nobody for what is due later than this: the poll will find it in time."""


def require_sound(settings: Settings) -> None:
    """Refuses, in one line, a configuration that cannot work."""
    if found := list(faults(settings)):
        raise Misconfigured("; ".join(found))


def faults(settings: Settings) -> Iterator[str]:
    yield from _auth_faults(settings)
    yield from _outbox_faults(settings)
    yield from _master_key_faults(settings)
    yield from _temporal_faults(settings)
    yield from _organization_faults(settings)
    public = settings.api.public_url
    if public is not None and (urlsplit(public).scheme not in {"http", "https"} or not urlsplit(public).netloc):
        yield "TIDINGS_API_PUBLIC_URL: must be an address such as https://tidings.example.com"
    if settings.facts.max_bytes > settings.api.max_body:
        yield "TIDINGS_API_MAX_BODY: is smaller than TIDINGS_FACTS_MAX_BYTES; raise it above that"


def _auth_faults(settings: Settings) -> Iterator[str]:
    auth = settings.auth
    if auth.jwt_secret is not None and len(auth.jwt_secret.get_secret_value()) < 32:
        yield "TIDINGS_AUTH_JWT_SECRET: is shorter than 32 characters; use a longer random one"
    if auth.jwks_url is not None and auth.jwt_issuer is None:
        yield "TIDINGS_AUTH_JWT_ISSUER: must be set together with TIDINGS_AUTH_JWKS_URL"
    if auth.development_headers and not is_loopback(settings.api.host):
        yield "TIDINGS_AUTH_DEVELOPMENT_HEADERS: only with TIDINGS_API_HOST on loopback; switch one of them off"


def _outbox_faults(settings: Settings) -> Iterator[str]:
    outbox = settings.outbox
    if outbox.retry_base > outbox.retry_cap:
        yield "TIDINGS_OUTBOX_RETRY_CAP: is shorter than TIDINGS_OUTBOX_RETRY_BASE; raise it"
    if outbox.poll > LONGEST_POLL:
        yield "TIDINGS_OUTBOX_POLL: is longer than 10s; what is due after that wakes nobody, and would run late"
    if outbox.lease < outbox.poll:
        yield "TIDINGS_OUTBOX_LEASE: is shorter than TIDINGS_OUTBOX_POLL; leases would run out between renewals"


def _master_key_faults(settings: Settings) -> Iterator[str]:
    if settings.master_key is not None and settings.master_key_file is not None:
        yield "TIDINGS_MASTER_KEY_FILE: set either this or TIDINGS_MASTER_KEY, not both"
    if settings.master_key is not None and not is_master_key(settings.master_key.get_secret_value()):
        yield "TIDINGS_MASTER_KEY: must be 32 bytes in base64url (43 or 44 characters)"
    file = settings.master_key_file
    if file is not None:
        try:
            text = file.read_text(encoding="ascii", errors="replace").strip()
        except OSError as error:
            yield f"TIDINGS_MASTER_KEY_FILE: cannot be read ({error.strerror})"
        else:
            if not is_master_key(text):
                yield "TIDINGS_MASTER_KEY_FILE: must hold 32 bytes in base64url (43 or 44 characters)"


def _temporal_faults(settings: Settings) -> Iterator[str]:
    temporal = settings.temporal
    files = {
        "TIDINGS_TEMPORAL_TLS_CA_FILE": temporal.tls_ca_file,
        "TIDINGS_TEMPORAL_TLS_CERT_FILE": temporal.tls_cert_file,
        "TIDINGS_TEMPORAL_TLS_KEY_FILE": temporal.tls_key_file,
    }
    if temporal.address is not None and not _HOST_AND_PORT.fullmatch(temporal.address):
        yield "TIDINGS_TEMPORAL_ADDRESS: must be host:port, such as temporal.example.com:7233"
    if (temporal.tls_cert_file is None) != (temporal.tls_key_file is None):
        yield "TIDINGS_TEMPORAL_TLS_KEY_FILE: must be set together with TIDINGS_TEMPORAL_TLS_CERT_FILE"
    if temporal.api_key is not None and not (temporal.tls or any(files.values())):
        yield "TIDINGS_TEMPORAL_TLS: must be true where TIDINGS_TEMPORAL_API_KEY is set; it would travel in the open"
    for name, file in files.items():
        if file is not None and not file.is_file():
            yield f"{name}: there is no file {file}"


def _organization_faults(settings: Settings) -> Iterator[str]:
    ours, url = settings.organizations, urlsplit(settings.dns.url)
    if not ours.roles.get(_LEADS):
        yield f"TIDINGS_ORGANIZATIONS_ROLES: has no {_LEADS}, who is to manage an organisation; name what they may do"
    if unknown := [role for role in ours.roles if role not in _ROLES]:
        yield f"TIDINGS_ORGANIZATIONS_ROLES: nobody can have the role {unknown[0]}; there are {', '.join(_ROLES)}"
    if "app" not in ours.reserved:
        yield "TIDINGS_ORGANIZATIONS_RESERVED: must name app, to which the subdomains of all organisations lead"
    for name in ("propagation_wait", "mail_wait"):
        if getattr(ours, name) >= ours.bootstrap_limit:
            yield (
                f"TIDINGS_ORGANIZATIONS_BOOTSTRAP_LIMIT: is not longer than TIDINGS_ORGANIZATIONS_{name.upper()}, "
                "which is a part of it; raise it"
            )
    if ours.invitation_lifetime <= ours.mail_wait:
        yield (
            "TIDINGS_ORGANIZATIONS_INVITATION_LIFETIME: is not longer than TIDINGS_ORGANIZATIONS_MAIL_WAIT; "
            "invitations would expire before anybody can accept them"
        )
    if settings.dns.token is not None and url.scheme != "https" and not is_loopback(url.hostname or ""):
        yield "TIDINGS_DNS_URL: must be https; TIDINGS_DNS_TOKEN would travel in the open"


def is_master_key(text: str) -> bool:
    try:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) == 32
    except (ValueError, binascii.Error):
        return False


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
