"""`tidings rules`: who is told what of which facts; list, show, create, change, switch, delete, and try on the past."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from tidings.api.shown.rules import shown_rule, shown_trial
from tidings.cli.context import (
    JsonOption,
    LimitOption,
    TenantOption,
    fields,
    located_settings,
    parse_time,
    require_tenant,
    run_async,
    show,
    table,
    transaction,
    utc,
)
from tidings.kit.errors import ValidationFailed
from tidings.kit.json_input import parse_json
from tidings.kit.json_output import dump
from tidings.kit.paging import DEFAULT_LIMIT
from tidings.spine.notify.rules.model import Rule
from tidings.spine.notify.rules.records import StoredRule
from tidings.spine.notify.rules.storing import RuleFilter, Rules

rules = typer.Typer(help="Who is told what of which facts.", no_args_is_help=True)

IdArgument = Annotated[UUID, typer.Argument(help="the rule's id", metavar="ID")]
FileArgument = Annotated[Path, typer.Argument(help="a JSON file, as the API takes it; - for standard input")]
ACTOR = "command line"
_HEADS = ("ID", "NAME", "FACTS", "CHANNELS", "VERSION", "STATE", "CHANGED (UTC)")
_TRIED = ("FACT", "TYPE", "RECORDED (UTC)", "TOLD", "TITLE, OR WHY NOT")


def register(app: typer.Typer) -> None:
    app.add_typer(rules, name="rules")


@rules.command("list")
def list_rules(
    fact_type: Annotated[str | None, typer.Option(help="only those of this type, as the rule has it")] = None,
    enabled: Annotated[bool | None, typer.Option("--enabled/--disabled", help="only those that are on, or off")] = None,
    limit: LimitOption = DEFAULT_LIMIT,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """The rules of a tenant, the newest first."""

    async def run() -> None:
        async with _rules(tenant) as kept:
            page = await kept.list(RuleFilter(fact_type, enabled), None, limit)
        text = table(_HEADS, [_row(stored) for stored in page.items]) if page.items else "No rules."
        show([shown_rule(stored) for stored in page.items], as_json, text)

    run_async(run())


@rules.command("show")
def show_rule(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """One rule in full."""

    async def run() -> None:
        async with _rules(tenant) as kept:
            stored = await kept.get(id)
        show(shown_rule(stored), as_json, _in_full(stored))

    run_async(run())


@rules.command("create")
def create_rule(file: FileArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Make a rule. Facts that are recorded from now on are told by it."""
    raw = _read(file)

    async def run() -> None:
        from tidings.spine.notify.rules.accepting import Acceptance
        from tidings.spine.notify.templates.rendering import Renderer

        async with _rules(tenant) as kept:
            new = await Acceptance(kept.connection, tenant, Renderer()).new(raw)
            stored = await kept.create(new, ACTOR)
        show(shown_rule(stored), as_json, str(stored.rule.id))

    run_async(run())


@rules.command("change")
def change_rule(
    id: IdArgument, file: FileArgument, tenant: TenantOption = "default", as_json: JsonOption = False
) -> None:
    """Change what a JSON file gives, as the next version; the rest stays."""
    changes = _read(file)

    async def run() -> None:
        from tidings.spine.notify.rules.accepting import Acceptance
        from tidings.spine.notify.templates.rendering import Renderer

        async with _rules(tenant) as kept:
            known = await kept.get(id, for_change=True)
            new = await Acceptance(kept.connection, tenant, Renderer()).changed(known.rule, changes)
            stored = await kept.save(known, new, ACTOR)
        show(shown_rule(stored), as_json, f"{id} is at version {stored.rule.version}.")

    run_async(run())


@rules.command("enable")
def enable_rule(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Switch a rule on."""
    _switch(id, tenant, as_json, enabled=True)


@rules.command("disable")
def disable_rule(id: IdArgument, tenant: TenantOption = "default", as_json: JsonOption = False) -> None:
    """Switch a rule off. It stays, and tells of nothing."""
    _switch(id, tenant, as_json, enabled=False)


@rules.command("delete")
def delete_rule(id: IdArgument, tenant: TenantOption = "default") -> None:
    """Delete a rule. Its versions stay: what it has told names them."""

    async def run() -> None:
        async with _rules(tenant) as kept:
            await kept.delete(id)
        typer.echo(f"{id} is deleted.")

    run_async(run())


@rules.command("dry-run")
def dry_run(
    rule: Annotated[str, typer.Argument(help="a rule's id; or a JSON file with one that is not saved, - for stdin")],
    fact: Annotated[UUID | None, typer.Option(help="this fact alone")] = None,
    since: Annotated[str | None, typer.Option(help="recorded at this time or later; ISO 8601 with a timezone")] = None,
    until: Annotated[str | None, typer.Option(help="recorded before this time")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="how many facts at most")] = DEFAULT_LIMIT,
    people: Annotated[int, typer.Option(min=0, max=50, help="how many people to show of each audience")] = 10,
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """What a rule would have told of facts of the past, and to whom. Nothing is written or sent."""
    after = None if since is None else parse_time("--since", since)
    before = None if until is None else parse_time("--until", until)

    async def run() -> None:
        from tidings.spine.notify.rules.dry_run import DryRun
        from tidings.spine.notify.rules.trials import Sample
        from tidings.spine.notify.templates.rendering import Renderer

        async with _rules(tenant) as kept:
            wanted = await _named_or_read(kept, rule)
            trying = DryRun(kept.connection, tenant, Renderer())
            trial = await trying.run(wanted, Sample(fact, after, before, limit, people))
        shown = shown_trial(trial)
        show(shown, as_json, _tried(shown))

    run_async(run())


@asynccontextmanager
async def _rules(tenant: str) -> AsyncIterator[Rules]:
    async with transaction(located_settings()) as connection:
        await require_tenant(connection, tenant)
        yield Rules(connection, tenant)


async def _named_or_read(kept: Rules, text: str) -> Rule:
    from tidings.spine.notify.rules.accepting import Acceptance
    from tidings.spine.notify.rules.records import untried
    from tidings.spine.notify.templates.rendering import Renderer

    try:
        id = UUID(text)  # noqa: A001 - the domain's word
    except ValueError:
        new = await Acceptance(kept.connection, kept.tenant, Renderer()).unsaved(_read(Path(text)), "")
        return untried(kept.tenant, new)
    return (await kept.get(id)).rule


def _switch(id: UUID, tenant: str, as_json: bool, *, enabled: bool) -> None:
    async def run() -> None:
        async with _rules(tenant) as kept:
            stored = await kept.switch(id, enabled, ACTOR)
        show(shown_rule(stored), as_json, f"{id} is {'on' if enabled else 'off'}.")

    run_async(run())


def _read(file: Path) -> Any:
    try:
        return parse_json(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    except OSError as error:
        raise ValidationFailed(f"{file}: {error.strerror or error}") from None


def _row(stored: StoredRule) -> tuple[object, ...]:
    rule = stored.rule
    state = "on" if rule.enabled else "off"
    return rule.id, rule.name, rule.fact_type, " ".join(rule.body.channels), rule.version, state, utc(stored.updated_at)


def _in_full(stored: StoredRule) -> str:
    shown = shown_rule(stored)
    plain = {name: value if isinstance(value, str) else dump(value).decode() for name, value in shown.items()}
    times = {"createdAt": utc(stored.created_at), "updatedAt": utc(stored.updated_at)}
    return fields({**plain, **times, "id": stored.rule.id})


def _tried(trial: dict[str, Any]) -> str:
    rows = [
        (each["factId"], each["type"], utc(each["occurredAt"]), _told(each), _outcome(each)) for each in trial["facts"]
    ]
    if not rows:
        return "No facts of that type."
    rest = "" if trial["complete"] else "\nThere was no time for the rest; ask for fewer."
    broken = sum(each["fault"] is not None for each in trial["facts"])
    wrong = f" Of {broken}, nobody: the words cannot be made." if broken else ""
    return table(_TRIED, rows) + f"\n{trial['matched'] - broken} of {len(rows)} would have been told.{wrong}{rest}"


def _outcome(tried: dict[str, Any]) -> Any:
    return tried["title"] or tried["reason"] or tried["fault"]


def _told(tried: dict[str, Any]) -> str:
    audience = tried["audience"]
    if audience is None:
        return "-"
    return f"{audience['count']}{' or more' if audience['more'] else ''}"
