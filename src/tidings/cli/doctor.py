"""`tidings doctor`: everything that is wrong with the configuration, each with what to do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass

import asyncpg
import typer

from tidings.addresses import located
from tidings.cli.dns import faults_of_zones, kept_elsewhere, warnings_of_domains
from tidings.cli.grants import missing_grants
from tidings.cli.mail_links import warning_of_links
from tidings.kit import db
from tidings.kit.configuration import MAKE_KEY, MISSING_KEY
from tidings.kit.configuration import faults as faults_of
from tidings.kit.crypto import Keyring, new_key
from tidings.kit.errors import Misconfigured, TidingsError
from tidings.kit.settings import Settings, load_settings
from tidings.migrations import current_revision, newest_revision
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.master_keys import MasterKeys
from tidings.spine.access.purposes import PROCESSES
from tidings.spine.processes.connecting import Temporal
from tidings.spine.processes.health import fault_of


@dataclass(frozen=True)
class Finding:
    """`warning`: everything works, but something will not do what is hoped for."""

    ok: bool
    what: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{'WRONG' if not self.ok else 'warn ' if self.warning else 'ok   '}  {self.what}"


def examine(as_json: bool) -> int:
    """Prints every finding; returns 1 when one of them is wrong. A warning is not."""
    findings = asyncio.run(_examine())
    lines = [str(finding) for finding in findings]
    typer.echo(json.dumps([asdict(finding) for finding in findings]) if as_json else "\n".join(lines))
    return 0 if all(finding.ok for finding in findings) else 1


async def _examine() -> list[Finding]:
    try:
        settings = load_settings()
    except Misconfigured as error:
        return [Finding(False, fault) for fault in error.detail.split("; ")]
    findings = [Finding(False, fault) for fault in faults_of(settings)] or [Finding(True, "settings are sound")]
    found = located(settings)
    if found is None:
        what = (
            f"no database: TIDINGS_DATABASE_URL is not set and no stack runs in {settings.data_dir}; run `tidings up`"
        )
        return [*findings, Finding(False, what)]
    database = [finding async for finding in _examine_database(found)]
    if all(finding.ok for finding in (*findings, *database)):
        database += [finding async for finding in _examine_keys(found)]
        database += [finding async for finding in _examine_links(found)]
        database += [finding async for finding in _examine_organizations(found)]
    beside = [await _examine_temporal(found), *[finding async for finding in _examine_broker(found)]]
    return [*findings, *_examine_master_key(found), *database, *beside]


def _examine_master_key(settings: Settings) -> Iterator[Finding]:
    """Whether there is one; one that is wrong is among the faults of the settings."""
    if settings.master_key is None and settings.master_key_file is None:
        yield Finding(False, f"{MISSING_KEY}; `tidings api` and `tidings key create` need it. To make one: {MAKE_KEY}")


async def _examine_keys(settings: Settings) -> AsyncIterator[Finding]:
    """Whether what is kept can be read with the master key that is set."""
    if settings.master_key is None and settings.master_key_file is None:
        return
    connection = await db.connect(settings.database, db.Role.WORKER, name="doctor")
    try:
        if not await connection.fetchval("SELECT EXISTS (SELECT FROM tidings.data_keys)"):
            return  # the first process makes them, with whichever master key it has
        keyring = await unlocked(settings, connection)
        others = await MasterKeys(connection, keyring).others()
    except TidingsError as error:
        yield Finding(False, error.detail)
    else:
        also = f"; so does {', '.join(key.hex() for key in others)}, until `tidings secrets rotate --finish`"
        yield Finding(True, f"master key {keyring.master.id.hex()} opens the data keys{also if others else ''}")
    finally:
        await connection.close()


async def _examine_links(settings: Settings) -> AsyncIterator[Finding]:
    if (warning := await warning_of_links(settings)) is not None:
        yield Finding(True, f"TIDINGS_API_PUBLIC_URL: {warning}", warning=True)


async def _examine_organizations(settings: Settings) -> AsyncIterator[Finding]:
    """Whether those who are asked for can have their names, and those that have one still can be reached."""
    name = "TIDINGS_ORGANIZATIONS_DOMAINS"
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="doctor", size=2)
    async with pool:
        async with pool.acquire() as connection:
            for warning in await warnings_of_domains(settings, connection):
                yield Finding(True, f"{name}: {warning}", warning=True)
            if (fault := await kept_elsewhere(settings, connection)) is not None:
                yield Finding(False, f"TIDINGS_DNS_PROVIDER: {fault}")
        match settings.dns.provider:
            case "logging":
                return
            case "memory":
                lost = "is `memory`: DNS records are gone when the worker ends, and no other worker knows of them"
                yield Finding(True, f"TIDINGS_DNS_PROVIDER: {lost}", warning=True)
            case "cloudflare":
                faults = [Finding(False, f"{name}: {fault}") async for fault in faults_of_zones(settings, pool)]
                sound = Finding(True, f"Cloudflare has {', '.join(settings.organizations.domains.values())}")
                for finding in faults or [sound]:
                    yield finding


async def _examine_database(settings: Settings) -> AsyncIterator[Finding]:
    try:
        connection = await db.connect(settings.database, None, name="doctor")
    except db.FAILING as error:
        yield Finding(False, f"TIDINGS_DATABASE_URL: cannot connect ({error})")
        return
    try:
        version = await connection.fetchval("SHOW server_version")
        old = connection.get_server_version().major < 15
        yield Finding(not old, f"PostgreSQL {version}" + ("; 15 or later is needed" if old else ""))
        async for finding in _examine_setup(connection):
            yield finding
    finally:
        await connection.close()


async def _examine_setup(connection: db.Connection) -> AsyncIterator[Finding]:
    """Whether the user may do what `tidings migrate` does, and whether it was done."""
    newest = newest_revision()
    try:
        revision = await current_revision(connection)
    except asyncpg.InsufficientPrivilegeError:
        grants = await _examine_grants(connection, to_migrate=False)
        advice = "; run `tidings migrate`, which grants them" if grants.ok else ""
        yield grants
        yield Finding(False, f"the database's revision cannot be read before the roles are granted{advice}")
        return
    yield await _examine_grants(connection, to_migrate=revision != newest)
    advice = "" if revision == newest else f", the newest is {newest}; run `tidings migrate`"
    yield Finding(revision == newest, f"database is at revision {revision or 'none'}{advice}")


async def _examine_grants(connection: db.Connection, *, to_migrate: bool) -> Finding:
    missing = await missing_grants(connection, to_migrate=to_migrate)
    advice = f": an administrator must run: {' '.join(missing)}" if missing else ""
    return Finding(not missing, f"database roles{advice}")


async def _examine_temporal(settings: Settings) -> Finding:
    address = settings.temporal.address
    if address is None:
        return Finding(False, "TIDINGS_TEMPORAL_ADDRESS: not set, and no stack runs here; run `tidings up` or set it")
    temporal = Temporal(settings.temporal, Keyring(new_key()).vault(PROCESSES))  # it is asked nothing that is sealed
    fault = await fault_of(temporal, within=3)
    if fault is not None:
        return Finding(False, f"TIDINGS_TEMPORAL_ADDRESS: {address}: {fault}")
    return Finding(True, f"Temporal answers on {address}, namespace {settings.temporal.namespace}")


async def _examine_broker(settings: Settings) -> AsyncIterator[Finding]:
    """Only where one is set. That it is away is wrong, though nothing is lost by it."""
    if settings.broker.url is None:
        return
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.health import Watch

    watch = Watch(Broker(settings.broker))
    fault = await watch.fault(within=3)
    await watch.end()
    if fault is not None:
        yield Finding(False, f"TIDINGS_BROKER_URL: {watch.broker.address}: {fault}")
    else:
        yield Finding(True, f"the broker answers on {watch.broker.address}")
