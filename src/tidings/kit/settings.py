"""Settings: nested, frozen, typed, with units; documented by their own definition.

Every setting is read from the environment: `TIDINGS_` + section + `_` + name, for example
`TIDINGS_OUTBOX_LEASE=30s`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tidings.kit.errors import Misconfigured
from tidings.kit.nameservers import nameserver
from tidings.kit.plain_words import plain_words

_DOMAIN = re.compile(r"(?=.{1,180}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+")
_DURATION = re.compile(r"(?P<number>-?\d{1,15}(\.\d+)?)(?P<unit>ms|s|m|h|d)")
_PREFIX = "TIDINGS_"
_NEARLY = 0.9  # how alike two names are when one is the other misspelt
_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def _positive(value: timedelta) -> timedelta:
    if value <= timedelta(0):
        raise ValueError("must be longer than zero")
    return value


def _duration(value: Any) -> Any:
    """`500ms`, `30s`, `5m`, `2h` or `7d`. A number alone is refused: it would be seconds here and minutes elsewhere."""
    if isinstance(value, timedelta):
        return value
    match = _DURATION.fullmatch(str(value).strip())
    if match is None:
        raise ValueError("must be a number with its unit, such as 500ms, 30s, 5m, 2h or 7d")
    try:
        return timedelta(**{_UNITS[match["unit"]]: float(match["number"])})
    except OverflowError:
        raise ValueError("is longer than can be counted") from None


def _postgres_url(value: str) -> str:
    if urlsplit(value).scheme not in {"postgresql", "postgres"}:
        raise ValueError("must start with postgresql://")
    return value


def _amqp_url(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"amqp", "amqps"} or not parts.hostname:
        raise ValueError("must be an address such as amqp://user:password@rabbitmq.example.com/vhost")
    return value


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise ValueError("must be an address such as https://api.example.com/v4")
    return value


def _words(value: Any) -> Any:
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


def _small(value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in value)


def _pairs(value: Any) -> Any:
    """`default=example.com, acme=acme.example`"""
    if not isinstance(value, str):
        return value
    parts = [part.strip() for part in value.split(",") if part.strip()]
    pairs = [(name.strip(), said.strip()) for name, _, said in (part.partition("=") for part in parts)]
    if not all(name and said for name, said in pairs):
        raise ValueError("must be pairs such as name=value, separated by commas")
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("names something twice")
    return dict(pairs)


def _worded_pairs(value: Any) -> Any:
    """`member=organization.read, admin=organization.read people.manage`"""
    pairs = _pairs(value)
    return {name: _words(said) for name, said in pairs.items()} if isinstance(pairs, dict) else pairs


def _domains(value: Mapping[str, str]) -> Mapping[str, str]:
    named = [domain.lower() for domain in value.values()]
    if wrong := [domain for domain in named if not _DOMAIN.fullmatch(domain)]:
        raise ValueError(f"{wrong[0]} is no domain")
    if twice := [domain for domain in named if named.count(domain) > 1]:
        raise ValueError(f"{twice[0]} is given to more than one tenant")
    return {tenant: domain.lower() for tenant, domain in value.items()}


Duration = Annotated[timedelta, BeforeValidator(_duration), AfterValidator(_positive)]
PostgresUrl = Annotated[str, AfterValidator(_postgres_url)]
AmqpUrl = Annotated[SecretStr, AfterValidator(_amqp_url)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
Port = Annotated[int, Field(ge=0, le=65535)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
Ports = Annotated[tuple[Annotated[int, Field(ge=1, le=65535)], ...], NoDecode, BeforeValidator(_words)]

Domains = Annotated[Mapping[str, str], NoDecode, BeforeValidator(_pairs), AfterValidator(_domains)]
RoleTable = Annotated[Mapping[str, tuple[str, ...]], NoDecode, BeforeValidator(_worded_pairs)]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DatabaseSettings(Section):
    url: PostgresUrl | None = Field(None, repr=False, description="your PostgreSQL; without it, the embedded one")
    direct_url: PostgresUrl | None = Field(
        None, repr=False, description="for LISTEN and session locks, where `url` goes through a transaction pooler"
    )
    pool_size: int = Field(10, ge=2, le=500, description="connections each process may hold")
    connect_timeout: Duration = Field(timedelta(seconds=5), description="how long to wait for one connection")
    statement_timeout: Duration = Field(timedelta(seconds=30), description="longest statement of the API")


class TemporalSettings(Section):
    address: str | None = Field(None, description="host:port of your Temporal; without it, the embedded one")
    namespace: str = Field("default", description="Temporal namespace")
    task_queue: str = Field("tidings", min_length=1, description="task queue that workers take processes from")
    activities: int = Field(20, ge=1, le=1_000, description="most steps of processes under way at a time in a worker")
    patience: Duration = Field(timedelta(seconds=5), description="how long to wait for one answer of Temporal")
    api_key: SecretStr | None = Field(None, description="what Temporal takes as a bearer token; needs `tls`")
    tls: bool = Field(False, description="connect with TLS; so does naming any of the files below")
    tls_ca_file: Path | None = Field(None, description="certificates (PEM) to trust instead of the system's")
    tls_cert_file: Path | None = Field(None, description="certificate (PEM) that we show to Temporal")
    tls_key_file: Path | None = Field(None, description="key (PEM) of that certificate")


class BrokerSettings(Section):
    url: AmqpUrl | None = Field(
        None, description="your RabbitMQ, such as `amqp://user:password@host/vhost`; without it, there is no broker"
    )
    when_away: Literal["wait", "go_on"] = Field(
        "wait", description="what would go through the broker while it is away: waits for it, or goes on without it"
    )
    patience: Duration = Field(
        timedelta(seconds=30),
        description="how long the broker may keep a message before what it names is leased without",
    )
    deadline: Duration = Field(timedelta(seconds=5), description="how long the broker may take to confirm a message")
    prefetch: int = Field(500, ge=1, le=10_000, description="most messages of one queue on their way to a worker")


class ApiSettings(Section):
    host: str = Field("127.0.0.1", description="address to listen on")
    port: Port = Field(8400, description="port to listen on; 0 picks a free one")
    public_url: str | None = Field(
        None, description="address in links and problem types; default: where the API listens"
    )
    max_body: int = Field(1_048_576, ge=1024, description="largest request body in bytes")
    max_import: int = Field(268_435_456, ge=1024, description="largest file of people to import, in bytes")
    import_retention: Duration = Field(
        timedelta(days=30), description="how long an import stays, and what was wrong with its rows"
    )
    metrics_token: SecretStr | None = Field(
        None, description="what /metrics takes as a bearer token; without it, whoever can connect may read them"
    )
    rate_limit: int = Field(6_000, ge=1, description="requests a minute for each user or key")
    sign_in_limit: int = Field(10, ge=1, description="sign-in attempts a minute for each address and each account")
    idempotency_window: Duration = Field(
        timedelta(hours=24), description="how long a reply is kept for its Idempotency-Key"
    )


class AuthSettings(Section):
    jwt_secret: SecretStr | None = Field(
        None, description="shared secret (HS256) for bearer tokens, 32 characters or more"
    )
    jwks_url: str | None = Field(None, description="address of an issuer's key set, for RS256, ES256 and EdDSA tokens")
    jwt_issuer: str | None = Field(None, description="required `iss` of bearer tokens")
    jwt_audience: str | None = Field(None, description="required `aud` of bearer tokens")
    session_lifetime: Duration = Field(timedelta(days=14), description="how long a sign-in lasts")
    development_headers: bool = Field(
        False, description="accept X-Tidings-User, -Tenant and -Role instead of a sign-in; loopback only"
    )


class FactSettings(Section):
    max_bytes: int = Field(262_144, ge=1024, le=16_777_216, description="largest `data` of a fact, as JSON text")
    max_depth: int = Field(64, ge=4, le=512, description="deepest nesting of a fact's `data`")


class OutboxSettings(Section):
    lease: Duration = Field(timedelta(seconds=30), description="how long a lease lasts between renewals")
    poll: Duration = Field(timedelta(seconds=1), description="how often to look without being woken")
    batch: int = Field(1_000, ge=1, le=10_000, description="most intents leased at once for a batch handler")
    concurrency: int = Field(100, ge=1, le=10_000, description="most intents of one kind handled at a time in a worker")
    max_attempts: int = Field(
        10, ge=1, le=1_000, description="attempts before an intent is dead, unless its kind says otherwise"
    )
    retry_base: Duration = Field(
        timedelta(seconds=1), description="longest wait before the second attempt; doubles each time"
    )
    retry_cap: Duration = Field(timedelta(hours=1), description="longest wait between attempts")
    dedup_window: Duration = Field(timedelta(days=7), description="how long the key of a finished `once` intent blocks")
    retention: Duration = Field(timedelta(days=30), description="how long finished intents are kept")


class WorkerSettings(Section):
    load: Words = Field((), description="modules or files with your handlers, separated by commas")
    stop_within: Duration = Field(timedelta(seconds=10), description="how long handlers may finish after SIGTERM")
    metrics_host: str = Field("127.0.0.1", description="address for the worker's own /metrics")
    metrics_port: Port | None = Field(
        None, description="port for the worker's own /metrics; 0 picks a free one, empty: none"
    )


class NetworkSettings(Section):
    allow: Words = Field(
        (), description="not public, yet allowed to be sent to: `host`, `host:port` or networks, separated by commas"
    )
    ports: Ports = Field((80, 443, 8080, 8443), description="ports that HTTP may be sent to")
    mail_ports: Ports = Field((25, 465, 587, 2525), description="ports that mail may be sent to")
    ca_file: Path | None = Field(None, description="certificates (PEM) to trust beside the system's")


class DeliverySettings(Section):
    default_provider: Literal["sandbox", "none"] = Field(
        "none", description="what a channel sends through where its tenant set nothing; the embedded stack: sandbox"
    )
    concurrency: int = Field(
        250, ge=1, le=10_000, description="most deliveries of one channel under way at a time in a worker"
    )
    max_attempts: int = Field(
        5, ge=1, le=100, description="attempts for a delivery, unless its provider or notice says otherwise"
    )
    retry_base: Duration = Field(timedelta(seconds=10), description="longest wait before the second attempt; doubles")
    retry_cap: Duration = Field(timedelta(hours=1), description="longest wait between attempts")
    circuit_after: int = Field(5, ge=1, le=1_000, description="failures in a row that open a provider's circuit")
    circuit_pause: Duration = Field(
        timedelta(seconds=30), description="how long a circuit stays open at first; doubles each time"
    )
    circuit_longest: Duration = Field(timedelta(minutes=10), description="longest that a circuit stays open at a time")
    retention: Duration = Field(
        timedelta(days=30), description="how long deliveries, what rules made of facts, and what the sandbox kept stay"
    )
    deadline: Duration = Field(timedelta(seconds=30), description="longest send, all in all")
    max_answer: int = Field(65_536, ge=1024, description="how much of a provider's answer is read, in bytes")
    connections: int = Field(250, ge=1, le=10_000, description="connections each worker may hold to one HTTP host")


_ROLES: Mapping[str, tuple[str, ...]] = {
    "provider_admin": (
        "organization.read",
        "organization.manage",
        "people.manage",
        "invitations.manage",
        "settings.manage",
    ),
    "partner_admin": (
        "organization.read",
        "organization.manage",
        "people.manage",
        "invitations.manage",
        "settings.manage",
    ),
    "member": ("organization.read",),
}


class OrganizationSettings(Section):
    domains: Domains = Field(
        {"default": "tidings.localhost"},
        description="the domain under which each tenant takes organisations on: `tenant=domain`, separated by commas",
    )
    reserved: Annotated[Words, AfterValidator(_small)] = Field(
        ("app", "www", "api", "mail", "smtp", "imap", "ftp", "ns", "ns1", "ns2", "admin", "auth", "status", "static"),
        description="subdomains that no organisation gets",
    )
    roles: RoleTable = Field(
        _ROLES, description="what each role may do: `role=permission permission`, separated by commas"
    )
    propagation_wait: Duration = Field(timedelta(minutes=5), description="wait before DNS is looked up the first time")
    verify_every: Duration = Field(timedelta(minutes=5), description="wait before DNS is looked up again")
    verify_tries: int = Field(6, ge=1, le=100, description="how often DNS is looked up")
    mail_wait: Duration = Field(timedelta(minutes=5), description="how long a bootstrap waits for its mails")
    bootstrap_limit: Duration = Field(
        timedelta(minutes=60), description="longest bootstrap; then it is undone, which is not counted"
    )
    invitation_lifetime: Duration = Field(timedelta(days=7), description="how long an invitation can be accepted")
    reconcile_every: Duration = Field(
        timedelta(minutes=15), description="how often to look for what bootstraps that were ended left behind"
    )


class ReportSettings(Section):
    active: int = Field(25, ge=1, description="active schedules that a user may have")
    writes: int = Field(10, ge=1, description="schedules that a user may make or change in a minute")
    retention: Duration = Field(
        timedelta(days=90), description="how long the document of a run is kept; what became of the run stays for good"
    )


class DnsSettings(Section):
    provider: Literal["logging", "memory", "cloudflare"] = Field(
        "logging", description="who keeps DNS records: `cloudflare`, `memory` (until its end) or nobody (`logging`)"
    )
    token: SecretStr | None = Field(
        None, validate_default=True, description="API token of Cloudflare that may edit the DNS of the base domains"
    )
    url: HttpUrl = Field("https://api.cloudflare.com/client/v4", description="address of Cloudflare's API")
    deadline: Duration = Field(timedelta(seconds=30), description="longest request to the provider, all in all")
    resolvers: Words = Field(
        ("8.8.8.8", "1.1.1.1", "208.67.222.222"),
        description="who is asked whether a new name is there yet: IP addresses, with a port where it is not 53",
    )
    quorum: int = Field(2, ge=1, validate_default=True, description="how many of them must have an address for it")
    resolver_timeout: Duration = Field(timedelta(seconds=5), description="how long one resolver may take")

    @field_validator("token")
    @classmethod
    def _fit_for_a_header(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        token = value.get_secret_value() if value else ""
        if not token and info.data.get("provider") == "cloudflare":
            raise ValueError("is not set, and Cloudflare takes nothing without it")
        if not all("!" <= char <= "~" for char in token):
            raise ValueError("must be letters, digits and signs without spaces")
        return value

    @field_validator("resolvers")
    @classmethod
    def _all_different(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len({nameserver(each) for each in value}) < len(value):
            raise ValueError("must not name one twice: its answer would count twice")
        return value

    @field_validator("quorum")
    @classmethod
    def _within_reach(cls, value: int, info: ValidationInfo) -> int:
        resolvers = info.data.get("resolvers")
        if resolvers is not None and value > len(resolvers):
            raise ValueError(f"must not be more than there are resolvers, {len(resolvers)}")
        return value


class LogSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = Field("info", description="least level that is logged")
    format: Literal["auto", "json", "console"] = Field(
        "auto", description="auto: console on a terminal, JSON elsewhere"
    )


class TelemetrySettings(Section):
    otlp_endpoint: str | None = Field(
        None, description="where to send OpenTelemetry spans (OTLP over HTTP); without it, nowhere"
    )


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        frozen=True,
        extra="ignore",
        env_ignore_empty=True,
    )

    data_dir: Path = Field(
        default_factory=lambda: Path.home() / ".local" / "share" / "tidings",
        description="where the embedded servers keep their data, and where a running stack is found",
    )
    master_key: SecretStr | None = Field(
        None, description="32 bytes, base64url; opens the keys that secrets are kept with"
    )
    master_key_file: Path | None = Field(
        None, description="file that holds the master key, instead of TIDINGS_MASTER_KEY"
    )
    database: DatabaseSettings = DatabaseSettings()
    temporal: TemporalSettings = TemporalSettings()
    broker: BrokerSettings = BrokerSettings()
    api: ApiSettings = ApiSettings()
    auth: AuthSettings = AuthSettings()
    facts: FactSettings = FactSettings()
    outbox: OutboxSettings = OutboxSettings()
    worker: WorkerSettings = WorkerSettings()
    network: NetworkSettings = NetworkSettings()
    delivery: DeliverySettings = DeliverySettings()
    organizations: OrganizationSettings = OrganizationSettings()
    dns: DnsSettings = DnsSettings()
    reports: ReportSettings = ReportSettings()
    log: LogSettings = LogSettings()
    telemetry: TelemetrySettings = TelemetrySettings()


def load_settings(overrides: Mapping[str, Any] | None = None) -> Settings:
    """Settings from the environment, or `Misconfigured` with one line that names each setting at fault."""
    if misspelt := [_unknown(name) for name in _misspelt(os.environ)]:
        raise Misconfigured("; ".join(misspelt))
    try:
        return Settings(**(overrides or {}))
    except ValidationError as error:
        raise Misconfigured("; ".join(_explained(fault) for fault in error.errors())) from None


def _explained(fault: ErrorDetails) -> str:
    name = f"TIDINGS_{'_'.join(str(part) for part in fault['loc']).upper()}"
    return _unknown(name) if fault["type"] == "extra_forbidden" else f"{name}: {plain_words(fault)}"


def _unknown(name: str) -> str:
    near = _nearest(name, 0.6)
    return f"{name}: there is no such setting" + (f" (did you mean {near}?)" if near else "")


def _misspelt(environment: Mapping[str, str]) -> list[str]:
    """Names that are nearly those of settings. Others that begin like ours may be somebody else's, and are."""
    ours = [name for name in environment if name.startswith(_PREFIX) and name.upper() not in _names()]
    return [name for name in ours if _nearest(name, _NEARLY)]


def _nearest(name: str, alike: float) -> str | None:
    from difflib import get_close_matches  # only those who misspell something pay for it

    return next(iter(get_close_matches(name, _names(), n=1, cutoff=alike)), None)


@cache
def _names() -> frozenset[str]:
    return frozenset(_PREFIX + name for name, _ in _all_fields(Settings, ""))


def describe_settings() -> str:
    """Every setting with its default and meaning, as a Markdown table: the reference, and `doctor --settings`."""
    rows = [_row(f"TIDINGS_{name}", field) for name, field in _all_fields(Settings, "")]
    return "\n".join(["| setting | default | meaning |", "|---|---|---|", *rows]) + "\n"


def _all_fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from _all_fields(field.annotation, f"{name.upper()}_")
        else:
            yield prefix + name.upper(), field


def _row(name: str, field: FieldInfo) -> str:
    return f"| `{name}` | {_default(field)} | {field.description} |"


def _default(field: FieldInfo) -> str:
    match field.default:
        case None | ():
            return "none"
        case timedelta() as span:
            return f"`{_short(span)}`"
        case Mapping() as pairs:
            return f"`{', '.join(f'{name}={_worded(said)}' for name, said in pairs.items())}`"
        case tuple() as words:
            return f"`{','.join(str(word) for word in words)}`"
        case value if field.default_factory is None:
            return f"`{str(value).lower() if isinstance(value, bool) else value}`"
        case _:
            return "`~/.local/share/tidings`"


def _worded(said: str | tuple[str, ...]) -> str:
    return said if isinstance(said, str) else " ".join(said)


def _short(span: timedelta) -> str:
    seconds = span.total_seconds()
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds * 1000:g}ms"
